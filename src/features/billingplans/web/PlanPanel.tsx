import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { IconArrowBackUp, IconPencil } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { billingPlansApi, type Plan } from '../contract.ts'
import { kindLabel, monthLabel, standingLabel } from '../rules.ts'
import { planQuery, usePlanVerb } from './data.ts'

const ChangePlan = lazyPart(() => import('./ChangePlan.tsx').then((m) => m.ChangePlan))
const SettlePlan = lazyPart(() => import('./SettlePlan.tsx').then((m) => m.SettlePlan))

export const PlanBadge = ({ plan }: { plan: Pick<Plan, 'status' | 'isOver' | 'heldSince' | 'isChanged'> }) =>
  plan.status === 'settled' ? (
    <Badge tone="done">Settled</Badge>
  ) : plan.status === 'discarded' ? (
    <Badge>Taken back</Badge>
  ) : plan.heldSince ? (
    <Badge tone="late">Held</Badge>
  ) : plan.isOver ? (
    <Badge tone="wait">To settle</Badge>
  ) : plan.isChanged ? (
    <Badge tone="flag">Work changed</Badge>
  ) : (
    <Badge>Running</Badge>
  )

const Facts = ({ plan }: { plan: Plan }) => (
  <dl className="plan-facts">
    <div>
      <dt>Delivered</dt>
      <dd className="num">{formatCents(plan.deliveredCents)}</dd>
    </div>
    <div>
      <dt>{plan.settled?.creditNote ? 'Billed less credited' : 'Billed'}</dt>
      <dd className="num">{formatCents(plan.billedCents)}</dd>
    </div>
    <div>
      <dt>Paid, with tax</dt>
      <dd className="num">{formatCents(plan.paidCents)}</dd>
    </div>
    <div>
      <dt>{plan.differenceCents === 0 ? 'Difference' : plan.differenceCents > 0 ? 'Delivered more' : 'Billed more'}</dt>
      <dd className="num">{formatCents(Math.abs(plan.differenceCents))}</dd>
    </div>
  </dl>
)

const monthState: Record<Plan['months'][number]['state'], string> = {
  planned: 'To come',
  billed: '',
  voided: 'Voided',
  stopped: 'Not billed any more',
}

const invoiceState = (invoice: NonNullable<Plan['months'][number]['invoice']>): string => {
  const { status, totalCents, paidCents, creditedCents } = invoice
  if (status === 'written_off') return 'Written off'
  const [paid, credited, open] = [paidCents - creditedCents, creditedCents, totalCents - paidCents]
  if (open === 0 && (paid === 0 || credited === 0)) return credited > 0 ? 'Credited' : 'Paid'
  return [
    paid > 0 && credited > 0 ? `${formatCents(paid)} paid` : '',
    credited > 0 ? `${formatCents(credited)} credited` : '',
    open > 0 && paidCents > 0 ? `${formatCents(open)} open` : '',
    paidCents === 0 ? 'Open' : '',
  ]
    .filter(Boolean)
    .join(', ')
}

