import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Bars } from '../../../../ui/Bars.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { Stat } from '../../../../ui/Stat.tsx'
import { StatRow } from '../../../../ui/StatRow.tsx'
import { useTextDraft } from '../../../../ui/textDraft.ts'
import { useNarrow } from '../../../../ui/useNarrow.ts'
import { useParams } from '../../../../ui/useParams.ts'
import { useUser } from '../../../accounts/web/session.ts'
import { shortDay } from '../../rules.ts'
import '../../web/analytics.css'
import type { CashFlow } from '../contract.ts'
import {
  balances,
  bankOf,
  cashWeeks,
  doubtfulDays,
  keptBank,
  type ListedKind,
  lateDays,
  listedKinds,
  netCents,
  neverClosedDays,
  outlookOf,
  together,
  totalsOf,
} from '../rules.ts'
import { CashPanel, kindNames } from './CashPanel.tsx'
import { cashFlowQuery } from './data.ts'

const signed = (cents: number): string => (cents > 0 ? `+${formatCents(cents)}` : formatCents(cents))
const days = (n: number): string => `${n} day${n === 1 ? '' : 's'}`

const Totals = ({ found, startCents }: { found: CashFlow; startCents: number | null }) => {
  const { inCents: income, outCents: costs } = totalsOf(found.weeks)
  const least = Math.min(...balances(startCents ?? 0, found.weeks))
  return (
    <StatRow>
      <Stat label="Comes in" value={formatCents(income)} note={`In ${cashWeeks} weeks, before sales tax`} />
      <Stat label="Goes out" value={formatCents(costs)} note="Labor, recurring and other costs" />
      <Stat
        label="Difference"
        value={signed(income - costs)}
        note={
          startCents === null ? 'Before what is in the bank' : `${formatCents(startCents + income - costs)} at the end`
        }
        tone={income < costs ? 'bad' : 'plain'}
      />
      {startCents === null ? null : (
        <Stat
          label="The least"
          value={formatCents(least)}
          note="At the end of a week"
          tone={least < 0 ? 'bad' : 'plain'}
        />
      )}
    </StatRow>
  )
}

const drafts = linkTo.invoices({ view: 'drafts' })

