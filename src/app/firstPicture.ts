import type { Session } from '../features/accounts/web/session.ts'

/** Nobody looks at an empty screen for longer: then a waiting sign stands there. */
const patienceMs = 400

const whoIsKnown = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const look = (): boolean => session.get().phase !== 'starting'
    if (look()) return resolve()
    const stop = session.subscribe(() => {
      if (!look()) return
      stop()
      resolve()
    })
  })

/**
 * Settles when a whole picture can be drawn: it is known who is here, and what the picture needs is. A gate, a skeleton and an empty day drawn before
 * it cost a phone more than the picture itself.
 */
export const untilPicture = (session: Session, ...needs: readonly Promise<unknown>[]): Promise<unknown> =>
  Promise.race([
    Promise.all([whoIsKnown(session), ...needs]),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ])
