import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '../features/accounts/web/session.ts'
import { afterFirstPicture } from './afterFirstPicture.ts'
import { loadScreen } from './loading.ts'

/** Listens to changes as soon as the first picture stands; what reads them comes then. Until the returned function is called. */
export const followLater = (client: QueryClient, session: Session): (() => void) => {
  let isOver = false
  let stop = () => {
    isOver = true
  }
  const callOff = afterFirstPicture(
    () =>
      void loadScreen(() => import('./live.ts')).then(({ followChanges }) => {
        if (!isOver) stop = followChanges(client, session)
      }),
  )
  return () => {
    callOff()
    stop()
  }
}
