import { formatDay, formatDuration, formatMiles, formatMinute } from '../../../shared/dates.ts'
import type { MapLine, MapPin } from '../../../ui/mapPins.ts'
import type { StripLane } from '../../../ui/StripLanes.tsx'
import { isTerminal, statusLabel, stripState } from '../../visits/rules.ts'
import type {
  DayPlan,
  PlanChange,
  RouteCrew,
  RouteRun,
  RouteStop,
  RouteTotals,
  RunResult,
  UnplacedVisit,
} from '../contract.ts'
import { readStops } from '../proposals/rules.ts'
import type { NextStep } from '../rules.ts'

/** A day's plan as pins, lanes, rows and words. */

export const dueList = 'due'

export type Item = { kind: 'stop'; stop: RouteStop } | { kind: 'due'; visit: UnplacedVisit }

export const itemId = (item: Item): string => (item.kind === 'stop' ? item.stop.visitId : item.visit.visitId)
export const itemStreet = (item: Item): string => (item.kind === 'stop' ? item.stop.street : item.visit.street)

const asStop = (item: Item): RouteStop =>
  item.kind === 'stop'
    ? item.stop
    : {
        visitId: item.visit.visitId,
        jobNumber: 0,
        street: item.visit.street,
        city: item.visit.city,
        customerName: item.visit.customerName,
        title: item.visit.title,
        latitude: item.visit.latitude,
        longitude: item.visit.longitude,
        approximate: item.visit.approximate,
        minutes: item.visit.budgetMinutes,
        startMinute: null,
        driveSecondsBefore: 0,
        driveMetersBefore: 0,
        windowStartMinute: item.visit.windowStartMinute,
        windowEndMinute: item.visit.windowEndMinute,
        pinned: false,
        begun: false,
        status: 'scheduled',
        can: { move: true, pin: true },
        lateMinutes: 0,
        overShift: false,
      }

const asDue = (item: Item, day: string): UnplacedVisit =>
  item.kind === 'due'
    ? item.visit
    : {
        visitId: item.stop.visitId,
        street: item.stop.street,
        city: item.stop.city,
        customerName: item.stop.customerName,
        title: item.stop.title,
        day,
        daysLate: 0,
        budgetMinutes: item.stop.minutes,
        windowStartMinute: item.stop.windowStartMinute,
        windowEndMinute: item.stop.windowEndMinute,
        latitude: item.stop.latitude,
        longitude: item.stop.longitude,
        approximate: item.stop.approximate,
        places: [],
        reason: null,
        advice: null,
        adviceHref: null,
      }

