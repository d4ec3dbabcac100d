import { Navigate } from 'react-router'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useSession, useSessionState, useSupport } from '../../accounts/web/session.ts'
import './support.css'

/** Where the desk's link lands: the code in it was taken by the session, which leads into the office or says why not. */
export const SupportAccessScreen = () => {
  const session = useSession()
  const state = useSessionState()
  const support = useSupport()
  if (support) return <Navigate replace to={paths.dashboard} />
  const lost = state.phase === 'unreachable'
  return (
    <main id="screen" className="support-wait" tabIndex={-1}>
      <h1>Support view</h1>
      {lost ? (
        <>
          <p>We cannot reach Swath. Nothing was opened yet; check your connection and try again.</p>
          <Button kind="primary" onClick={() => void session.start()}>
            Try again
          </Button>
        </>
      ) : (
        <p role="status">
          <Spinner /> Opening the business…
        </p>
      )}
    </main>
  )
}
