import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconArrowLeft, IconCircleCheck } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useMaybeUser, useSession } from '../../accounts/web/session.ts'
import { planLabel } from '../rules.ts'
import { confirmationQuery, reportConversion } from './data.ts'
import './success.css'

const Frame = ({ children }: { children: ReactNode }) => (
  <div className="success">
    <nav aria-label="Main">
      <LinkTo href={paths.home}>
        <IconArrowLeft size={17} aria-hidden="true" /> Back to Home
      </LinkTo>
    </nav>
    <main id="screen" className="success__sheet">
      {children}
    </main>
  </div>
)

/** Back from the checkout. The provider is asked; that somebody opened this address gives nothing. */
export const PaymentSuccessScreen = () => {
  const [params] = useSearchParams()
  const sessionId = params.get('session_id') ?? ''
  const found = useQuery(confirmationQuery(sessionId))
  const session = useSession()
  const user = useMaybeUser()
  const done = found.data?.state === 'confirmed'
  const told = useRef(false)
  const userId = user?._id
  useEffect(() => {
    if (!done || !userId || told.current) return
    told.current = true
    void session.refreshUser()
    void reportConversion().catch(() => undefined)
  }, [done, userId, session])

  const missing = sessionId === '' || (found.error instanceof ApiError && found.error.status === 404)
  if (missing)
    return (
      <Frame>
        <h1>There is no payment to confirm here</h1>
        <p>If you just paid, open the link in the receipt that we mailed, or look at your plan.</p>
        <div className="success__next">
          <Button kind="primary" href={user ? `${paths.profile}#plan` : paths.signin}>
            {user ? 'Your plan' : 'Sign in'}
          </Button>
          <Button href={paths.pricing}>Pricing</Button>
        </div>
      </Frame>
    )
  const answer = found.data
  if (found.isError && !answer)
    return (
      <Frame>
        <h1>We cannot confirm the payment yet</h1>
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      </Frame>
    )
  if (!answer || answer.state === 'waiting')
    return (
      <Frame>
        <Spinner size={34} />
        <h1>Confirming…</h1>
        <p role="status">We are asking the payment provider. This takes a moment; you can stay here.</p>
      </Frame>
    )
  if (answer.state !== 'confirmed')
    return (
      <Frame>
        <h1>{answer.state === 'open' ? 'This payment is not finished' : 'This payment page has expired'}</h1>
        <p>Nothing was charged. Choose a plan again when you are ready.</p>
        <div className="success__next">
          <Button kind="primary" href={paths.pricing}>
            Back to the plans
          </Button>
        </div>
      </Frame>
    )
  const zone = user?.business.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const day = (instant: string | null) => (instant ? formatDay(dayOf(instant, zone), { long: true, year: true }) : '')
  return (
    <Frame>
      <IconCircleCheck size={48} stroke={1.5} aria-hidden="true" />
      <h1>{answer.trialEndsAt ? 'Your trial has begun' : 'Thank you, your plan is active'}</h1>
      <p>
        <b>{planLabel(answer.plan, answer.period)}</b>.{' '}
        {answer.trialEndsAt
          ? `Nothing was charged. The trial ends on ${day(answer.trialEndsAt)}; we mail you three days before.`
          : `It renews on ${day(answer.renewsAt)}. The receipt is in your mail.`}
      </p>
      {answer.livemode ? null : <Badge tone="flag">TEST – no money moved</Badge>}
      <div className="success__next">
        {user ? (
          <>
            <Button kind="primary" href={paths.dashboard}>
              Open the dashboard
            </Button>
            <Button href={`${paths.profile}#plan`}>Your plan</Button>
          </>
        ) : (
          <Button kind="primary" href={paths.signin}>
            Sign in
          </Button>
        )}
      </div>
    </Frame>
  )
}