/** Where the figures come from, each with its own numbers: nobody has to believe them. */
const Grounds = ({ found: { known, leftOut } }: { found: CashFlow }) => {
  const pays =
    known.daysToPay === null
      ? 'on its due day, because nothing was paid in the last 90 days'
      : `${days(known.daysToPay)} after its invoice, as customers of the last 90 days did`
  const bills =
    known.daysToBill === null
      ? 'on its own day'
      : known.daysToBill === 0
        ? 'on its own day, as lately'
        : `${days(known.daysToBill)} after the work, as lately`
  return (
    <Card title="How this is reckoned" as="section">
      <ul className="an-grounds">
        <li>
          A customer pays as they did in the last year, with autopay on the due day or the day of its next try, or on
          the day they promised. Who is new pays {pays}. What is late by then is counted on in {days(lateDays)}.
        </li>
        <li>
          Planned work is billed {bills}; work without a day is not counted. A <LinkTo href={drafts}>draft</LinkTo>{' '}
          counts as if it was sent today.
          {known.aheadCents > 0
            ? ` ${formatCents(known.aheadCents)} of credit and deposits that customers have with you is taken off the first work that it pays: a part of “Paid ahead” in the overview, which also counts what billing plans have brought beyond their work so far.`
            : ''}
        </li>
        <li>
          Sales tax is left out of what comes in: it goes on to the state. What you collected and have not paid yet is
          in your bank, so keep it apart.
        </li>
        <li>
          Labor is planned minutes
          {known.drivePercent > 0 ? ` with the ${known.drivePercent}% on the road of the last 30 days` : ''}, at{' '}
          {formatCents(known.hourCents)} an hour with taxes and insurance, paid in the week after; the first week pays
          the hours of the last seven days.
        </li>
        <li>
          Recurring costs come on <LinkTo href={linkTo.expenses({ view: 'recurring' })}>their days</LinkTo>; other{' '}
          <LinkTo href={linkTo.expenses()}>expenses</LinkTo> as they were in the last {known.otherWeeks} weeks,{' '}
          {formatCents(known.otherCents)} a week.
        </li>
        {leftOut.byContractCents > 0 ? (
          <li>
            {formatCents(leftOut.byContractCents)} of the work planned in these weeks is billed by contract, and no{' '}
            <LinkTo href={linkTo.billingPlans()}>billing plan</LinkTo> covers it. Nobody can tell when you will invoice
            it, so it comes in once its plan or its invoice is there; its labor is counted already.
          </li>
        ) : null}
        {leftOut.doubtfulCents > 0 ? (
          <li>
            {formatCents(leftOut.doubtfulCents)} is more than {doubtfulDays} days past due and not counted on:{' '}
            <LinkTo href={linkTo.invoices({ view: 'overdue' })}>overdue invoices</LinkTo>.
          </li>
        ) : null}
        {leftOut.disputedCents > 0 ? (
          <li>{formatCents(leftOut.disputedCents)} is disputed and not counted on until a bank has decided.</li>
        ) : null}
        {leftOut.neverBilledCents > 0 ? (
          <li>
            {formatCents(leftOut.neverBilledCents)} of finished work waits for its invoice for more than {doubtfulDays}{' '}
            days and is not counted on: <LinkTo href={linkTo.newInvoices()}>bill finished work</LinkTo>.
          </li>
        ) : null}
        {leftOut.neverClosedCents > 0 && leftOut.neverClosedFrom !== null ? (
          <li>
            {formatCents(leftOut.neverClosedCents)} is of visits that nobody finished or skipped for more than{' '}
            {neverClosedDays} days; neither they nor their labor are counted. The first is of{' '}
            <LinkTo href={linkTo.routeDay(leftOut.neverClosedFrom)}>
              {formatDay(leftOut.neverClosedFrom, { year: true })}
            </LinkTo>
            .
          </li>
        ) : null}
        {leftOut.laterCents > 0 ? (
          <li>{formatCents(leftOut.laterCents)} of what is open or planned is expected after these weeks.</li>
        ) : null}
      </ul>
    </Card>
  )
}

type Column = { key: string; head: string; cell: (week: CashFlow['weeks'][number], at: number) => ReactNode }

