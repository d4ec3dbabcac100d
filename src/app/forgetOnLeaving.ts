import type { Session } from '../features/accounts/web/session.ts'
import { afterFirstPicture } from './afterFirstPicture.ts'
import { addLeavingWork } from './leavingWork.ts'
import { browserMemory } from './session/memory.ts'

/** A phone that lacks this file has a newer version waiting, which does it. */
const missing = (): undefined => undefined
const forgetting = () => import('../features/crewapp/web/forgetting.ts')

/** Whoever is signed in on this phone: an owner and somebody of a crew can be so side by side. */
const here = (now: string): string[] => {
  const memory = browserMemory()
  return [now, ...(['admin', 'employee'] as const).flatMap((kind) => memory.profile(kind)?._id ?? [])]
}

/**
 * Whoever leaves this phone, however they leave it, takes along what they were shown; whoever comes finds nothing of the one before.
 * @param remembered whose phone it was when the app was opened: where the server lets them in no more, they were never signed in here
 */
export const forgetOnLeaving = (session: Session, remembered: string | null = null): void => {
  let last = remembered
  const look = (): void => {
    const state = session.get()
    if (state.phase !== 'signedIn' && state.phase !== 'signedOut') return
    const now = state.phase === 'signedIn' ? state.user._id : null
    if (now === last) return
    const gone = last
    last = now
    // Every shelf has its person's name on it, so nothing is shown that waits to be cleared: the first picture comes first.
    if (gone) addLeavingWork(forgetting().then(({ forgetPerson }) => forgetPerson(gone), missing))
    if (now)
      afterFirstPicture(
        () => void forgetting().then((m) => (last === now ? m.forgetOthers(here(now)) : undefined), missing),
      )
  }
  session.subscribe(look)
  look()
}