const Months = ({ plan }: { plan: Plan }) => (
  <section>
    <h3>{plan.kind === 'prepaid' ? 'Invoice' : 'Months'}</h3>
    <ul className="panel-rows">
      {plan.months.map(({ month, billOn, cents, state, invoice }) => (
        <li key={month}>
          <span className="panel-rows__main">
            {invoice ? (
              <LinkTo href={linkTo.invoice(invoice.id)}>INV-{invoice.number}</LinkTo>
            ) : (
              <b>{monthLabel(month)}</b>
            )}
            <span className="muted">
              {[
                invoice ? monthLabel(month) : formatDay(billOn, { year: true }),
                invoice && state === 'billed' ? invoiceState(invoice) : monthState[state],
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          <span className="panel-rows__side num">{formatCents(invoice ? invoice.totalCents : cents)}</span>
        </li>
      ))}
    </ul>
    <p className="hint">Invoices are with tax, months to come before tax.</p>
  </section>
)

const Ledger = ({ plan }: { plan: Plan }) => (
  <section>
    <h3>Delivered against billed</h3>
    {plan.entries.length === 0 ? (
      <p className="muted">Nothing was done, billed or paid yet.</p>
    ) : (
      <ul className="panel-rows">
        {[...plan.entries].reverse().map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries only come on top of each other
          <li key={`${entry.onDay} ${entry.label} ${at}`}>
            <span className="panel-rows__main">
              {entry.invoiceId ? (
                <LinkTo href={linkTo.invoice(entry.invoiceId)}>{entry.label}</LinkTo>
              ) : (
                <b>{entry.label}</b>
              )}
              <span className="muted">{formatDay(entry.onDay, { year: true })}</span>
            </span>
            <span className="panel-rows__side plan-entry num">
              {formatCents(entry.cents)}
              {entry.differenceCents === null ? null : (
                <span className="hint">{standingLabel(entry.differenceCents)}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
)

const Work = ({ plan }: { plan: Plan }) => (
  <section>
    <h3>Work it covers</h3>
    <ul className="panel-rows">
      {plan.lines.map(({ lineId, jobId, jobNumber, service, place, visits, cents }) => (
        <li key={lineId}>
          <span className="panel-rows__main">
            <LinkTo href={linkTo.job(jobId)}>{service}</LinkTo>
            <span className="muted">
              {place} · #{jobNumber} · {visits === 1 ? '1 visit' : `${visits} visits`}
            </span>
          </span>
          <span className="panel-rows__side num">{formatCents(cents)}</span>
        </li>
      ))}
    </ul>
    <p className="hint">
      Agreed: {formatCents(plan.seasonCents)} before tax{plan.reason ? `. ${plan.reason}` : ''}
      {plan.carryCents !== 0 && plan.carriedFrom
        ? `. ${formatCents(plan.carryCents)} carried over from ${plan.carriedFrom.name}`
        : ''}
    </p>
  </section>
)

const Changes = ({ plan }: { plan: Plan }) =>
  plan.changes.length === 0 ? null : (
    <section>
      <h3>Changes</h3>
      <ul className="panel-rows">
        {plan.changes.map(({ id, onDay, beforeCents, afterCents, reason, told, undoneOn, by }) => (
          <li key={id}>
            <span className="panel-rows__main">
              <b>{reason}</b>
              <span className="muted">
                {[
                  formatDay(onDay, { year: true }),
                  by,
                  told ? 'customer told' : 'customer not told',
                  undoneOn ? `taken back ${formatDay(undoneOn)}` : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="panel-rows__side num">
              {formatCents(beforeCents)} → {formatCents(afterCents)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )

const settledMessage: Record<NonNullable<Plan['settled']>['choice'], string> = {
  bill: 'billed on a last invoice',
  credit: 'credited',
  refund: 'given back',
  carry: 'carried over to the next plan',
  waive: 'let go',
  none: 'nothing was left',
}

const Settled = ({ plan, onBack }: { plan: Plan; onBack: () => void }) => {
  const { settled } = plan
  if (!settled) return null
  const sum = settled.totalCents === 0 ? '' : `${formatCents(Math.abs(settled.totalCents))} `
  return (
    <Banner
      tone={settled.voided ? 'warn' : 'done'}
      title={
        settled.voided
          ? `The last invoice over ${formatCents(Math.abs(settled.totalCents))} was voided`
          : `Settled on ${formatDay(settled.onDay, { year: true })}: ${sum}${settledMessage[settled.choice]}`
      }
      action={
        plan.can.undoSettlement ? (
          <Button calls={billingPlansApi.undoSettlement} size="s" icon={<IconArrowBackUp />} onClick={onBack}>
            {settled.voided ? 'Take the settlement back' : 'Undo'}
          </Button>
        ) : undefined
      }
    >
      {settled.invoice ? (
        <LinkTo href={linkTo.invoice(settled.invoice.id)}>INV-{settled.invoice.number}</LinkTo>
      ) : (
        settled.creditNote
      )}
      {settled.voided ? ' billed what was left. Settle the plan again, or take the settlement back.' : ''}
      {settled.refundedCents > 0 ? ` ${formatCents(settled.refundedCents)} as money.` : ''}
      {[settled.reason, settled.by ? `By ${settled.by}` : ''].filter(Boolean).map((text) => ` ${text}.`)}
    </Banner>
  )
}

const Record = ({
  plan,
  onChange,
  run,
}: {
  plan: Plan
  onChange: () => void
  run: (verb: 'undoSettlement') => void
}) => (
  <div className="plan-panel">
    <Settled plan={plan} onBack={() => run('undoSettlement')} />
    {plan.heldSince ? (
      <Banner tone="warn" title={`${formatDay(plan.heldSince, { year: true })} could not be billed`}>
        {plan.heldWhy} It is tried again every hour.
      </Banner>
    ) : null}
    {plan.expected?.isChanged ? (
      <Banner
        tone="warn"
        title={`The work now comes to ${formatCents(plan.expected.seasonCents)}, agreed was ${formatCents(plan.seasonCents)}`}
        action={
          plan.can.change ? (
            <Button calls={billingPlansApi.change} size="s" onClick={onChange}>
              Change the months left
            </Button>
          ) : undefined
        }
      >
        A price, a job or visits were changed. Leave it, and the difference is settled at the end.
      </Banner>
    ) : null}
    <Facts plan={plan} />
    <Months plan={plan} />
    <Work plan={plan} />
    <Changes plan={plan} />
    <Ledger plan={plan} />
  </div>
)

type Props = {
  id: string
  onClose: () => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** One billing plan beside its list. */
export const PlanPanel = ({ id, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery(planQuery(id))
  const verb = usePlanVerb(id)
  const [asks, setAsks] = useState<'change' | 'settle' | 'discard' | null>(null)
  useAhead(ChangePlan, SettlePlan)
  const plan = found.data
  const back = (what: Parameters<typeof verb.mutateAsync>[0], message: string) =>
    void verb.mutateAsync(what).then(() => toast.success(message), toast.error)
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width={540}
      title={plan?.name ?? (found.isError ? 'Billing plan' : 'Loading…')}
      sub={
        plan ? (
          <>
            <LinkTo href={linkTo.customer(plan.customer.id, { part: 'invoices' })}>{plan.customer.name}</LinkTo> ·{' '}
            {kindLabel[plan.kind]} · {formatDay(plan.startsOn, { year: true })} to{' '}
            {formatDay(plan.endsOn, { year: true })}
          </>
        ) : undefined
      }
      badge={plan ? <PlanBadge plan={plan} /> : undefined}
      actions={
        plan ? (
          <>
            {plan.can.settle && (plan.isOver || plan.settled) ? (
              <Button calls={billingPlansApi.settle} kind="primary" onClick={() => setAsks('settle')}>
                {plan.settled ? 'Settle again' : 'Settle'}
              </Button>
            ) : null}
            {plan.can.change ? (
              <Button
                calls={billingPlansApi.change}
                kind={plan.isOver ? 'secondary' : 'primary'}
                icon={<IconPencil />}
                onClick={() => setAsks('change')}
              >
                Change
              </Button>
            ) : null}
            {plan.can.undoChange ? (
              <Button
                calls={billingPlansApi.undoChange}
                icon={<IconArrowBackUp />}
                loading={verb.isPending}
                onClick={() => back({ undoChange: plan.version }, 'The change is taken back')}
              >
                Undo the change
              </Button>
            ) : null}
            {plan.can.settle && !plan.isOver && !plan.settled ? (
              <Button calls={billingPlansApi.settle} onClick={() => setAsks('settle')}>
                Cancel and settle
              </Button>
            ) : null}
            {plan.can.discard ? (
              <Button calls={billingPlansApi.discard} onClick={() => setAsks('discard')}>
                Take the plan back
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    >
      {plan ? (
        <>
          <Record plan={plan} onChange={() => setAsks('change')} run={(what) => back(what, `${plan.name} goes on`)} />
          <ChangePlan plan={plan} open={asks === 'change'} onClose={() => setAsks(null)} />
          <SettlePlan plan={plan} open={asks === 'settle'} onClose={() => setAsks(null)} />
          <ConfirmDialog
            open={asks === 'discard'}
            onClose={() => setAsks(null)}
            title={`Take ${plan.name} back?`}
            confirmLabel="Take it back"
            danger
            onConfirm={() => verb.mutateAsync('discard')}
          >
            Nothing of it was billed yet. Its visits, also those that are done, are billed one by one as before.{' '}
            {plan.customer.name} does not hear of this.
          </ConfirmDialog>
        </>
      ) : found.isError ? (
        <RecordFailed
          what="billing plan"
          error={found.error}
          onClose={onClose}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </RecordPanel>
  )
}
