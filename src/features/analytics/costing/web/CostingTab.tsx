import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../../shared/counted.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents, formatPercent } from '../../../../shared/money.ts'
import { hubPath, paths } from '../../../../shared/paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../../ui/LoadMore.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { Stat } from '../../../../ui/Stat.tsx'
import { StatRow } from '../../../../ui/StatRow.tsx'
import { useParams } from '../../../../ui/useParams.ts'
import { useMay } from '../../../accounts/web/session.ts'
import { learnedMinutesApi } from '../../../jobs/minutes/contract.ts'
import { headline } from '../../../jobs/minutes/rules.ts'
import { learnedMinutesQuery } from '../../../jobs/minutes/web/data.ts'
import { lawnPeriods } from '../../lawns/rules.ts'
import '../../web/analytics.css'
import type { CostList, CostRow } from '../contract.ts'
import {
  type CostKind,
  type CostPeriod,
  costKinds,
  costPeriods,
  costSorts,
  earnedPerHour,
  isLaborKnown,
  marginCents,
  marginPercent,
  unclockedWords,
} from '../rules.ts'
import { CostPanel } from './CostPanel.tsx'
import { type CostSort, costsQuery } from './data.ts'

const periodNames = { week: '7 days', month: '30 days', quarter: '90 days' }
const kindNames: Record<CostKind, string> = {
  property: 'Property',
  visit: 'Visit',
  service: 'Service',
  crew: 'Crew',
  route: 'Route',
  customer: 'Customer',
}
const plurals: Record<CostKind, [string, string]> = {
  property: ['property', 'properties'],
  visit: ['visit', 'visits'],
  service: ['service', 'services'],
  crew: ['crew', 'crews'],
  route: ['route', 'routes'],
  customer: ['customer', 'customers'],
}
const sortNames: Record<CostSort, string> = {
  least: 'Lowest per hour',
  most: 'Highest per hour',
  worth: 'Most work',
  newest: 'Newest',
}
const pageSize = 200

/** "12.5 labor hours". */
const laborHours = (seconds: number): string => counted(Math.round(seconds / 360) / 10, 'labor hour')
const orDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

/** "3 of 40 properties earn less than your target of $60.00 for a labor hour." */
const targetWords = ({ belowTarget, told, targetLaborHourCents }: CostList, by: CostKind): string | null => {
  if (targetLaborHourCents === 0) return null
  if (told === 0) return 'Too little time is known of these days to say what a labor hour earned.'
  const [one, many] = plurals[by]
  const target = `your target of ${formatCents(targetLaborHourCents)} for a labor hour`
  if (belowTarget === 0)
    return told === 1 ? `The ${one} reaches ${target}.` : `All ${told.toLocaleString('en-US')} ${many} reach ${target}.`
  return `${belowTarget.toLocaleString('en-US')} of ${told.toLocaleString('en-US')} ${told === 1 ? one : many} earn${belowTarget === 1 ? 's' : ''} less than ${target}.`
}

const Totals = ({ found, by, period }: { found: CostList; by: CostKind; period: CostPeriod }) => {
  const { total, targetLaborHourCents, otherExpenseCents } = found
  const perHour = earnedPerHour(total)
  const words = targetWords(found, by)
  const unclocked = unclockedWords(total)
  const known = isLaborKnown(total)
  return (
    <>
      <div className="an-costs">
        <StatRow>
          <Stat
            label="Completed work"
            value={formatCents(total.worthCents)}
            note={counted(total.completions, 'visit')}
          />
          <Stat
            label="Labor"
            value={known ? formatCents(total.laborCents) : 'Not known'}
            note={
              known
                ? `${laborHours(total.laborSeconds)} with the drive, wages with taxes and insurance`
                : 'No visit has time on the clock'
            }
          />
          <Stat label="Purchases" value={formatCents(total.expenseCents)} note="Expenses of its jobs and crews" />
          {total.materialCents > 0 || found.uncostedUses > 0 ? (
            <Stat
              label="Material"
              value={formatCents(total.materialCents)}
              note={
                found.uncostedUses > 0
                  ? `Used from stock; ${counted(found.uncostedUses, 'use')} of material without a cost`
                  : 'Used from stock, at what a package costs'
              }
              href={linkTo.materials()}
            />
          ) : null}
          <Stat
            label="Left over"
            value={known ? formatCents(marginCents(total)) : 'Not known'}
            note={[
              orDash(marginPercent(total), (percent) => `${formatPercent(percent)} of completed work`),
              otherExpenseCents > 0 ? `, before ${formatCents(otherExpenseCents)} of other expenses` : '',
            ].join('')}
            tone={known && marginCents(total) < 0 ? 'bad' : 'plain'}
          />
          <Stat
            label="Per labor hour"
            value={orDash(perHour, formatCents)}
            note={[
              targetLaborHourCents === 0 ? 'No target set' : `Target ${formatCents(targetLaborHourCents)}`,
              unclocked ? `, by ${counted(total.clockedCompletions, 'visit')} with a clock` : '',
            ].join('')}
            tone={
              perHour === null || targetLaborHourCents === 0 ? 'plain' : perHour < targetLaborHourCents ? 'bad' : 'good'
            }
          />
          {otherExpenseCents > 0 ? (
            <Stat
              label="Other expenses"
              value={formatCents(otherExpenseCents)}
              note={`For no job or crew of these days, so in no row${known ? `; after them ${formatCents(marginCents(total) - otherExpenseCents)} is left` : ''}`}
              href={linkTo.expenses({ in: found.to.slice(0, 7) })}
            />
          ) : null}
        </StatRow>
      </div>
      {unclocked ? (
        <p className="an-why">
          {unclocked}: that labor is not known,{' '}
          {known ? 'so less is left over than it says' : 'and so neither is what is left over'}.
          {known ? ' What a labor hour earned and the prices go by the others alone.' : null}
        </p>
      ) : null}
      {words ? (
        <p className="an-why">
          {words}
          {found.belowTarget > 0 && by === 'property' ? (
            <>
              {' '}
              <LinkTo href={linkTo.priceLetters({ period: lawnPeriods.find((one) => one === period) })}>
                See which services should cost more at their price of now
              </LinkTo>
            </>
          ) : null}
        </p>
      ) : null}
      {targetLaborHourCents === 0 ? (
        <p className="an-why">
          No lawn can be called too cheap yet: set what a labor hour should bring in under{' '}
          <LinkTo href={`${paths.profile}#costs`}>Costs and targets</LinkTo>.
        </p>
      ) : null}
    </>
  )
}

