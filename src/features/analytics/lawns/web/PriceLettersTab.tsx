import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { keptWork, useKeptWork } from '../../../../ui/drafts.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useParams } from '../../../../ui/useParams.ts'
import { useToday } from '../../../accounts/web/session.ts'
import { mostLetterLines } from '../../../jobs/letters/rules.ts'
import type { PriceChange } from '../../../jobs/prices/contract.ts'
import { useUndoPrices } from '../../../jobs/prices/web/data.ts'
import '../../web/analytics.css'
import { type LowLawn, type LowLawns, lawnsApi } from '../contract.ts'
import {
  isSteep,
  lawnPeriods,
  leastLawnVisits,
  mostPriceCents,
  raisePercent,
  raiseRefusal,
  raiseText,
  servicesBelow,
  usualLawnPeriod,
} from '../rules.ts'
import { type LetterWish, lowLawnsQuery } from './data.ts'
import { LetterDialog } from './LetterDialog.tsx'
import './lawns.css'
import { SentLetters } from './SentLetters.tsx'

const periodNames = { month: '30 days', quarter: '90 days', year: 'A year' }

const unitWords = ({ quantity }: Pick<LowLawn, 'quantity'>): string =>
  quantity === 1 ? 'a visit' : `a unit, ${quantity.toLocaleString('en-US')} a visit`

/** "+18%"; more than customers usually take stands out. */
const RaiseBy = ({ from, to }: { from: number; to: number | null }) => {
  const percent = to === null ? null : raisePercent(from, to)
  if (percent === null) return null
  return (
    <span className={isSteep(percent) ? 'an-low' : undefined}>
      {raiseText(percent)}
      {isSteep(percent) ? <span className="ui-hidden">, a steep raise</span> : null}
    </span>
  )
}

type RowProps = {
  lawn: LowLawn
  ticked: boolean
  cents: number | null
  onTick: (on: boolean) => void
  onPrice: (cents: number | null) => void
}

const LawnRow = ({ lawn, ticked, cents, onTick, onPrice }: RowProps) => (
  <li>
    <CheckboxField
      label={`${lawn.street}, ${lawn.customerName}: ${lawn.serviceName}`}
      hint={`Earns ${formatCents(lawn.earnedCents)} for a labor hour: ${formatCents(lawn.unitPriceCents)} ${unitWords(lawn)}, ${lawn.laborMinutes.toLocaleString('en-US')} labor minutes with the drive in ${lawn.completions.toLocaleString('en-US')} visits`}
      value={ticked}
      onChange={onTick}
    />
    <MoneyField
      label={`New price for ${lawn.street}, ${lawn.serviceName}`}
      hideLabel
      value={cents}
      onChange={onPrice}
      refuse={(typed) => raiseRefusal(lawn.unitPriceCents, typed)}
    />
    <span className="lw-more num">
      <RaiseBy from={lawn.unitPriceCents} to={cents} />
      <LinkTo href={linkTo.job(lawn.jobId)} aria-label={`J-${lawn.jobNumber}, job of ${lawn.customerName}`}>
        J-{lawn.jobNumber}
      </LinkTo>
    </span>
  </li>
)

const Left = ({ found }: { found: LowLawns }) =>
  found.leftCount === 0 ? null : (
    <details className="lw-left">
      <summary>
        {found.leftCount.toLocaleString('en-US')} more {found.leftCount === 1 ? 'earns' : 'earn'} less and{' '}
        {found.leftCount === 1 ? 'gets' : 'get'} no letter
      </summary>
      <ul className="an-rows">
        {found.left.map((one) => (
          <li key={one.lineId}>
            <span>
              <LinkTo href={linkTo.job(one.jobId)}>
                {one.street}, {one.customerName}
              </LinkTo>
              <span className="hint">
                {one.serviceName} {one.why}
              </span>
            </span>
            <span className="num">
              {formatCents(one.earnedCents)}
              <span className="hint">an hour</span>
            </span>
          </li>
        ))}
      </ul>
      {found.leftCount > found.left.length ? (
        <p className="hint">and {(found.leftCount - found.left.length).toLocaleString('en-US')} more</p>
      ) : null}
    </details>
  )