/** Why visits could not be placed, where several have the same reason: said once, the most common first. */
export const sharedReasons = (
  unplaced: readonly Pick<UnplacedVisit, 'reason' | 'advice'>[],
): { reason: string; advice: string | null; count: number }[] => {
  const counts = new Map<string, { reason: string; advice: string | null; count: number }>()
  for (const { reason, advice } of unplaced) {
    if (!reason) continue
    const key = `${reason}\n${advice}`
    counts.set(key, { reason, advice, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].filter(({ count }) => count > 1).sort((a, b) => b.count - a.count)
}

/** Stops that a search may put in order, and whether there is a button to begin it: without one nothing may speak of it. */
export const toOptimize = (plan: DayPlan, step: NextStep): { stops: number; offered: boolean } => {
  const open = plan.crews.flatMap((c) => c.stops).filter((s) => !s.begun).length
  const placeable = plan.unplaced.filter((v) => v.latitude !== null).length
  const stops = step.kind === 'optimize' ? step.stops : open + placeable
  const works = plan.crews.some((c) => c.works || c.stops.length > 0)
  return { stops, offered: plan.can.change && (step.kind === 'optimize' || (stops > 0 && works)) }
}

/** The plan with a stop where it was dropped, until the server has answered with its times. */
export const movedPlan = (
  plan: DayPlan,
  to: { visitId: string; crewId: string | null; position?: number },
): DayPlan => {
  const due = plan.unplaced.find((v) => v.visitId === to.visitId)
  const stop = plan.crews.flatMap((c) => c.stops).find((s) => s.visitId === to.visitId)
  const item: Item | null = stop ? { kind: 'stop', stop } : due ? { kind: 'due', visit: due } : null
  if (!item) return plan
  const unplaced = plan.unplaced.filter((v) => v.visitId !== to.visitId)
  return {
    ...plan,
    unplaced: to.crewId === null ? [...unplaced, asDue(item, plan.day)] : unplaced,
    crews: plan.crews.map((crew) => {
      const stops = crew.stops.filter((s) => s.visitId !== to.visitId)
      if (crew.crewId !== to.crewId) return stops.length === crew.stops.length ? crew : { ...crew, stops }
      const at = Math.min(to.position ?? stops.length, stops.length)
      return { ...crew, stops: [...stops.slice(0, at), asStop(item), ...stops.slice(at)] }
    }),
  }
}

/** The plan with the stops where a search that is going on has them now; nothing of it can be moved by hand. */
export const searchedPlan = (plan: DayPlan, run: Pick<RouteRun, 'visitIds' | 'crewDays'>, stops: string): DayPlan => {
  const due = new Map(plan.unplaced.map((visit) => [visit.visitId, asStop({ kind: 'due', visit })]))
  const known = new Map([
    ...due,
    ...plan.crews.flatMap((crew) => crew.stops.map((stop) => [stop.visitId, stop] as const)),
  ])
  const searched = new Set(run.visitIds)
  const placed = new Set<string>()
  const routes = readStops(stops)
  const crews = plan.crews.map((crew) => {
    const at = run.crewDays.findIndex((c) => c.crewId === crew.crewId && c.day === plan.day)
    const found = at < 0 ? undefined : routes[at]
    if (!found) return crew
    const open = found.flatMap(({ visit, startMinute }): RouteStop[] => {
      const id = run.visitIds[visit]
      const stop = id === undefined ? undefined : known.get(id)
      if (!stop) return []
      placed.add(stop.visitId)
      // News of a search speaks of starts only: the drives of the old order would be wrong here.
      return [{ ...stop, startMinute, driveSecondsBefore: 0, driveMetersBefore: 0, lateMinutes: 0, overShift: false }]
    })
    const begun = crew.stops.filter((stop) => stop.begun)
    const apart = crew.stops.filter((stop) => !stop.begun && !searched.has(stop.visitId))
    return { ...crew, ordered: true, homeDriveSeconds: 0, stops: [...begun, ...open, ...apart] }
  })
  return {
    ...plan,
    can: { change: false },
    crews,
    unplaced: plan.unplaced.filter((visit) => !placed.has(visit.visitId)),
    totals: { ...plan.totals, stops: crews.reduce((sum, crew) => sum + crew.stops.length, 0) },
  }
}

/** "8 AM", "8:30 AM": full hours without their zeros. */
const shortTime = (minute: number): string => formatMinute(minute).replace(':00', '')

/** "8–10 AM", "11 AM – 1 PM", "from 1 PM", "by 10 AM" or null. */
export const windowLabel = (v: { windowStartMinute: number | null; windowEndMinute: number | null }): string | null => {
  const { windowStartMinute: from, windowEndMinute: to } = v
  if (from !== null && to !== null) {
    const [begin, end] = [shortTime(from), shortTime(to)]
    return begin.slice(-2) === end.slice(-2) ? `${begin.slice(0, -3)}–${end}` : `${begin} – ${end}`
  }
  if (from !== null) return `from ${shortTime(from)}`
  return to === null ? null : `by ${shortTime(to)}`
}

export const lateLabel = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'} late`

export const stopsLabel = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'stop' : 'stops'}`
export const crewsLabel = (n: number): string => `${n} ${n === 1 ? 'crew' : 'crews'}`

/** "3 h 12" as in a table, "41 min" below an hour. */
export const shortDuration = (seconds: number): string => formatDuration(seconds).replace(/( h \d\d) min$/, '$1')
export const miles = (meters: number): string => formatMiles(meters).replace(/ mi$/, '')

export const wayWords = { cost: 'Least driving', hour: 'Crews end within an hour', even: 'Crews end together' } as const

/** The other ways to share the day out, each with what it costs against the one chosen: "Crews end together: +35 min, +$33". */
export const evennessWords = ({
  chosen,
  choices,
}: NonNullable<RunResult['evenness']>): { evenness: keyof typeof wayWords; words: string }[] => {
  const now = choices.find((choice) => choice.evenness === chosen)
  if (!now) return []
  return choices
    .filter((choice) => choice.evenness !== chosen)
    .map(({ evenness, moreDriveSeconds, moreCents }) => {
      const minutes = Math.round((moreDriveSeconds - now.moreDriveSeconds) / 60)
      const cents = moreCents === null || now.moreCents === null ? null : moreCents - now.moreCents
      const sign = (n: number) => (n < 0 ? '−' : '+')
      const price = [
        `${sign(minutes)}${Math.abs(minutes)} min`,
        ...(cents === null ? [] : [`${sign(cents)}$${Math.round(Math.abs(cents) / 100)}`]),
      ]
      return { evenness, words: `${wayWords[evenness]}: ${price.join(', ')}` }
    })
}

export const addedMessage = (seconds: number): string => `+${Math.max(0, Math.round(seconds / 60))} min`

export const offMessage = { rain: 'rained off', out: 'out today' } as const

/** "Tue, Nov 24 · North · 9:10 AM", or what it had instead. */
export const placeLabel = (place: PlanChange['from'], withDay: boolean): string =>
  [
    withDay ? formatDay(place.day) : null,
    place.crewName ?? 'no crew',
    place.startMinute === null ? null : formatMinute(place.startMinute),
  ]
    .filter(Boolean)
    .join(' · ')

/** "15 stops · 96% of shift" */
export const fillLabel = (crew: Pick<RouteCrew, 'stops' | 'totals' | 'works' | 'off'>): string => {
  if (crew.stops.length === 0) return crew.off ? offMessage[crew.off] : crew.works ? 'no stops' : 'off today'
  return `${stopsLabel(crew.stops.length)} · ${crew.totals.shiftPercent}% of shift`
}

export const lanesOf = (plan: DayPlan, hrefOf: (crewId: string) => string): StripLane[] =>
  plan.crews
    .filter((crew) => crew.works || crew.stops.length > 0)
    .map((crew) => ({
      id: crew.crewId,
      name: crew.name,
      color: crew.color,
      href: hrefOf(crew.crewId),
      shift: { startMinute: crew.shiftStartMinute, endMinute: crew.shiftEndMinute },
      driveHomeMinutes: crew.homeDriveSeconds / 60,
      stops: crew.stops.map((stop) => ({
        id: stop.visitId,
        label: stop.street,
        minutes: stop.minutes,
        // Starts are whole minutes, rounded down: a drive rounded up would begin before the shift.
        driveMinutesBefore: Math.floor(stop.driveSecondsBefore / 60),
        state: stripState(stop.status),
        detail: [stop.customerName, stop.begun ? statusLabel(stop.status) : windowLabel(stop)]
          .filter(Boolean)
          .join(' · '),
        ...(stop.startMinute === null ? {} : { startMinute: stop.startMinute }),
      })),
    }))

const onMap = <T extends { latitude: number | null; longitude: number | null }>(v: T) =>
  v.latitude === null || v.longitude === null ? null : { lat: v.latitude, lon: v.longitude }

const roughLabel = ({ approximate }: { approximate: boolean }): string => (approximate ? ' (approximate place)' : '')

export const pinsOf = (plan: DayPlan, chosen: { crewId: string | null; visitId: string | null }): MapPin[] => {
  const pins: MapPin[] = []
  for (const visit of plan.unplaced) {
    const place = onMap(visit)
    if (place)
      pins.push({
        id: visit.visitId,
        ...place,
        name: `${visit.street}, unassigned${roughLabel(visit)}`,
        rough: visit.approximate,
        kind: 'customer',
        color: 'var(--ink-3)',
        selected: visit.visitId === chosen.visitId,
      })
  }
  for (const crew of plan.crews)
    for (const [index, stop] of crew.stops.entries()) {
      const place = onMap(stop)
      if (!place) continue
      const state = stripState(stop.status)
      pins.push({
        id: stop.visitId,
        ...place,
        label: index + 1,
        name: `${stop.street}, ${crew.name}${stop.startMinute === null ? '' : `, ${formatMinute(stop.startMinute)}`}${roughLabel(stop)}`,
        rough: stop.approximate,
        color: crew.color,
        state: state === 'paused' ? 'now' : state,
        selected: stop.visitId === chosen.visitId,
        faded: chosen.crewId !== null && chosen.crewId !== crew.crewId,
      })
    }
  const depots = new Map<string, MapPin>()
  for (const crew of plan.crews) {
    if (!crew.depot || !(crew.works || crew.stops.length)) continue
    const key = `${crew.depot.latitude},${crew.depot.longitude}`
    const known = depots.get(key)
    depots.set(key, {
      id: known?.id ?? `depot-${crew.crewId}`,
      lat: crew.depot.latitude,
      lon: crew.depot.longitude,
      name: known ? `${known.name}, ${crew.name}` : `Depot of ${crew.name}`,
      kind: 'depot',
    })
  }
  return [...pins, ...depots.values()]
}

export const linesOf = (plan: DayPlan, chosenCrewId: string | null): MapLine[] =>
  plan.crews
    .filter((crew) => crew.stops.length > 0)
    .map((crew) => {
      const depot = crew.depot ? [{ lat: crew.depot.latitude, lon: crew.depot.longitude }] : []
      return {
        id: crew.crewId,
        color: crew.color,
        points: [...depot, ...crew.stops.flatMap((stop) => onMap(stop) ?? []), ...depot],
        dashed: !crew.ordered,
        faded: chosenCrewId !== null && chosenCrewId !== crew.crewId,
      }
    })

/** What the plan is measured against after a search: what was there when it held the same stops, else the order of booking. */
export const comparedWith = (result: { before: RouteTotals; after: RouteTotals; booked: RouteTotals }) =>
  result.before.stops === result.after.stops
    ? { label: 'before', totals: result.before }
    : { label: 'as booked', totals: result.booked }

/** Crews of today that should have been on their way for an hour and have begun nothing: their times are of a morning that is over. */
export const overtaken = (plan: DayPlan, nowMinute: number): { names: string[]; firstMinute: number } | null => {
  if (plan.day !== plan.today) return null
  const first = plan.crews.flatMap(({ name, stops }) => {
    const minute = stops.some((stop) => stop.begun) ? null : (stops[0]?.startMinute ?? null)
    return minute !== null && minute + 60 <= nowMinute ? [{ name, minute }] : []
  })
  return first.length === 0
    ? null
    : { names: first.map(({ name }) => name), firstMinute: Math.min(...first.map(({ minute }) => minute)) }
}

/** A crew whose every stop is over is through, whether or not somebody has closed its day. */
export const isThrough = ({ status, stops }: Pick<DayPlan['crews'][number], 'status' | 'stops'>): boolean =>
  status === 'closed' || (stops.length > 0 && stops.every((stop) => isTerminal(stop.status)))

/** How long the search took; nobody is told of a plan that was there "in 0.0 s". */
export const plannedMessage = (ms: number): string =>
  ms < 100 ? 'Planned at once' : `Planned in ${(ms / 1000).toFixed(1)} s`
