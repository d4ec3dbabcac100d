import { crewCentsPerSecond, METERS_PER_MILE, mayServe, overtimeCentsPerSecond, prizeCentsOf } from './compile.ts'
import { windowsOn } from './compile-windows.ts'
import { fixedOrder, pinnedSkeletons, type Relief } from './pins.ts'
import type { CostBreakdown, CrewDay, Evaluation, Plan, Problem, Reason, Route, Violation, Visit } from './problem.ts'
import { type Schedule, scheduleRoute, serviceSecondsOn } from './schedule.ts'
import { daysOf, seriesLinks } from './series.ts'

type Money = Omit<CostBreakdown, 'totalCents'>
type Context = {
  problem: Problem
  money: Money
  violations: Violation[]
  relief: Map<string, Relief>
  lateStarts: Map<string, number>
}

/**
 * Costs a plan exactly as it stands: clock times (seconds), money (cents) and every rule it breaks, late stops included.
 * Nothing is moved. Unknown ids are reported and left out, a visit named twice counts where it stands first.
 * `reasons` supplies why a visit is unserved where the caller knows; else the reason is that the plan leaves it out.
 */
export function evaluate(problem: Problem, plan: Plan, reasons?: Map<string, Reason[]>): Evaluation {
  const skeletons = pinnedSkeletons(problem, new Map())
  const context: Context = {
    problem,
    money: {
      unservedCents: 0,
      driveLaborCents: 0,
      mileageCents: 0,
      waitCents: 0,
      overtimeCents: 0,
      fixedCents: 0,
      latenessCents: 0,
      preferenceCents: 0,
    },
    violations: [],
    relief: new Map(problem.crewDays.map((c, i) => [c.id, skeletons.relief[i]!])),
    lateStarts: new Map([...skeletons.lateStarts].map(([u, start]) => [problem.visits[u]!.id, start])),
  }
  const visits = new Map<string, Visit>()
  for (const visit of problem.visits) if (!visits.has(visit.id)) visits.set(visit.id, visit)
  const served = new Set<string>()
  const orders = new Map<string, Visit[]>()
  for (const route of plan.routes) {
    const order = orders.get(route.crewDayId) ?? []
    if (!problem.crewDays.some((c) => c.id === route.crewDayId)) {
      report(
        context,
        'unknown',
        0,
        false,
        `The plan names a crew-day that does not exist: ${route.crewDayId}.`,
        route.crewDayId,
      )
      continue
    }
    orders.set(route.crewDayId, order)
    for (const id of route.visitIds) {
      const visit = visits.get(id)
      if (!visit)
        report(context, 'unknown', 0, false, `The plan names a visit that does not exist: ${id}.`, route.crewDayId, id)
      else if (served.has(id))
        report(context, 'duplicate', 0, false, 'The visit stands in the plan twice.', route.crewDayId, id)
      else {
        served.add(id)
        order.push(visit)
      }
    }
  }
  const routes = problem.crewDays.map((crewDay) => evaluateRoute(context, crewDay, orders.get(crewDay.id) ?? []))
  const unserved = problem.visits
    .filter((visit) => !served.has(visit.id) || visits.get(visit.id) !== visit)
    .map((visit) => {
      context.money.unservedCents += prizeCentsOf(visit)
      const twin: Reason[] = [{ code: 'bad-data', text: 'Another visit has the same id.' }]
      const left: Reason[] = [{ code: 'full', text: 'The plan leaves it out.' }]
      return { visitId: visit.id, reasons: visits.get(visit.id) !== visit ? twin : (reasons?.get(visit.id) ?? left) }
    })
  const totals = { driveSeconds: 0, driveMeters: 0, waitSeconds: 0, lateSeconds: 0, routesUsed: 0, served: served.size }
  for (const route of routes) {
    if (route.stops.length) totals.routesUsed++
    totals.driveSeconds += route.totals.driveSeconds
    totals.driveMeters += route.totals.driveMeters
    totals.waitSeconds += route.totals.waitSeconds
    totals.lateSeconds += route.totals.lateSeconds
  }
  reportSeries(context, plan)
  return { routes, unserved, cost: roundMoney(context.money), totals, violations: context.violations }
}