/** What is chosen and not sent, by line: it holds whatever days are looked at, and while another screen is. */
type Choice = {
  ticked: ReadonlySet<string>
  prices: ReadonlyMap<string, number | null>
  /** Null: the earliest day. */
  day: Day | null
}
const nothing: Choice = { ticked: new Set(), prices: new Map(), day: null }
const workId = 'price-letters'

type ChooserProps = {
  found: LowLawns
  choice: Choice
  onChoice: (change: (now: Choice) => Choice) => void
  onLetters: (wish: LetterWish) => void
}

/** The list with what is chosen of it: which lawns, at which price, from when. */
const Chooser = ({ found, choice, onChoice, onLetters }: ChooserProps) => {
  const today = useToday()
  const { ticked, prices } = choice
  const day = choice.day ?? found.earliestOn
  const setTicked = (of: (now: ReadonlySet<string>) => ReadonlySet<string>) =>
    onChoice((now) => ({ ...now, ticked: of(now.ticked) }))
  const centsOf = (lawn: LowLawn): number | null => {
    const typed = prices.get(lawn.lineId)
    return typed === undefined ? lawn.suggestedCents : typed
  }
  const chosen = found.items.filter((one) => ticked.has(one.lineId))
  const lines = chosen.flatMap((one) => {
    const toCents = centsOf(one)
    return toCents === null || raiseRefusal(one.unitPriceCents, toCents) !== null
      ? []
      : [{ lineId: one.lineId, toCents }]
  })
  const problem =
    lines.length < chosen.length
      ? `Type a price for each lawn that is ticked, more than the one it has and at most ${formatCents(mostPriceCents)}.`
      : lines.length > mostLetterLines
        ? `At most ${mostLetterLines} lawns at a time.`
        : day < found.earliestOn
          ? `Customers hear of it ${found.noticeDays} days before: ${formatDay(found.earliestOn, { year: true })} or later.`
          : null
  return (
    <Card title="What they would have to cost" as="section">
      <div className="lw-bar">
        <DateField
          label="New prices from"
          value={day}
          min={found.earliestOn}
          today={today}
          onChange={(on) => onChoice((now) => ({ ...now, day: on }))}
          hint={`At least ${found.noticeDays} days ahead, as your settings say.`}
        />
        <Button
          kind="primary"
          calls={lawnsApi.send}
          disabled={lines.length === 0 || problem !== null}
          onClick={() => onLetters({ fromOn: day, lines })}
        >
          {chosen.length === 0
            ? 'Write price letters'
            : `Write letters for ${chosen.length.toLocaleString('en-US')} ${chosen.length === 1 ? 'lawn' : 'lawns'}`}
        </Button>
      </div>
      {problem ? (
        <p className="lw-problem" role="alert">
          {problem}
        </p>
      ) : null}
      <p className="lw-ticks">
        <Button size="s" kind="quiet" onClick={() => setTicked(() => new Set(found.items.map((one) => one.lineId)))}>
          Tick all
        </Button>
        <Button size="s" kind="quiet" onClick={() => setTicked(() => new Set())}>
          Tick none
        </Button>
      </p>
      <ul className="lw-rows" aria-label="Lawns that earn less than the target">
        {found.items.map((lawn) => (
          <LawnRow
            key={lawn.lineId}
            lawn={lawn}
            ticked={ticked.has(lawn.lineId)}
            cents={centsOf(lawn)}
            onTick={(on) =>
              setTicked((now) => {
                const next = new Set(now)
                if (on) next.add(lawn.lineId)
                else next.delete(lawn.lineId)
                return next
              })
            }
            onPrice={(cents) => onChoice((now) => ({ ...now, prices: new Map(now.prices).set(lawn.lineId, cents) }))}
          />
        ))}
      </ul>
      {found.count > found.items.length ? (
        <p className="hint">and {(found.count - found.items.length).toLocaleString('en-US')} more that lose less</p>
      ) : null}
    </Card>
  )
}

