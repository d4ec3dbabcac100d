import { useState } from 'react'
import { OwnerFrame } from '../../owner/web/OwnerFrame.tsx'
import { OwnerLogin } from '../../owner/web/OwnerLogin.tsx'
import { OwnerSessionContext, useOwnerState } from '../../owner/web/session.ts'
import { CheckoutLinks } from './CheckoutLinks.tsx'
import { CreateAccount } from './CreateAccount.tsx'
import './desk.css'
import type { Registered } from './registered.ts'

/** The registration portal: opens an account for somebody, and makes the link by which they pay. */
export const OwnerRegisterScreen = () => {
  const session = useOwnerState('portal')
  const [registered, setRegistered] = useState<Registered | null>(null)
  if (session.token === null)
    return (
      <OwnerLogin
        session={session}
        note="The registration portal is restricted to the business owner."
        button="Access Registration Portal"
        clears={false}
      />
    )
  return (
    <OwnerSessionContext value={session}>
      <OwnerFrame place="Registration Portal">
        <main id="screen" className="desk" tabIndex={-1}>
          <h1>Registration portal</h1>
          <div className="desk-portal">
            <CreateAccount registered={registered} onRegistered={setRegistered} />
            <CheckoutLinks key={registered?.userId ?? ''} registered={registered} />
          </div>
        </main>
      </OwnerFrame>
    </OwnerSessionContext>
  )
}