/** The way to what crews really take, for who plans days. */
const LearnedWords = () => {
  const may = useMay()
  const { data } = useQuery({ ...learnedMinutesQuery, enabled: may(learnedMinutesApi.list) })
  const words = data ? headline(data) : null
  return words ? (
    <p className="an-why">
      {words} <LinkTo href={linkTo.learnedMinutes()}>Look at their minutes</LinkTo>
    </p>
  ) : null
}

type RowProps = { row: CostRow; by: CostKind; target: number; hasMaterial: boolean; href: string }

const Row = ({ row, by, target, hasMaterial, href }: RowProps) => {
  const [perHour, percent] = [earnedPerHour(row), marginPercent(row)]
  const isLow = perHour !== null && perHour < target
  return (
    <tr>
      <th scope="row">
        <LinkTo href={href}>{row.name}</LinkTo>
        {row.sub ? <span className="hint an-sub">{row.sub}</span> : null}
      </th>
      {by === 'visit' ? null : (
        <td>
          {(row.visitTenths / 10).toLocaleString('en-US', { maximumFractionDigits: 1 })}
          {row.visitTenths === 10 * row.completions ? null : (
            <span className="hint an-sub">in {row.completions.toLocaleString('en-US')}</span>
          )}
          {row.clockedCompletions < row.completions ? (
            <span className="hint an-sub">
              {(row.completions - row.clockedCompletions).toLocaleString('en-US')} without a clock
            </span>
          ) : null}
        </td>
      )}
      <td className="is-wide">{formatCents(row.worthCents)}</td>
      <td className="is-wide">{formatCents(row.laborCents)}</td>
      <td className="is-wide">{formatCents(row.expenseCents)}</td>
      {hasMaterial ? <td className="is-wide">{formatCents(row.materialCents)}</td> : null}
      <td>
        {isLaborKnown(row) ? formatCents(marginCents(row)) : '–'}
        <span className="is-wide">{percent === null ? '' : ` · ${formatPercent(percent)}`}</span>
      </td>
      <td className={isLow ? 'an-low' : undefined}>
        {orDash(perHour, formatCents)}
        {isLow ? <span className="ui-hidden">, below the target</span> : null}
      </td>
      {by === 'property' ? (
        <td className="is-wide">
          {row.targetPriceCents === null ? (
            <span className="hint">{row.priceWhy ?? ''}</span>
          ) : (
            `${formatCents(row.targetPriceCents)} a visit`
          )}
        </td>
      ) : null}
    </tr>
  )
}