const Nothing = ({ found }: { found: LowLawns }) => (
  <Card>
    {found.targetLaborHourCents === 0 ? (
      <EmptyState
        picture="unmowed"
        title="No target is set"
        action={<Button href={`${paths.profile}#costs`}>Set a target</Button>}
      >
        Say what a labor hour should bring in, and you see here which lawns earn less and what they would have to cost.
      </EmptyState>
    ) : found.told === 0 ? (
      <EmptyState picture="unmowed" title="No work with a clock in these days">
        Once crews finish visits of your recurring jobs, you see here which lawns earn less than your target.
      </EmptyState>
    ) : (
      <EmptyState
        picture="mowed"
        title={`Nothing to raise: ${formatCents(found.targetLaborHourCents)} an hour is reached`}
      >
        Each lawn of a recurring job with {leastLawnVisits} visits or more earns your target at the price of now, or has
        a new price on its way.
      </EmptyState>
    )}
  </Card>
)

/** Lawns that earn less than the target, with the price that would do; a letter changes it from a day on and tells the customer. */
export const PriceLettersTab = () => {
  const { params, change } = useParams()
  const period = lawnPeriods.find((one) => one === params.get('period')) ?? usualLawnPeriod
  const of = params.get('of') ?? undefined
  const query = useQuery(lowLawnsQuery(period, of))
  const undo = useUndoPrices()
  const [wish, setWish] = useState<LetterWish | null>(null)
  const [choice, setChoice] = useState<Choice>(() => keptWork<Choice>(workId) ?? nothing)
  useKeptWork(workId, choice.ticked.size > 0 || choice.prices.size > 0 ? choice : null)
  const found = query.data
  const onSent = (sent: PriceChange, leaving: string) => {
    setWish(null)
    // Ticks of what was sent are no ticks any more; what was typed for the others stays.
    setChoice((now) => ({
      ...now,
      ticked: new Set(),
      prices: new Map([...now.prices].filter(([lineId]) => !now.ticked.has(lineId))),
    }))
    toast.undo(
      `New prices from ${formatDay(sent.fromOn, { year: true })}${leaving ? `; ${leaving}` : ''}`,
      () =>
        undo
          .mutateAsync(sent.id)
          .then(() => toast.success('Undone: the old prices hold again'))
          .catch(toast.error),
      `prices:${sent.id}`,
    )
  }
  return (
    <>
      <PageHeader
        title="Price letters"
        sub={
          found && found.count > 0
            ? `${servicesBelow(found.count, found.properties)} than your target of ${formatCents(found.targetLaborHourCents)} for a labor hour`
            : undefined
        }
      />
      <div className="an-page">
        <div className="an-bar">
          <FilterChips
            label="Finished visits of"
            single
            chips={lawnPeriods.map((value) => ({ value, label: periodNames[value] }))}
            values={[period]}
            onChange={([value]) => change({ period: value ?? null }, { replace: true })}
          />
          {of ? <Button href={linkTo.priceLetters({ period })}>Show all lawns</Button> : null}
        </div>
        {query.isError && !found ? (
          <ErrorState
            error={query.error}
            title="We could not load what lawns earn"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : !found ? (
          <CardSkeleton />
        ) : (
          <>
            {found.items.length === 0 ? (
              <Nothing found={found} />
            ) : (
              <Chooser found={found} choice={choice} onChoice={setChoice} onLetters={setWish} />
            )}
            <Left found={found} />
            {found.letters.length > 0 ? <SentLetters letters={found.letters} /> : null}
            <p className="hint lw-how">
              What a lawn earns is its price of now over the labor of its visits, on site and on the road, each person
              counted; of a visit with several services each has its part by the planned minutes, and visits far from
              the others are left out. The suggested price reaches your{' '}
              <LinkTo href={`${paths.profile}#costs`}>target</LinkTo>, up to the step in which the service is priced.
              Job costing asks what a property earned in its days, all of its services together; here each service
              counts by its price of now, so the two do not name the same number. How long before customers hear of it
              is set under <LinkTo href={`${paths.profile}#invoicing`}>Invoices</LinkTo>.
            </p>
          </>
        )}
      </div>
      {wish ? <LetterDialog wish={wish} onClose={() => setWish(null)} onSent={onSent} /> : null}
    </>
  )
}
