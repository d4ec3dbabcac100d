import { formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import type { StripLane } from '../../../ui/StripLanes.tsx'
import { isTerminal, skipReasonLabel, statusLabel, stripState } from '../../visits/rules.ts'
import type { Dashboard } from '../contract.ts'

const names = (members: readonly string[]): string => members.join(', ')

type Stop = Dashboard['crews'][number]['stops'][number]

const placeOf = (stop: Stop, nowMinute: number | null): { startMinute?: number; minutes: number } => {
  const { actual, minutes } = stop
  if (!actual) {
    // What is still to do is not done in the past: when the crew is back counts from now, too.
    const soonest =
      nowMinute === null || isTerminal(stop.state)
        ? -Infinity
        : nowMinute + (stop.state === 'en_route' ? 0 : stop.driveMinutesBefore)
    const startMinute = Math.max(stop.startMinute ?? -Infinity, soonest)
    return Number.isFinite(startMinute) ? { startMinute, minutes } : { minutes }
  }
  const { startMinute, endMinute } = actual
  const { workedMinutes } = stop
  const elapsed = (endMinute ?? nowMinute ?? startMinute) - startMinute
  // The hours between a pause, or a finish that was taken back, and what came after it were not on site.
  const onSite = workedMinutes > 0 ? Math.min(workedMinutes, elapsed) : elapsed
  if (stop.state === 'paused') return { startMinute, minutes: Math.max(1, workedMinutes) }
  if (endMinute !== null) return { startMinute, minutes: onSite }
  return { startMinute: startMinute + elapsed - onSite, minutes: Math.max(minutes, onSite) }
}

const begunAt = (stop: Stop, nowMinute: number | null): number => placeOf(stop, nowMinute).startMinute ?? 0

/** What was begun stands where it took place, in that order; the rest follows as planned. */
const inTime = (stops: readonly Stop[], nowMinute: number | null): Stop[] => [
  ...stops.filter((stop) => stop.actual).sort((a, b) => begunAt(a, nowMinute) - begunAt(b, nowMinute)),
  ...stops.filter((stop) => !stop.actual),
]

/** The crews of the day as lanes of the strip. */
export const lanesOf = (d: Pick<Dashboard, 'crews' | 'today' | 'nowMinute'>): StripLane[] =>
  d.crews.map((crew) => ({
    id: crew.crewId,
    name: crew.name,
    sub: names(crew.members),
    color: crew.color,
    href: linkTo.routeDay(d.today, { crewId: crew.crewId }),
    shift: { startMinute: crew.shiftStartMinute, endMinute: crew.shiftEndMinute },
    stops: inTime(
      crew.stops.filter((stop) => stop.state !== 'canceled'),
      d.nowMinute,
    ).map((stop) => ({
      id: stop.visitId,
      label: stop.label,
      driveMinutesBefore: stop.driveMinutesBefore,
      state: stripState(stop.state),
      detail: [stop.customer, stop.skipReason ? skipReasonLabel(stop.skipReason) : statusLabel(stop.state)].join(' · '),
      ...placeOf(stop, d.nowMinute),
    })),
    backAtMinute: crew.backAtMinute,
    right: `${crew.counts.finished} of ${crew.counts.total} stops`,
    rightSub: [
      crew.counts.remaining === 0
        ? 'all done'
        : crew.backAtMinute === null
          ? 'not planned yet'
          : `back at ${formatMinute(crew.backAtMinute)}`,
      crew.unsent > 0 ? `${crew.unsent} more not sent` : null,
    ]
      .filter(Boolean)
      .join(' · '),
  }))