const Weeks = ({ found, startCents }: { found: CashFlow; startCents: number | null }) => {
  const narrow = useNarrow()
  const all = balances(startCents ?? 0, found.weeks)
  const listed = (key: ListedKind, cents: (week: CashFlow['weeks'][number]) => number): Column => ({
    key,
    head: kindNames[key],
    cell: (week, at) =>
      cents(week) === 0 ? (
        '–'
      ) : (
        <LinkTo
          href={linkTo.cashFlow({ week: String(at), show: key })}
          aria-label={`${formatCents(cents(week))}, ${kindNames[key].toLowerCase()}, week of ${formatDay(week.from)}`}
        >
          {formatCents(cents(week))}
        </LinkTo>
      ),
  })
  const parts: Column[] = [
    listed('invoices', (week) => week.in.invoices),
    listed('drafts', (week) => week.in.drafts),
    listed('work', (week) => week.in.work),
    listed('plans', (week) => week.in.plans),
    { key: 'labor', head: 'Labor', cell: (week) => formatCents(week.out.labor) },
    listed('recurring', (week) => week.out.recurring),
    { key: 'other', head: 'Other costs', cell: (week) => formatCents(week.out.other) },
  ]
  const outcome: Column[] = [
    { key: 'net', head: 'Difference', cell: (week) => signed(netCents(week)) },
    {
      key: 'there',
      head: startCents === null ? 'So far' : 'In the bank',
      cell: (_, at) => {
        const there = all[at] ?? 0
        return there < 0 ? (
          <span className="an-low">
            {formatCents(there)}
            {startCents === null ? null : <span className="ui-hidden">, short</span>}
          </span>
        ) : (
          formatCents(there)
        )
      },
    },
  ]
  // what fits a phone is what comes of it; what it is made of is a swipe away
  const columns = narrow ? [...outcome, ...parts] : [...parts, ...outcome]
  return (
    <Card title="Week by week" as="section">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is reached by keyboard too */}
      <section className="an-scroll" tabIndex={0} aria-label="Week by week">
        <table className="an-table an-weeks">
          <thead>
            <tr>
              <th scope="col">Week of</th>
              {columns.map(({ key, head }) => (
                <th key={key} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="num">
            {found.weeks.map((week, at) => (
              <tr key={week.from}>
                <th scope="row">{formatDay(week.from)}</th>
                {columns.map(({ key, cell }) => (
                  <td key={key}>{cell(week, at)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

/** What comes in and goes out in the next twelve weeks, and when it gets tight. */
/** Neither money nor work is to come; what is left out of the weeks is still to be told. */
const isStill = ({ weeks, leftOut }: CashFlow): boolean => {
  const { inCents, outCents } = totalsOf(weeks)
  return inCents === 0 && outCents === 0 && Object.values(leftOut).every((one) => !one)
}

export const CashTab = () => {
  const { params, change } = useParams()
  const narrow = useNarrow()
  const query = useQuery(cashFlowQuery())
  const found = query.data
  const user = useUser()
  const [kept, keep] = useTextDraft(`cash-in-the-bank.${user._id}`)
  const bank = found ? bankOf(kept, found.today) : null
  const startCents = bank?.isToday ? bank.cents : null
  const week = Number(params.get('week') ?? '-1')
  const kind = listedKinds.find((one) => one === params.get('show'))
  const shown = kind && found?.weeks[week]
  return (
    <>
      <PageHeader
        title="Cash flow"
        sub={found ? `The next ${cashWeeks} weeks, from ${formatDay(found.today, { year: true })}` : undefined}
      />
      <div className="an-page">
        {query.isError && !found ? (
          <ErrorState
            error={query.error}
            title="We could not load the cash flow"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : !found ? (
          <>
            <CardSkeleton />
            <CardSkeleton />
          </>
        ) : isStill(found) ? (
          <Card>
            <EmptyState
              picture="unmowed"
              title="Nothing comes in or goes out yet"
              action={<Button href={linkTo.newJob()}>Create a job</Button>}
            >
              Once work is booked, invoices are open or costs come again you see here what these {cashWeeks} weeks
              bring, week by week.
            </EmptyState>
          </Card>
        ) : (
          <>
            <Totals found={found} startCents={startCents} />
            <Card as="section" title="When it gets tight">
              <p className="an-why">{outlookOf(startCents, found.weeks)}</p>
              <div className="an-start">
                <MoneyField
                  label="In the bank today"
                  hint={
                    bank && !bank.isToday
                      ? `On ${formatDay(bank.day, { year: true })} it was ${formatCents(bank.cents)}. Type what is there now.`
                      : 'Kept on this device alone. With it you see what is there at the end of each week.'
                  }
                  value={startCents}
                  onChange={(cents) => keep(cents === null ? '' : keptBank(found.today, cents))}
                />
              </div>
              <Bars
                title="What comes in and goes out"
                series={[
                  { key: 'in', label: 'Comes in' },
                  { key: 'out', label: 'Goes out' },
                ]}
                groups={together(found.weeks, narrow ? 2 : 1).map((one) => ({
                  label: shortDay(one.from),
                  values: { in: one.inCents, out: one.outCents },
                }))}
                format={formatCents}
                note={narrow ? 'Two weeks each' : undefined}
              />
            </Card>
            <Weeks found={found} startCents={startCents} />
            <Grounds found={found} />
          </>
        )}
      </div>
      {shown && kind ? (
        <CashPanel
          week={week}
          from={shown.from}
          to={shown.to}
          kind={kind}
          cents={kind === 'recurring' ? shown.out.recurring : shown.in[kind]}
          onClose={() => change({ week: null, show: null }, { replace: true })}
        />
      ) : null}
    </>
  )
}
