import { useEffect } from 'react'
import { OwnerFrame } from '../../owner/web/OwnerFrame.tsx'
import { OwnerLogin } from '../../owner/web/OwnerLogin.tsx'
import { OwnerSessionContext, useOwnerState } from '../../owner/web/session.ts'
import { CheckoutLinks } from './CheckoutLinks.tsx'
import { CreateAccount } from './CreateAccount.tsx'
import './desk.css'
import { useOpened } from './registered.ts'

/** The registration portal: opens an account for somebody, and makes the link by which they pay. */
export const OwnerRegisterScreen = () => {
  const session = useOwnerState('portal')
  const [opened, keep] = useOpened()
  const registered = opened?.registered ?? null
  // A session that ends while it is used is no leaving: the work goes on after signing in.
  const isOut = session.token === null && !session.hasEnded
  useEffect(() => {
    if (isOut) keep(null)
  }, [isOut, keep])
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
            <CreateAccount registered={registered} onRegistered={(made) => keep({ registered: made, link: null })} />
            <CheckoutLinks
              key={registered?.userId ?? ''}
              registered={registered}
              made={opened?.link ?? null}
              onMade={(link) => registered && keep({ registered, link })}
            />
          </div>
        </main>
      </OwnerFrame>
    </OwnerSessionContext>
  )
}