function roundMoney(money: Money): CostBreakdown {
  const rounded = { ...money }
  let totalCents = 0
  for (const key of Object.keys(rounded) as (keyof Money)[]) totalCents += rounded[key] = Math.round(rounded[key])
  return { totalCents, ...rounded }
}

function report(
  context: Context,
  kind: Violation['kind'],
  amount: number,
  byPins: boolean,
  text: string,
  crewDayId?: string,
  visitId?: string,
): void {
  context.violations.push({
    kind,
    amount,
    byPins,
    text,
    ...(crewDayId === undefined ? {} : { crewDayId }),
    ...(visitId === undefined ? {} : { visitId }),
  })
}

function evaluateRoute(context: Context, crewDay: CrewDay, visits: Visit[]): Route {
  const { problem, money } = context
  const times = scheduleRoute(problem, crewDay, visits)
  const route: Route = {
    crewDayId: crewDay.id,
    stops: visits.map((visit, i) => {
      const stop = times.stops[i]!
      return {
        visitId: visit.id,
        arriveSeconds: stop.arrive,
        startSeconds: stop.start,
        leaveSeconds: stop.leave,
        waitSeconds: stop.wait,
        driveSeconds: stop.leg.seconds,
        driveMeters: stop.leg.meters,
        lateSeconds: stop.late,
      }
    }),
    break: times.break,
    totals: {
      stops: visits.length,
      departSeconds: times.depart,
      endSeconds: times.end,
      driveSeconds: times.home.seconds,
      driveMeters: times.home.meters,
      serviceSeconds: 0,
      waitSeconds: times.idle,
      lateSeconds: times.late,
      overtimeSeconds: 0,
      load: [],
      costCents: 0,
    },
  }
  const totals = route.totals
  for (const [i, visit] of visits.entries()) {
    const stop = route.stops[i]!
    totals.driveSeconds += stop.driveSeconds
    totals.driveMeters += stop.driveMeters
    totals.serviceSeconds += serviceSecondsOn(visit, crewDay)
    totals.waitSeconds += stop.waitSeconds
    for (const [d, q] of (visit.demand ?? []).entries()) totals.load[d] = (totals.load[d] ?? 0) + q
  }
  if (visits.length === 0) {
    totals.departSeconds = totals.endSeconds = crewDay.shiftStartSeconds
    return route
  }
  const before = Object.values(money).reduce((a, b) => a + b, 0)
  totals.overtimeSeconds = Math.max(0, times.end - (crewDay.overtimeAfterSeconds ?? Number.POSITIVE_INFINITY))
  money.driveLaborCents += totals.driveSeconds * crewCentsPerSecond(crewDay)
  money.mileageCents += (totals.driveMeters / METERS_PER_MILE) * (crewDay.centsPerMile ?? 0)
  money.waitCents += (totals.waitSeconds / 3600) * (crewDay.crewSize ?? 1) * (problem.waitCentsPerHour ?? 0)
  money.overtimeCents += totals.overtimeSeconds * overtimeCentsPerSecond(crewDay)
  money.fixedCents += crewDay.fixedCostCents ?? 0
  money.latenessCents += (totals.lateSeconds / 60) * (problem.lateCentsPerMinute ?? 100)
  for (const visit of visits) money.preferenceCents += visit.crewDayCostCents?.[crewDay.id] ?? 0
  totals.costCents = Math.round(Object.values(money).reduce((a, b) => a + b, 0) - before)
  reportRoute(context, crewDay, visits, times, route)
  return route
}

