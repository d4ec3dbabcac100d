import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { ClockStep, LocalPortal } from '../../../local/plans/contract.ts'
import { ApiError } from '../../../shared/client.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TestCards, TestFrame } from '../../payments/web/TestCards.tsx'
import { actAtPortal, type PortalAction, portalQuery } from './data.ts'
import './localplan.css'

const cards = [
  { number: '4242 4242 4242 4242', label: 'is paid' },
  { number: '4000 0000 0000 0341', label: 'fails at the next payment' },
  { number: '4000 0000 0000 0002', label: 'is declined' },
]

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const day = (instant: string) => formatDay(dayOf(instant, zone), { long: true, year: true })

type Act = (body: PortalAction, said: string) => void
type Part = { page: LocalPortal; act: Act; busy: boolean }

const Plan = ({ page, act, busy }: Part) => {
  const s = page.subscription
  const [priceId, setPriceId] = useState(s?.priceId ?? '')
  if (!s) return <p>There is no subscription. Choose a plan on the pricing page.</p>
  return (
    <>
      <p>
        <b>{s.planName}</b>, <span className="num">{formatCents(s.priceCents)}</span> a {s.period}.{' '}
        {s.cancelAt
          ? `Ends on ${day(s.cancelAt)}.`
          : s.trialEndsAt && s.status === 'trialing'
            ? `Trial until ${day(s.trialEndsAt)}.`
            : s.periodEndsAt
              ? `Renews on ${day(s.periodEndsAt)}.`
              : ''}
        {page.creditCents > 0 ? ` ${formatCents(page.creditCents)} credit for the next invoice.` : ''}
      </p>
      <div className="local-portal__row">
        <SelectField
          label="Plan"
          hideLabel
          value={priceId}
          onChange={(value) => setPriceId(value)}
          options={page.prices.map((p) => ({
            value: p.id,
            label: `${p.planName}, ${formatCents(p.cents)} a ${p.period}`,
          }))}
        />
        <Button
          disabled={busy || priceId === s.priceId}
          onClick={() => act({ action: 'change', priceId }, 'The plan is changed.')}
        >
          Change
        </Button>
        {s.cancelAt ? (
          <Button disabled={busy} onClick={() => act({ action: 'resume' }, 'The plan goes on.')}>
            Resume
          </Button>
        ) : (
          <Button
            kind="danger"
            disabled={busy}
            onClick={() => act({ action: 'cancel' }, 'It ends with the paid period.')}
          >
            Cancel at the end of the period
          </Button>
        )}
      </div>
    </>
  )
}

const Clock = ({ page, act, busy }: Part) => {
  const trial = page.subscription?.status === 'trialing'
  const open = page.invoices.some((one) => one.status === 'open')
  const button = (action: ClockStep, label: string, said: string) => (
    <Button size="s" disabled={busy} onClick={() => act({ action }, said)}>
      {label}
    </Button>
  )
  return (
    <section className="local-portal__clock" aria-label="Test clock">
      <h2>Test clock</h2>
      <p className="hint">What would take weeks happens now. Swath is told by the same webhooks as in earnest.</p>
      <div className="local-portal__row">
        {trial ? button('trialSoon', 'Three days before the trial ends', 'The warning was sent.') : null}
        {trial
          ? button('endTrial', 'End the trial', 'The trial ended.')
          : button('renew', 'Go to the next period', 'A period went by.')}
        {button('failPayment', 'Let the next payment fail', 'The payment failed.')}
        {open ? button('retry', 'Ask the card again', 'The card was asked again.') : null}
        {page.subscription?.status === 'past_due'
          ? button('giveUp', 'Seven days later, still not paid', 'The provider gave up asking; the office reads only.')
          : null}
      </div>
    </section>
  )
}

const Page = ({ page, sessionId }: { page: LocalPortal; sessionId: string }) => {
  const client = useQueryClient()
  const [card, setCard] = useState('4242 4242 4242 4242')
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ label: string; bad: boolean } | null>(null)
  const act: Act = (body, label) => {
    setBusy(true)
    setSaid(null)
    actAtPortal(sessionId, body)
      .then((next) => {
        client.setQueryData(portalQuery(sessionId).queryKey, next)
        setSaid({ label, bad: false })
      })
      .catch((error: unknown) =>
        setSaid({
          label: error instanceof ApiError ? (error.errors[0]?.message ?? error.message) : 'This did not go through.',
          bad: true,
        }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <div className="local-portal">
      <header>
        <h1>Billing of {page.businessName}</h1>
        <a href={page.returnPath}>Back to Swath</a>
      </header>
      {said ? <Banner tone={said.bad ? 'error' : 'done'}>{said.label}</Banner> : null}
      <section aria-label="Plan">
        <h2>Plan</h2>
        <Plan key={page.subscription?.priceId} page={page} act={act} busy={busy} />
      </section>
      {page.subscription ? <Clock page={page} act={act} busy={busy} /> : null}
      <section aria-label="Card">
        <h2>Card</h2>
        <p>
          {page.card ? `${page.card.brand} ending ${page.card.last4}` : 'No card on file'}{' '}
          {page.card?.declines ? <Badge tone="late">says no to the next payment</Badge> : null}
        </p>
        <TestCards value={card} onChange={setCard} cards={cards} />
        <div className="local-portal__row">
          <Button disabled={busy} onClick={() => act({ action: 'card', cardNumber: card }, 'The card is on file.')}>
            Use this card
          </Button>
        </div>
      </section>
      <section aria-label="Invoices">
        <h2>Invoices</h2>
        {page.invoices.length === 0 ? <p className="muted">None yet.</p> : null}
        <ul>
          {page.invoices.map((one) => (
            <li key={one.id}>
              <span>
                {one.description} <span className="muted num">{one.number}</span>
              </span>
              <b className="num">{formatCents(one.totalCents)}</b>
              <Badge tone={one.status === 'paid' ? 'done' : one.status === 'open' ? 'late' : 'neutral'}>
                {one.status}
              </Badge>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** Stands in for the provider's portal: card, plan, invoices, and a clock that no real provider has. */
export const LocalPortalScreen = () => {
  const { sessionId = '' } = useParams()
  const found = useQuery(portalQuery(sessionId))
  return (
    <TestFrame>
      {found.data ? (
        <Page page={found.data} sessionId={sessionId} />
      ) : found.error instanceof ApiError && found.error.status === 404 ? (
        <div className="checkout__end">
          <h1>This page is not open any more</h1>
          <p>Open it again from your profile. Nothing was changed.</p>
          <a className="checkout__pay" href={`${paths.profile}#plan`}>
            To your profile
          </a>
        </div>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </TestFrame>
  )
}
