import { counted } from '../../../shared/counted.ts'
import { daysToPayLabel, daysToPayWindow } from '../../../shared/days-to-pay.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents, formatPercent } from '../../../shared/money.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import type { Overview } from '../contract.ts'
import { beforeLabel, changePercent, changeText, pointsText, uncaptured } from '../rules.ts'
import type { Show } from './data.ts'

type Compared = { now: number | null; before: number | null; lastYear: number | null }
const count = (value: number): string => value.toLocaleString('en-US')
const orDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

const changeOf = ({ now, before }: { now: number | null; before: number | null }): number | null =>
  now === null || before === null ? null : changePercent(now, before)

/** "+12.4% on the 30 days before · n/a on last year". */
export const noteOf = (of: Compared, found: Pick<Overview, 'period'>): string =>
  `${changeText(changeOf(of))} on ${beforeLabel(found.period)}${
    found.period === 'year' ? '' : ` · ${changeText(changeOf({ now: of.now, before: of.lastYear }))} on last year`
  }`

const toneOf = (of: Compared, better: 'more' | 'less' = 'more'): 'good' | 'bad' | 'plain' => {
  const change = changeOf(of)
  if (change === null || change === 0) return 'plain'
  return change > 0 === (better === 'more') ? 'good' : 'bad'
}

type Props = { found: Overview; list: (show: Show) => string }

/** The numbers that an owner asks for first; each leads to the list that it is made of. */
export const Headlines = ({ found, list }: Props) => (
  <StatRow>
    <Stat
      label="Completed work"
      value={formatCents(found.worthCents.now)}
      note={noteOf(found.worthCents, found)}
      tone={toneOf(found.worthCents)}
      href={list('completed')}
    />
    <Stat
      label="Paid of it"
      value={formatPercent(found.captureRate.now)}
      note={`${formatCents(found.capturedCents.now)} paid · ${formatCents(uncaptured(found))} not yet`}
      href={list('unpaid')}
    />
    <Stat
      label="Money received"
      value={formatCents(found.receivedCents.now)}
      note={noteOf(found.receivedCents, found)}
      tone={toneOf(found.receivedCents)}
      href={linkTo.ledger({ view: 'received', ...found.current })}
    />
    <Stat
      label="Per labor hour"
      value={orDash(found.perLaborHourCents.now, formatCents)}
      note={`${changeText(changeOf(found.perLaborHourCents))} · target ${formatCents(found.targetLaborHourCents)}, drive included`}
      tone={
        found.perLaborHourCents.now === null
          ? 'plain'
          : found.perLaborHourCents.now >= found.targetLaborHourCents
            ? 'good'
            : 'bad'
      }
      href={hubPath('employees', 'timesheets')}
    />
  </StatRow>
)

/** How the work went. */
export const WorkTiles = ({ found, list }: Props) => (
  <StatRow>
    <Stat
      label="Completed visits"
      value={count(found.completions.now)}
      note={noteOf(found.completions, found)}
      tone={toneOf(found.completions)}
      href={list('completed')}
    />
    <Stat
      label="Stops per route"
      value={found.jobsPerRoute.toFixed(1)}
      note="on routes before today"
      href={linkTo.routeDay(found.current.to)}
    />
    <Stat
      label="Drive share"
      value={orDash(found.drivePercent.now, (percent) => formatPercent(percent))}
      note={`of labor time; ${pointsText(found.drivePercent)}`}
      tone={toneOf(found.drivePercent, 'less')}
      href={linkTo.routeDay(found.current.to)}
    />
    <Stat
      label="Stops per mile"
      value={orDash(found.stopsPerMile.now, (stops) => stops.toFixed(1))}
      note={`as planned; ${changeText(changeOf(found.stopsPerMile))}`}
      tone={toneOf(found.stopsPerMile)}
      href={linkTo.routeDay(found.current.to)}
    />
    <Stat
      label="Skipped"
      value={orDash(found.skipPercent.now, (percent) => formatPercent(percent))}
      note={`of stops; ${pointsText(found.skipPercent)}`}
      tone={toneOf(found.skipPercent, 'less')}
      href={list('skipped')}
    />
  </StatRow>
)

/** Money that is owed, came late or came ahead. */
export const MoneyFigures = ({ found, list }: Props) => (
  <StatRow>
    <Stat
      label="Jobs awaiting payment"
      value={count(found.jobs.waiting)}
      note={`of ${counted(found.jobs.worked, 'job')} with completed work`}
      href={list('unpaid')}
    />
    <Stat
      label="Invoices paid"
      value={formatPercent(found.invoices.paymentRate)}
      note={`${count(found.invoices.paid)} of ${count(found.invoices.total)} issued · ${formatCents(found.invoices.averageCents)} on average`}
      href={linkTo.ledger({ view: 'invoiced', ...found.current })}
    />
    <Stat
      label="Overdue"
      value={counted(found.invoices.overdue, 'invoice')}
      note="of those issued in this period"
      tone={found.invoices.overdue > 0 ? 'bad' : 'plain'}
      href={linkTo.invoices({ view: 'overdue' })}
    />
    <Stat
      label="Days to pay"
      value={found.daysToPay === null ? '–' : daysToPayLabel(found.daysToPay)}
      note={`on invoices paid in ${daysToPayWindow} days`}
      href={linkTo.invoices({ view: 'paid_lately' })}
    />
    <Stat
      label="Paid ahead"
      value={formatCents(found.prepaidCents)}
      note="on billing plans and as credit, for work to come"
      href={linkTo.billingPlans()}
    />
  </StatRow>
)

/** Who buys. */
export const CustomerTiles = ({ found }: { found: Overview }) => (
  <StatRow>
    <Stat
      label="Active customers"
      value={count(found.customers.active)}
      note={`of ${count(found.customers.total)} · ${count(found.customers.smsConsent)} reached by text`}
      href={linkTo.customers({ stage: 'active' })}
    />
    <Stat
      label="New customers"
      value={count(found.newCustomers.now)}
      note={noteOf(found.newCustomers, found)}
      tone={toneOf(found.newCustomers)}
      href={linkTo.customers()}
    />
    {found.churn ? (
      <Stat
        label="Without work now"
        value={formatPercent(found.churn.percent)}
        note={`${count(found.churn.left)} of ${counted(found.churn.before, 'customer')} with work in ${beforeLabel(found.period)}`}
        href={linkTo.customers()}
      />
    ) : null}
    <Stat
      label="Paid per customer, ever"
      value={formatCents(found.customers.averageLifetimeCents)}
      note="on average, leads left out"
      href={linkTo.customers()}
    />
    <Stat
      label="Quotes approved"
      value={formatPercent(found.quotes.conversionRate)}
      note={`${count(found.quotes.won)} of ${count(found.quotes.sent)} sent · ${formatCents(found.quotes.averageCents)} on average`}
      href={hubPath('quotes', 'analytics')}
    />
  </StatRow>
)
