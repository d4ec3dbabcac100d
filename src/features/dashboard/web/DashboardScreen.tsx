import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { counted } from '../../../shared/counted.ts'
import { formatDay, formatDuration, formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents, formatPercent } from '../../../shared/money.ts'
import { hubPath, paths } from '../../../shared/paths.ts'
import { Bars } from '../../../ui/Bars.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { MoneyTiles } from '../../../ui/MoneyTiles.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton, StripSkeleton } from '../../../ui/Skeleton.tsx'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import { StripLanes } from '../../../ui/StripLanes.tsx'
import { finishedVisitsLabel } from '../../invoices/rules.ts'
import { SprintCard } from '../../prospects/web/SprintCard.tsx'
import { savedMessage } from '../../routes/rules.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import { WeatherBanner } from '../../weather/web/WeatherBanner.tsx'
import type { Dashboard } from '../contract.ts'
import './dashboard.css'
import { dashboardQuery } from './data.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { lanesOf } from './lanes.ts'
import { NeedsYou } from './NeedsYou.tsx'

const headline = (d: Dashboard): string => {
  if (d.stopCount === 0) return 'No stops today'
  const parts = [counted(d.crewsOut, 'crew'), counted(d.stopCount, 'stop')]
  if (d.finishedCount > 0) parts.push(`${d.finishedCount} finished`)
  if (d.doneAtMinute !== null)
    parts.push(
      d.finishedCount < d.stopCount
        ? `done by ${formatMinute(d.doneAtMinute)} at this pace`
        : `done by ${formatMinute(d.doneAtMinute)}`,
    )
  return parts.join(' · ')
}

/** Whether the route map has anything left to plan today: what a crew has begun stays where it is. */
const canReplan = (d: Dashboard): boolean =>
  d.unplacedCount > 0 || d.crews.some((crew) => crew.stops.some((stop) => stop.state === 'scheduled'))

