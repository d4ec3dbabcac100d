import { useState } from 'react'
import { OwnerFrame } from '../../owner/web/OwnerFrame.tsx'
import { OwnerLogin } from '../../owner/web/OwnerLogin.tsx'
import { OwnerSessionContext, useOwnerState } from '../../owner/web/session.ts'
import { ProspectMessages } from './ProspectMessages.tsx'
import './providers.css'

/** The mailboxes and phones of prospects while nothing leaves this computer: everybody here reads, the product owner plays the lead. */
export const LocalProspectsScreen = () => {
  const session = useOwnerState('desk')
  const [isAsking, setAsking] = useState(false)
  if (isAsking && session.token === null)
    return (
      <OwnerLogin
        session={session}
        note="The product owner plays the lead: answers, reports and mail that comes back."
        button="Open the simulator"
        clears
      />
    )
  const signIn = () => setAsking(true)
  return (
    <OwnerSessionContext value={session}>
      <OwnerFrame place="Local prospects" onSignIn={signIn}>
        <main id="screen" className="play" tabIndex={-1}>
          <h1>Prospects' mail and phones</h1>
          <p className="muted">
            What the application, booked calls and the product owner send. You can open its links.
          </p>
          <ProspectMessages onSignIn={signIn} />
        </main>
      </OwnerFrame>
    </OwnerSessionContext>
  )
}
