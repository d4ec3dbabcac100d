import type { Actor } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { log } from '../../../platform/log.ts'
import { type Change, crewTopics } from '../../../shared/topics.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { listCrewIdsByUser } from '../../employees/server/queries.ts'

export type Hearing = {
  hears: (change: Change) => boolean
  /** Reads again which crews the person is in. */
  renew: () => Promise<void>
  /** The same where it could not be read so far: what fails once must not stay open. */
  renewIfUnknown: () => Promise<void>
}

const beginning = new Map<string, ReturnType<typeof readCrews>>()
const readCrews = (businessId: Actor['businessId']) =>
  withTenant({ businessId, readOnly: true }, async (db) => listCrewIdsByUser(db, await todayOf(db)))
/** A change of crews reaches all phones of a business in one moment: one read serves them all, and none that began before it. */
const crewsOf = (businessId: Actor['businessId']): ReturnType<typeof readCrews> => {
  const found = beginning.get(businessId)
  if (found) return found
  const made = Promise.resolve().then(() => {
    beginning.delete(businessId)
    return readCrews(businessId)
  })
  beginning.set(businessId, made)
  return made
}

/**
 * What of the changes of a business a person on a crew hears: those that a crew's phone shows, and of visits and routes only those of the own
 * crews, today's and later ones; of the chat what is said to them, to their crews and to everybody; of the clock their own. While nobody knows which crews those are, because they change right now, everything passes: the phone
 * asks for its own days anyway, and must not miss its first visit with a new crew.
 */
export const hearingOf = (actor: Pick<Actor, 'businessId' | 'userId'>): Hearing => {
  let crewIds: ReadonlySet<string> | null = null
  let asked = 0
  const renew = async (): Promise<void> => {
    asked += 1
    const mine = asked
    try {
      const found = (await crewsOf(actor.businessId)).get(actor.userId) ?? new Set<string>()
      if (mine === asked) crewIds = found
    } catch (error) {
      log.warn({ err: error }, 'whose changes a crew hears could not be read')
    }
  }
  return {
    renew,
    renewIfUnknown: async () => {
      if (crewIds === null) await renew()
    },
    hears: ({ topic, ids, crewIds: of }) => {
      if (topic === 'chat') {
        const own = crewIds
        return ids.length === 0 || ids.includes(actor.userId) || own === null || ids.some((id) => own.has(id))
      }
      if (topic === 'timeclock') return ids.length === 0 || ids.includes(actor.userId)
      if (!crewTopics.some((one) => one === topic)) return false
      if (topic === 'crews') {
        crewIds = null
        void renew()
      }
      const own = crewIds
      return own === null || of.length === 0 || of.some((id) => own.has(id))
    },
  }
}