function reportRoute(context: Context, crewDay: CrewDay, visits: Visit[], times: Schedule, route: Route): void {
  const relief = context.relief.get(crewDay.id)!
  const { totals } = route
  const over = (kind: Violation['kind'], by: number, allowedByPins: number, text: string): void => {
    if (by > 0) report(context, kind, by, by <= allowedByPins, text, crewDay.id)
  }
  over(
    'shift',
    times.end - crewDay.shiftEndSeconds,
    relief.endSeconds - crewDay.shiftEndSeconds,
    `The day ends ${minutes(times.end - crewDay.shiftEndSeconds)} after the shift.`,
  )
  over(
    'break',
    times.breakLate,
    relief.breakLate ? Number.POSITIVE_INFINITY : 0,
    `The break starts ${minutes(times.breakLate)} late.`,
  )
  for (const [d, limit] of (crewDay.capacity ?? []).entries())
    over('capacity', (totals.load[d] ?? 0) - limit, (relief.load[d] ?? 0) - limit, 'The truck is overloaded.')
  if (crewDay.maxStops !== undefined)
    over(
      'max-stops',
      visits.length - crewDay.maxStops,
      relief.stops - crewDay.maxStops,
      `More than ${crewDay.maxStops} stops.`,
    )
  if (crewDay.maxDriveSeconds !== undefined) {
    const by = totals.driveSeconds - crewDay.maxDriveSeconds
    over('max-drive', by, relief.driveSeconds - crewDay.maxDriveSeconds, `${minutes(by)} more driving than allowed.`)
  }
  for (const [i, visit] of visits.entries()) {
    const stop = times.stops[i]!
    const at = (kind: Violation['kind'], amount: number, byPins: boolean, text: string): void =>
      report(context, kind, amount, byPins, text, crewDay.id, visit.id)
    const fixed = visit.pin?.crewDayId === crewDay.id && visit.pin.order !== undefined
    if (stop.late > 0)
      at(
        'late',
        stop.late,
        stop.start <= (context.lateStarts.get(visit.id) ?? Number.NEGATIVE_INFINITY),
        `Starts ${minutes(stop.late)} after its window.`,
      )
    if (!stop.leg.reachable) at('unreachable', 0, relief.frozen, 'There is no way there from the stop before.')
    if (visit.pin && visit.pin.crewDayId !== crewDay.id) at('pin', 0, false, 'It is pinned to another crew-day.')
    else if (visit.skills?.some((skill) => !crewDay.skills?.includes(skill)))
      at('skill', 0, fixed, `The crew lacks: ${visit.skills.filter((s) => !crewDay.skills?.includes(s)).join(', ')}.`)
    else if (!mayServe({ ...visit, pin: undefined }, crewDay))
      at(
        'not-allowed',
        0,
        fixed,
        windowsOn(visit.windows, crewDay.day ?? 0)?.length === 0
          ? 'It has no open window on this day.'
          : 'The crew-day is not allowed for it.',
      )
  }
  const last = visits[visits.length - 1]
  if (last && !times.home.reachable)
    report(context, 'unreachable', 0, relief.frozen, 'There is no way back from the last stop.', crewDay.id, last.id)
  reportPins(context, crewDay, visits)
}

function reportPins(context: Context, crewDay: CrewDay, visits: Visit[]): void {
  const wanted = fixedOrder(context.problem, crewDay.id).map((u) => context.problem.visits[u]!)
  if (wanted.length === 0) return
  const places = wanted.map((visit) => visits.indexOf(visit))
  for (const [i, visit] of wanted.entries()) {
    if (places[i]! < 0) continue
    const prior = i === 0 ? -1 : places[i - 1]!
    if (i > 0 && prior > places[i]!)
      report(context, 'pin', 0, false, 'The pinned order is not kept.', crewDay.id, visit.id)
    else if (visit.pin!.lockGapBefore && (i === 0 || prior >= 0) && prior !== places[i]! - 1)
      report(context, 'pin', 0, false, 'Another stop stands in a locked gap.', crewDay.id, visit.id)
  }
}

/** Visits of a series too near each other or too far apart, told at the later one. */
function reportSeries(context: Context, plan: Plan): void {
  const { problem } = context
  const links = seriesLinks(problem)
  if (!links) return
  const dayOf = daysOf(problem, plan)
  for (const [u, visit] of problem.visits.entries()) {
    const before = links.before[u]!
    const day = dayOf(u)
    const from = before < 0 ? null : dayOf(before)
    if (day === null || from === null) continue
    const days = day - from
    if (days >= links.leastDays[u]! && days <= links.mostDays[u]!) continue
    const fixed = visit.pin?.order !== undefined && problem.visits[before]!.pin?.order !== undefined
    const off = Math.max(links.leastDays[u]! - days, days - links.mostDays[u]!)
    report(context, 'series', off, fixed, `Comes ${days} days after the visit before it.`, undefined, visit.id)
  }
}

/** Seconds as "7 min" (rounded up), for texts. */
export function minutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} min`
}
