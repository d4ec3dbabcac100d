import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { formatMinute, minuteOfDay } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { StripLanes } from '../../../ui/StripLanes.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { estimateMessage } from '../../travel/rules.ts'
import type { DayPlan } from '../contract.ts'
import { savedMessage } from '../rules.ts'
import { fillLabel, lanesOf, miles, plannedMessage, shortDuration, stopsLabel } from './plan.ts'

type Props = { plan: DayPlan; searching: boolean; visitId: string | null; onChoose: (visitId: string) => void }

/** Every crew's day as its swath, and what all of them drive. */
export const DayLanes = ({ plan, searching, visitId, onChoose }: Props) => {
  const [params] = useSearchParams()
  const lanes = useMemo(() => {
    const hrefOf = (crewId: string): string => {
      const next = new URLSearchParams(params)
      next.set(recordParam.crew, crewId)
      return `/route-map?${next}`
    }
    return lanesOf(plan, hrefOf).map((lane) => {
      const crew = plan.crews.find((c) => c.crewId === lane.id)
      if (!crew) return lane
      const over = (crew.totals.endMinute ?? 0) > crew.shiftEndMinute
      return {
        ...lane,
        rightSub: searching ? (
          stopsLabel(crew.stops.length)
        ) : (
          <span className={over ? 'route__over' : undefined}>{fillLabel(crew)}</span>
        ),
      }
    })
  }, [plan, params, searching])
  const { timeZone } = useUser().business
  const now = plan.day === plan.today ? { nowMinute: minuteOfDay(new Date(), timeZone) } : {}
  const { totals, booked } = plan
  const hint = [plan.plannedMs === null ? null : plannedMessage(plan.plannedMs), estimateMessage(plan.estimated)]
    .filter(Boolean)
    .join(' · ')
  const backs = plan.crews.flatMap(({ backAtMinute }) => (backAtMinute === null ? [] : [backAtMinute]))
  const saved = savedMessage(totals.driveSeconds, booked.driveSeconds)
  return (
    <section className="route__lanes" aria-label="The crews' day">
      {searching ? (
        <p className="route__sum hint">The best plan so far. Its figures follow when the search ends.</p>
      ) : totals.stops > 0 ? (
        <p className="route__sum">
          <b>{shortDuration(totals.driveSeconds)}</b> of driving, {miles(totals.driveMeters)} miles
          {totals.laborCents === null ? '' : `, ${formatCents(totals.laborCents)} drive labor`}
          {saved ? <span className="route__saved"> · {saved}</span> : null}
          {backs.length === 0 ? '' : ` · last crew back at ${formatMinute(Math.max(...backs))}`}
          <span className="route__hint hint">{hint}</span>
        </p>
      ) : null}
      <StripLanes {...now} lanes={lanes} compact selectedId={visitId} onSelect={onChoose} />
    </section>
  )
}
