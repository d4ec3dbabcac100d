import { isTourPath } from '../../../shared/tour.ts'
import { dropCaches, dropDatabases, dropWords } from '../shelves/web/data.ts'
import { forgetChat } from './chat/kept.ts'
import { outboxOf } from './data.ts'
import { dropOldCodes, forgetCodesOf } from './gate/keptCodes.ts'
import { forgetGateCodes } from './gate/shown.ts'
import { forgetTicked } from './load/ticked.ts'
import { forgetShownPhotos } from './marks/stopPhotos.ts'
import { forgetWhereabouts } from './suggest/whereabouts.ts'
import { forgetLastPhotos } from './words/lastPhotos.ts'

/**
 * A phone that several people use: what one of them was shown (days with customers, conversations, photos, own weeks) is not there for the next.
 * What was not sent yet is no such thing: it stays, tied to its person, and goes when they sign in again.
 */

/** A phone that hangs holds nobody back who wants to leave. */
const patienceMs = 3_000

const soon = (works: readonly Promise<unknown>[]): Promise<unknown> =>
  Promise.race([Promise.allSettled(works), new Promise((resolve) => setTimeout(resolve, patienceMs))])

/** This person leaves this phone. Never fails: what could not be removed goes when the next one signs in. */
export const forgetPerson = async (userId: string): Promise<void> => {
  if (isTourPath(window.location.pathname)) return
  const isTheirs = (owner: string): boolean => owner === userId || owner === ''
  forgetGateCodes()
  forgetShownPhotos()
  forgetLastPhotos()
  forgetWhereabouts(userId)
  dropWords(isTheirs)
  forgetTicked()
  await soon([outboxOf(userId).forget(), forgetChat(userId), dropCaches(isTheirs), forgetCodesOf(isTheirs)])
}

/**
 * These people are signed in here: whatever an earlier one left behind, whose battery was empty before they signed out, goes.
 * @param here an owner and somebody of a crew may be signed in side by side
 */
export const forgetOthers = async (here: readonly string[]): Promise<void> => {
  if (isTourPath(window.location.pathname)) return
  const isOthers = (owner: string): boolean => !here.includes(owner)
  dropWords(isOthers)
  forgetTicked()
  await soon([dropDatabases(isOthers), dropCaches(isOthers), dropOldCodes(Date.now())])
}
