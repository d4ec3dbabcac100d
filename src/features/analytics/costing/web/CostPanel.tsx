import { useQuery } from '@tanstack/react-query'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents, formatPercent } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { RecordPanel } from '../../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { VisitLink } from '../../../visits/web/VisitLink.tsx'
import { lawnDays, usualLawnPeriod } from '../../lawns/rules.ts'
import type { CostRow, CostVisit } from '../contract.ts'
import {
  type CostKind,
  type CostPeriod,
  type Costs,
  earnedPerHour,
  isLaborKnown,
  marginCents,
  marginPercent,
  routeOf,
  unclockedWords,
} from '../rules.ts'
import { costVisitsQuery } from './data.ts'

const minutesWords = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return `${minutes.toLocaleString('en-US')} labor minute${minutes === 1 ? '' : 's'}`
}

/** "$55.00 work, $24.10 labor for 52 labor minutes, $3.00 bought". */
const visitWords = (visit: CostVisit): string =>
  [
    `${formatCents(visit.worthCents)} work`,
    visit.clockedCompletions > 0
      ? `${formatCents(visit.laborCents)} labor for ${minutesWords(visit.laborSeconds)}`
      : `no time on the clock${visit.laborCents > 0 ? `, ${formatCents(visit.laborCents)} labor of the drive` : ''}`,
    visit.expenseCents > 0 ? `${formatCents(visit.expenseCents)} bought` : '',
    visit.materialCents > 0 ? `${formatCents(visit.materialCents)} material` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** What is left of a row or a visit in percent, and what a labor hour earned there: "43.2% left · $62.10 a labor hour". */
const rateWords = (costs: Costs): string => {
  const [percent, perHour] = [marginPercent(costs), earnedPerHour(costs)]
  return [
    isLaborKnown(costs) ? (percent === null ? 'left' : `left, ${formatPercent(percent)}`) : 'labor not known',
    perHour === null ? '' : `${formatCents(perHour)} an hour`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The figures of the row itself: a panel covers them on a phone. */
const Figures = ({ row }: { row: CostRow }) => {
  const [percent, perHour] = [marginPercent(row), earnedPerHour(row)]
  const figures: [string, string][] = [
    ['Completed work', formatCents(row.worthCents)],
    ['Labor', isLaborKnown(row) ? `${formatCents(row.laborCents)} for ${minutesWords(row.laborSeconds)}` : 'Not known'],
    ['Bought', formatCents(row.expenseCents)],
    ['Material', formatCents(row.materialCents)],
    [
      'Left over',
      isLaborKnown(row)
        ? `${formatCents(marginCents(row))}${percent === null ? '' : `, ${formatPercent(percent)}`}`
        : 'Not known',
    ],
    ['Per labor hour', perHour === null ? 'Not known' : formatCents(perHour)],
  ]
  return (
    <dl className="an-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Props = {
  row: CostRow
  which: { period: CostPeriod; by: CostKind; key: string }
  targetCents: number
  onClose: () => void
}

/** The visits that a row is made of; of a lawn that earns too little also what would mend it. */
export const CostPanel = ({ row, which, targetCents, onClose }: Props) => {
  const found = useQuery(costVisitsQuery(which))
  const perHour = earnedPerHour(row)
  const items = found.data?.items ?? []
  const route = which.by === 'route' ? routeOf(which.key) : null
  const rest = (found.data?.count ?? 0) - items.length
  const unclocked = unclockedWords(row)
  return (
    <RecordPanel open covers onClose={onClose} title={row.name} sub={row.sub || undefined}>
      <Figures row={row} />
      {row.targetPriceCents !== null && perHour !== null ? (
        <p className="an-advice">
          It earns {formatCents(perHour)} for a labor hour, your target is {formatCents(targetCents)}. At{' '}
          <strong>{formatCents(row.targetPriceCents)} a visit</strong> it would reach that
          {row.nowPriceCents === null ? '' : `; it costs ${formatCents(row.nowPriceCents)} now`}.{' '}
          <LinkTo href={linkTo.priceLetters({ of: row.key })}>Write a price letter</LinkTo>
          <span className="hint an-sub">
            The price is that of price letters: by the visits of {lawnDays[usualLawnPeriod]} days with a clock, without
            those far from the others.
          </span>
        </p>
      ) : null}
      {row.priceReason === 'coming' && row.priceWhy !== null ? (
        <p className="an-advice">
          It earned less than your target at the price that it has until then: <strong>{row.priceWhy}</strong>.{' '}
          <LinkTo href={linkTo.priceLetters({ of: row.key })}>See the letters</LinkTo>
        </p>
      ) : row.priceWhy !== null && row.priceReason !== 'reached' ? (
        <p className="an-advice hint">No price for the target: {row.priceWhy}.</p>
      ) : null}
      {row.priceReason === 'several' ? (
        <p className="an-advice">
          <LinkTo href={linkTo.priceLetters({ of: row.key })}>See what each would have to cost</LinkTo>
        </p>
      ) : null}
      {unclocked ? (
        <p className="an-advice hint">{unclocked}: that labor is not known, and an hour is told of the others.</p>
      ) : null}
      {route ? (
        <p className="an-advice">
          <Button href={linkTo.routeDay(route.day, { crewId: route.crewId })}>Open this day on the route map</Button>
        </p>
      ) : null}
      {which.by === 'customer' ? <Button href={linkTo.customer(which.key)}>Open the customer</Button> : null}
      <p className="hint">
        Labor with the drive, at what an hour of the crew cost on average that day, and pay by the lawn.
      </p>
      {found.isError && !found.data ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load these visits"
          onRetry={() => void found.refetch()}
        />
      ) : found.isPending ? (
        <PanelSkeleton />
      ) : (
        <ul className="an-rows">
          {items.map((visit) => (
            <li key={visit.id}>
              <span>
                <VisitLink id={visit.id}>{visit.customer}</VisitLink>
                <span className="hint">
                  {formatDay(visit.day, { year: true })} · {visit.place}
                </span>
                <span className="hint">{visitWords(visit)}</span>
              </span>
              <span className="num">
                {isLaborKnown(visit) ? formatCents(marginCents(visit)) : '–'}
                <span className="hint">{rateWords(visit)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 ? <p className="hint">The newest {items.length.toLocaleString('en-US')} are listed.</p> : null}
    </RecordPanel>
  )
}
