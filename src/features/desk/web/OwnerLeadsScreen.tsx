import { OwnerLogin } from '../../owner/web/OwnerLogin.tsx'
import { OwnerSessionContext, useOwnerState } from '../../owner/web/session.ts'
import { Desk } from './Desk.tsx'

/** The product owner's desk: leads, conversations, what became of what was sent. */
export const OwnerLeadsScreen = () => {
  const session = useOwnerState('desk')
  if (session.token === null)
    return (
      <OwnerLogin
        session={session}
        note="This page is restricted to the business owner."
        button="Access Leads Dashboard"
        clears
      />
    )
  return (
    <OwnerSessionContext value={session}>
      <Desk />
    </OwnerSessionContext>
  )
}
