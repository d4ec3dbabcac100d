import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useSession, useUser } from '../../accounts/web/session.ts'
import { findPlan, type PlanId } from '../../billing/rules.ts'
import type { Subscription } from '../contract.ts'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { goToPortal, saveInvoice, subscriptionQuery, useCancelPlan, useKeepSubscription } from './data.ts'
import { type Meter, PlanMeters } from './PlanMeters.tsx'
import './plan.css'

const states: Record<string, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'done' },
  trialing: { label: 'Trial', tone: 'wait' },
  past_due: { label: 'Payment is due', tone: 'late' },
  unpaid: { label: 'Not paid', tone: 'late' },
  incomplete: { label: 'Payment not finished', tone: 'late' },
  paused: { label: 'Paused', tone: 'wait' },
  canceled: { label: 'Ended', tone: 'neutral' },
  none: { label: 'No subscription', tone: 'neutral' },
}

const invoiceStates: Record<string, { label: string; tone: Tone }> = {
  paid: { label: 'Paid', tone: 'done' },
  open: { label: 'Not paid', tone: 'late' },
  void: { label: 'Void', tone: 'neutral' },
  uncollectible: { label: 'Given up', tone: 'neutral' },
}

/** What the plan costs and what comes next, in a sentence or two. */
const Story = ({ s, day }: { s: Subscription; day: (instant: string) => string }) => {
  const price = s.priceCents === null ? null : `${formatCents(s.priceCents)} a ${s.period}`
  const card = s.card ? `${s.card.brand[0]?.toUpperCase()}${s.card.brand.slice(1)} ending ${s.card.last4}` : null
  if (s.endsAt && s.active)
    return (
      <p>
        Canceled: everything stays on until <b>{day(s.endsAt)}</b>. Nothing more is charged.
      </p>
    )
  if (s.trialEndsAt)
    return (
      <p>
        Free until <b>{day(s.trialEndsAt)}</b>, then {price}
        {card ? `, charged to ${card}` : ''}.
      </p>
    )
  if (!s.plan && s.status === 'canceled')
    return <p>Your plan ended{s.endsAt ? ` on ${day(s.endsAt)}` : ''}. You can read and export everything.</p>
  if (!s.plan)
    return (
      <p>
        {s.trialAvailable
          ? 'Basic starts with 14 days free. Pro and Enterprise are billed from the first day.'
          : 'Choose a plan to book and invoice. You can read and export everything meanwhile.'}
      </p>
    )
  return price ? (
    <p>
      {price}.{s.renewsAt ? ` Renews on ${day(s.renewsAt)}` : ''}
      {s.renewsAt && card ? `, charged to ${card}` : ''}
      {s.renewsAt ? '.' : ''}
      {s.couponCode ? ` Begun with code ${s.couponCode}.` : ''}
    </p>
  ) : null
}

const Overdue = ({ s, day, toCard }: { s: Subscription; day: (instant: string) => string; toCard: () => void }) => {
  if (s.status !== 'past_due' && s.status !== 'unpaid') return null
  return (
    <Banner
      tone={s.active ? 'warn' : 'error'}
      title={`${formatCents(s.openCents)} did not go through.`}
      action={
        <Button size="s" onClick={toCard}>
          Update card
        </Button>
      }
    >
      {s.active && s.graceEndsAt
        ? `Everything stays on until ${day(s.graceEndsAt)}. We ask the card again after 3, 5 and 7 days.`
        : 'The office reads only until it is paid. Your crews finish their work, and nothing is lost.'}
    </Banner>
  )
}