const Figures = ({ d }: { d: Dashboard }) => {
  const { money } = d
  const saved = savedMessage(d.drive.seconds, d.drive.bookedSeconds)
  const lastWeek = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${d.today}T00:00:00Z`),
  )
  return (
    <StatRow>
      {money ? (
        <>
          <Stat
            label="Earned today"
            value={formatCents(money.earnedTodayCents)}
            href={linkTo.routeDay(d.today)}
            note={
              money.earnedChangePercent === null
                ? `nothing by this time last ${lastWeek}`
                : `${formatPercent(money.earnedChangePercent, { signed: true })} on last ${lastWeek} by now`
            }
            tone={money.earnedChangePercent === null ? 'plain' : money.earnedChangePercent >= 0 ? 'good' : 'bad'}
          />
          <Stat
            label="Per labor hour"
            value={money.perLaborHourCents === null ? '–' : formatCents(money.perLaborHourCents)}
            href={hubPath('employees', 'timesheets')}
            note={
              money.perLaborHourCents === null
                ? 'once the first stop is finished'
                : `target ${formatCents(money.targetLaborHourCents)}, drive included`
            }
            tone={
              money.perLaborHourCents !== null && money.perLaborHourCents >= money.targetLaborHourCents
                ? 'good'
                : 'plain'
            }
          />
        </>
      ) : null}
      <Stat
        label="Drive time"
        value={formatDuration(d.drive.seconds)}
        href={linkTo.routeDay(d.today)}
        note={saved ?? (d.drive.estimated && d.drive.seconds > 0 ? 'on estimated roads' : 'as planned')}
        tone={saved ? 'good' : 'plain'}
      />
    </StatRow>
  )
}

const Owed = ({ money }: { money: NonNullable<Dashboard['money']> }) => (
  <MoneyTiles
    owedCents={money.owedCents}
    owedNote={money.owedCents === 0 ? 'nothing is open' : 'on open invoices'}
    overdueCents={money.overdueCents}
    overdueNote={
      money.over30Cents > 0
        ? `${counted(money.overdueCount, 'invoice')}, ${formatCents(money.over30Cents)} over 30 days`
        : money.overdueCount > 0
          ? counted(money.overdueCount, 'invoice')
          : 'nothing overdue'
    }
    daysToPay={money.daysToPay}
    daysNote={`on ${counted(money.paidLatelyCount, 'invoice')} paid in 90 days`}
  />
)

const Swaths = ({ d }: { d: Dashboard }) => {
  const navigate = useNavigate()
  const visitLink = useVisitLink()
  return (
    <Card title="Today's swaths" hint="one stripe a stop, as wide as its minutes; gaps are driving" flush>
      {d.crews.length === 0 ? (
        <EmptyState
          compact
          picture="unmowed"
          title="No crew is out today"
          action={<Button href={linkTo.routeDay(d.today)}>Open the route map</Button>}
        >
          {d.unplacedCount > 0
            ? `${counted(d.unplacedCount, 'visit')} of today wait for a crew.`
            : 'When visits are booked for today and placed on crews, each crew is one swath here.'}
        </EmptyState>
      ) : (
        <StripLanes
          lanes={lanesOf(d)}
          nowMinute={d.nowMinute}
          onSelect={(visitId, crewId) => navigate(visitLink?.(visitId) ?? linkTo.routeDay(d.today, { crewId }))}
        />
      )}
    </Card>
  )
}

const WeekMoney = ({ week }: { week: NonNullable<Dashboard['money']>['week'] }) => (
  <Card title="This week's money" hint="done, invoiced, paid">
    <Bars
      title="This week's money: done, invoiced and paid by day of work"
      series={[
        { key: 'done', label: 'Done' },
        { key: 'invoiced', label: 'Invoiced' },
        { key: 'paid', label: 'Paid' },
      ]}
      groups={week.map((day) => ({
        label: formatDay(day.day).slice(0, 3),
        href: linkTo.routeDay(day.day),
        values: { done: day.doneCents, invoiced: day.invoicedCents, paid: day.paidCents },
      }))}
      format={formatCents}
    />
  </Card>
)

const TaskListView = lazyPart(() => import('../../tasks/web/TaskListView.tsx').then((m) => m.TaskListView))

/** The day, and in its place what the office has to do, where the address asks for it. */
export const DashboardScreen = () => {
  const [params] = useSearchParams()
  return params.get('tasks') ? <TaskListView back={{ href: paths.dashboard, label: 'Dashboard' }} /> : <DayScreen />
}

/** The owner's first screen: the crews' day as it moves, what needs a person, money. */
const DayScreen = () => {
  const { data: d, error, refetch, isFetching } = useQuery(dashboardQuery)
  if (error && !d)
    return (
      <ErrorState
        error={error}
        title="We could not load your day"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  if (!d) {
    return (
      <div aria-busy="true">
        <PageHeader title="Today" sub="Gathering the day" />
        <div className="dash-loading">
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
        </div>
        <Card title="Today's swaths">
          <StripSkeleton />
        </Card>
      </div>
    )
  }
  const invoiceable = d.money ? d.money.invoiceableVisits : 0
  return (
    <div className="dash">
      <PageHeader
        title={formatDay(d.today, { long: true })}
        sub={headline(d)}
        actions={
          <>
            {d.stopCount > 0 ? (
              <Button href={linkTo.routeDay(d.today)}>{canReplan(d) ? 'Re-plan day' : 'Open the route map'}</Button>
            ) : null}
            {invoiceable !== 0 ? (
              <Button kind="primary" href={linkTo.newInvoices()}>
                Invoice {finishedVisitsLabel(invoiceable)}
              </Button>
            ) : null}
          </>
        }
      />
      <WeatherBanner />
      {d.start.length > 0 ? <FirstSteps steps={d.start} /> : <Figures d={d} />}
      {d.start.length === 0 && d.money ? <Owed money={d.money} /> : null}
      {d.start.length > 0 && d.crews.length === 0 ? null : <Swaths d={d} />}
      <SprintCard />
      <div className={d.money ? 'dash-two' : undefined}>
        <NeedsYou needs={d.needs} count={d.needCount} />
        {d.money ? <WeekMoney week={d.money.week} /> : null}
      </div>
    </div>
  )
}