/** What finished work cost and what is left of it: by property, service, crew, route or customer, with the price at which a lawn would earn its target. */
export const CostingTab = () => {
  const { params, change } = useParams()
  const period = costPeriods.find((one) => one === params.get('period')) ?? 'month'
  const by = costKinds.find((one) => one === params.get('by')) ?? 'property'
  const sort = costSorts.find((one) => one === params.get('sort')) ?? 'least'
  const limit = Math.min(1000, Math.max(pageSize, Math.trunc(Number(params.get('limit'))) || pageSize))
  const key = params.get('of')
  const query = useQuery(costsQuery({ period, by, sort, limit }))
  const found = query.data
  const set = (values: Record<string, string | number | null>) =>
    change({ of: null, limit: null, ...values }, { replace: true })
  const open = found?.items.find((row) => row.key === key)
  return (
    <>
      <PageHeader
        title="Job costing"
        sub={found ? `${formatDay(found.from, { year: true })} to ${formatDay(found.to, { year: true })}` : undefined}
      />
      <div className="an-page">
        <div className="an-bar">
          <FilterChips
            label="Period"
            single
            chips={costPeriods.map((value) => ({ value, label: periodNames[value] }))}
            values={[period]}
            onChange={([value]) => set({ period: value ?? null })}
          />
          <FilterChips
            label="Group by"
            single
            chips={costKinds.map((value) => ({ value, label: kindNames[value] }))}
            values={[by]}
            onChange={([value]) => set({ by: value ?? null })}
          />
        </div>
        {query.isError && !found ? (
          <ErrorState
            error={query.error}
            title="We could not load the costs"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : !found || (query.isPlaceholderData && found.by !== by) ? (
          <>
            <CardSkeleton />
            <CardSkeleton />
          </>
        ) : found.count === 0 ? (
          <Card>
            <EmptyState
              picture="unmowed"
              title="No work was completed in these days"
              action={<Button href={linkTo.routeDay(found.to)}>Open the route map</Button>}
            >
              Once visits are completed you see here what each lawn, service and crew earns after wages and expenses.
            </EmptyState>
          </Card>
        ) : (
          <>
            <Totals found={found} by={by} period={period} />
            <LearnedWords />
            <Card
              title={`By ${kindNames[by].toLowerCase()}`}
              as="section"
              actions={
                <FilterChips
                  label="Order"
                  single
                  chips={costSorts.map((value) => ({ value, label: sortNames[value] }))}
                  values={[sort]}
                  onChange={([value]) => set({ sort: value ?? null })}
                />
              }
            >
              <div className="an-scroll">
                <table className="an-table an-costing">
                  <thead>
                    <tr>
                      <th scope="col">{kindNames[by]}</th>
                      {by === 'visit' ? null : <th scope="col">Visits</th>}
                      <th scope="col" className="is-wide">
                        Completed work
                      </th>
                      <th scope="col" className="is-wide">
                        Labor
                      </th>
                      <th scope="col" className="is-wide">
                        Bought
                      </th>
                      {found.total.materialCents > 0 ? (
                        <th scope="col" className="is-wide">
                          Material
                        </th>
                      ) : null}
                      <th scope="col">Left over</th>
                      <th scope="col">Per labor hour</th>
                      {by === 'property' ? (
                        <th scope="col" className="is-wide">
                          Price for the target
                        </th>
                      ) : null}
                    </tr>
                  </thead>
                  <tbody className="num">
                    {found.items.map((row) => (
                      <Row
                        key={row.key}
                        row={row}
                        by={by}
                        target={found.targetLaborHourCents}
                        hasMaterial={found.total.materialCents > 0}
                        href={linkTo.costing({
                          period,
                          by,
                          sort,
                          limit: limit === pageSize ? undefined : String(limit),
                          of: row.key,
                        })}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
              <LoadMore
                hasMore={found.items.length < found.count && limit < 1000}
                loading={query.isPlaceholderData}
                onMore={() => set({ limit: limit + pageSize })}
                shown={found.items.length}
                total={found.count}
              />
              {by === 'service' ? (
                <p className="hint">
                  A visit with several services is split between them, so that the rows add up to the figures above: the
                  visit itself, time and labor by the planned minutes of each service, money and purchases by its price.
                  “12.4 in 20” is work worth 12.4 visits, done in 20 of them.
                </p>
              ) : null}
              {by === 'route' ? (
                <p className="hint">
                  A route is the day of a crew. Its labor is the time at its stops and on the way to them, without the
                  way home.
                </p>
              ) : null}
              <p className="hint">
                Labor is the time of each person on site and on the road, at what an hour of the crew of that day costs:
                wages from your <LinkTo href={hubPath('employees', 'manage')}>employees</LinkTo> with taxes and
                insurance, without overtime; pay by the lawn lies on the lawns that were paid. Where nobody is known it
                is your usual wage. An expense counts on its own day for the job or crew that it was booked on in{' '}
                <LinkTo href={linkTo.expenses()}>Expenses</LinkTo>.
              </p>
              {found.total.materialCents > 0 ? (
                <p className="hint">
                  Material that was used on a visit from <LinkTo href={linkTo.materials()}>stock</LinkTo> counts at what
                  a package costs by now, less material that was bought for the same visit: nothing is counted twice.
                  {found.stockExpenseCents > 0
                    ? ` ${formatCents(found.stockExpenseCents)} of materials that were bought for no job count where they are used.`
                    : ''}
                </p>
              ) : null}
            </Card>
          </>
        )}
      </div>
      {key !== null && open ? (
        <CostPanel
          row={open}
          which={{ period, by, key }}
          targetCents={found?.targetLaborHourCents ?? 0}
          onClose={() => change({ of: null }, { replace: true })}
        />
      ) : null}
    </>
  )
}