const Invoices = ({ s, day }: { s: Subscription; day: (instant: string) => string }) => {
  const [all, setAll] = useState(false)
  if (s.invoices.length === 0) return null
  const shown = all ? s.invoices : s.invoices.slice(0, 6)
  return (
    <div className="plan-invoices">
      <h3>Our invoices to you</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">For</th>
            <th scope="col">Amount</th>
            <th scope="col">
              <span className="ui-hidden">State and file</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => {
            const state = invoiceStates[one.status] ?? { label: one.status, tone: 'neutral' as const }
            return (
              <tr key={one.id}>
                <td>{day(one.issuedAt)}</td>
                <td>
                  {one.description} <span className="muted num">{one.number}</span>
                </td>
                <td className="num">{formatCents(one.totalCents)}</td>
                <td>
                  <Badge tone={state.tone}>{state.label}</Badge>
                  <Button
                    size="s"
                    kind="quiet"
                    aria-label={`PDF of invoice ${one.number}`}
                    onClick={() => void saveInvoice(one).catch(toast.error)}
                  >
                    PDF
                  </Button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {s.invoices.length > shown.length ? (
        <Button size="s" kind="quiet" onClick={() => setAll(true)}>
          Show all {s.invoices.length}
        </Button>
      ) : null}
    </div>
  )
}

const Actions = ({
  s,
  onChange,
  onCancel,
  toPortal,
}: {
  s: Subscription
  onChange: () => void
  onCancel: () => void
  toPortal: () => void
}) => {
  const keep = useKeepSubscription()
  if (!s.plan || s.priceCents === null)
    return s.provider === null && s.plan ? null : (
      <div className="plan-actions">
        <Button kind="primary" href={paths.pricing}>
          Choose a plan
        </Button>
      </div>
    )
  return (
    <div className="plan-actions">
      {s.endsAt ? (
        <Button
          kind="primary"
          loading={keep.isPending}
          onClick={() =>
            keep.mutate(undefined, {
              onSuccess: () => toast.success('Your plan goes on'),
              onError: (e) => toast.error(e),
            })
          }
        >
          Keep the plan
        </Button>
      ) : (
        <Button kind="primary" onClick={onChange}>
          Change plan
        </Button>
      )}
      <Button onClick={toPortal}>Card and billing</Button>
      {s.endsAt ? null : (
        <Button kind="quiet" onClick={onCancel}>
          Cancel the plan
        </Button>
      )}
    </div>
  )
}

/** The plan of the business: what it costs, how much of it is used, and everything that can be done about it. */
export const PlanSection = ({ meters }: { meters: readonly Meter[] }) => {
  const user = useUser()
  const session = useSession()
  const found = useQuery(subscriptionQuery)
  const [params, setParams] = useSearchParams()
  const [changing, setChanging] = useState(false)
  const [canceling, setCanceling] = useState(false)
  const cancel = useCancelPlan()
  const s = found.data
  const isOwner = user.role === 'Owner'
  const requestedPlan = findPlan(params.get('plan'))?.id as PlanId | undefined
  const requested = requestedPlan
    ? { plan: requestedPlan, period: params.get('period') === 'year' ? ('year' as const) : ('month' as const) }
    : null
  const canChange = s?.priceCents !== null && s?.plan !== null
  const day = (instant: string) => formatDay(dayOf(instant, user.business.timeZone), { long: true, year: true })
  const close = () => {
    setChanging(false)
    if (requested)
      setParams(
        (now) => {
          now.delete('plan')
          now.delete('period')
          return now
        },
        { replace: true },
      )
    void session.refreshUser()
  }
  const toPortal = () => void goToPortal().catch((error) => toast.error(error))
  if (!s)
    return (
      <Card id="plan" flush className="settings-card">
        {found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} compact />
        ) : (
          <PanelSkeleton />
        )}
      </Card>
    )
  const state = states[s.status] ?? { label: s.status, tone: 'neutral' as const }
  const plan = findPlan(s.plan)
  const ends = s.trialEndsAt ?? s.renewsAt
  return (
    <Card id="plan" flush className="settings-card">
      <div className="settings-card__words">
        <h2>
          {plan ? `${plan.name} plan` : 'No plan'} <Badge tone={state.tone}>{state.label}</Badge>
          {s.provider !== null && !s.livemode && s.priceCents !== null ? (
            <Badge tone="flag">TEST – no money moves</Badge>
          ) : null}
        </h2>
        <Story s={s} day={day} />
      </div>
      <Overdue s={s} day={day} toCard={toPortal} />
      <PlanMeters plan={s.plan} meters={meters} />
      {isOwner ? (
        <Actions s={s} onChange={() => setChanging(true)} onCancel={() => setCanceling(true)} toPortal={toPortal} />
      ) : (
        <p className="hint">The owner of the business chooses the plan and pays for it.</p>
      )}
      <Invoices s={s} day={day} />
      {isOwner && canChange && (changing || requested) ? (
        <ChangePlanDialog subscription={s} requested={requested} open onClose={close} />
      ) : null}
      <ConfirmDialog
        open={canceling}
        onClose={() => setCanceling(false)}
        title="Cancel the plan?"
        confirmLabel="Cancel the plan"
        danger
        onConfirm={async () => {
          await cancel.mutateAsync(undefined)
          await session.refreshUser()
        }}
      >
        {`Everything stays on until ${ends ? day(ends) : 'the end of what you paid for'}; nothing more is charged. `}
        After that the office can read and export everything, your crews finish their work, and customers can still pay
        you. You can take it back until then.
      </ConfirmDialog>
    </Card>
  )
}
