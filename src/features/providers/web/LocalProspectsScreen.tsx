import { OwnerFrame } from '../../owner/web/OwnerFrame.tsx'
import { OwnerLogin } from '../../owner/web/OwnerLogin.tsx'
import { OwnerSessionContext, useOwnerState } from '../../owner/web/session.ts'
import { ProspectMessages } from './ProspectMessages.tsx'
import './providers.css'

/** The mailboxes and phones of prospects while nothing leaves this computer: read what came, click, answer, let it come back. */
export const LocalProspectsScreen = () => {
  const session = useOwnerState('desk')
  if (session.token === null)
    return (
      <OwnerLogin
        session={session}
        note="These messages belong to the product owner. They never leave this computer."
        button="Open the simulator"
        clears
      />
    )
  return (
    <OwnerSessionContext value={session}>
      <OwnerFrame place="Local prospects">
        <main id="screen" className="play" tabIndex={-1}>
          <h1>Prospects' mail and phones</h1>
          <p className="muted">You play the lead: read what came, follow a link, answer, or let it come back.</p>
          <ProspectMessages />
        </main>
      </OwnerFrame>
    </OwnerSessionContext>
  )
}
