import { type Compiled, compile, mayServe } from './compile.ts'
import { fitForward, NEVER, windowsOn } from './compile-windows.ts'
import { minutes } from './evaluate.ts'
import { fits, gapsKept } from './insertion.ts'
import { stateOf } from './orders.ts'
import type { CrewDay, Plan, Problem, Reason, ReasonCode, Visit } from './problem.ts'
import { legBetween, scheduleRoute, serviceSecondsOn } from './schedule.ts'
import type { State } from './state.ts'

/** Above this many unserved visits only what would rule a visit out of an empty plan is looked for: gap by gap would outlast the search. */
const DETAILED = 300

/**
 * Why the visit is late, or not (nor could be) on each crew-day of the plan, most telling first; [] when it is served in
 * time.
 */
export function explain(problem: Problem, plan: Plan, visitId: string): Reason[] {
  const route = plan.routes.find((one) => one.visitIds.includes(visitId))
  if (route) return explainLate(problem, route, visitId)
  return explainAbsent(problem, plan, [visitId]).get(visitId) ?? [{ code: 'bad-data', text: 'There is no such visit.' }]
}

function explainLate(problem: Problem, route: Plan['routes'][number], visitId: string): Reason[] {
  const crewDay = problem.crewDays.find((one) => one.id === route.crewDayId)
  const byId = new Map(problem.visits.map((visit) => [visit.id, visit]))
  const order = route.visitIds.flatMap((id) => byId.get(id) ?? [])
  const at = order.findIndex((visit) => visit.id === visitId)
  if (!crewDay || at < 0) return []
  const visit = order[at]!
  const late = scheduleRoute(problem, crewDay, order).stops[at]!.late
  if (late <= 0) return []
  const because = (text: string): Reason => ({ code: 'late', crewDayId: crewDay.id, text })
  const reasons = [because(`It starts ${minutes(late)} after its window closes.`)]
  if (visit.pin?.order !== undefined) reasons.push(because('It was fixed in this place by hand.'))
  const others = order.filter((one) => one !== visit)
  for (let position = at - 1; position >= 0; position--) {
    const tried = scheduleRoute(problem, crewDay, others.toSpliced(position, 0, visit))
    if (tried.stops[position]!.late === 0) return [...reasons, because(`As stop ${position + 1} it would be in time.`)]
  }
  return [...reasons, because('Even as the first stop of this day it would be late.')]
}

/** `explain` for many visits at once, by visit id. The first reason sums up, those with a crewDayId follow. */
export function explainAbsent(
  problem: Problem,
  plan: Plan,
  visitIds: string[],
  compiled?: Compiled,
): Map<string, Reason[]> {
  const found = new Map<string, Reason[]>()
  if (visitIds.length === 0) return found
  const c = compiled ?? compile(problem)
  const s = stateOf(c, plan)
  const index = new Map(problem.visits.map((visit, u) => [visit.id, u]))
  for (const [k, id] of visitIds.entries()) {
    const u = index.get(id)
    if (u === undefined) continue
    const excluded = c.excluded.get(u)
    const each = excluded
      ? []
      : k < DETAILED
        ? problem.crewDays.map((crewDay, r) => reasonOn(s, u, crewDay, r))
        : neverReasons(problem, u)
    found.set(id, [excluded ?? sumUp(problem.visits[u]!, each), ...each])
  }
  return found
}

/** Per crew-day what rules it out for good; [] as soon as one crew-day could have it, were it empty. */
function neverReasons(problem: Problem, u: number): Reason[] {
  const reasons: Reason[] = []
  for (const crewDay of problem.crewDays) {
    const never = neverOn(problem, problem.visits[u]!, crewDay)
    if (!never) return []
    reasons.push({ ...never, crewDayId: crewDay.id })
  }
  return reasons
}

function reasonOn(s: State, u: number, crewDay: CrewDay, r: number): Reason {
  const { c } = s
  const visit = c.problem.visits[u]!
  const because = (code: ReasonCode, text: string): Reason => ({ code, crewDayId: crewDay.id, text })
  // First of all: a stop may be in reach of the others only, and then what holds for it alone is not why.
  for (let i = c.n + r; i < c.n || i === c.n + r; i = s.next[i]!)
    if (fits(s, u, i, r)) return because('not-worth-it', 'It would fit, but costs more than leaving it out.')
  const never = neverOn(c.problem, visit, crewDay)
  if (never) return because(never.code, never.text)
  if (c.frozen[r])
    return because(
      'pinned-gaps',
      'The fixed stops of this day cannot be driven or leave no room for the break, so nothing is added.',
    )
  if (!gapsKept(s, u, r))
    return because('series', 'It would be too near the visit before or after it in its series, or too far from it.')
  for (let d = 0; d < c.dims; d++)
    if (s.load[r * c.dims + d]! + c.demand[u * c.dims + d]! > c.capacity[r * c.dims + d]!)
      return because('capacity', 'The truck is full.')
  if (s.count[r]! >= c.maxStops[r]!) return because('max-stops', `The day already has ${s.count[r]} stops, its limit.`)
  let withinWindow = false
  let openGap = false
  let drives = false
  for (let i = c.n + r; i < c.n || i === c.n + r; i = s.next[i]!) {
    const j = s.next[i]!
    if (j < c.n && c.lockedBefore[j] === 1) continue
    openGap = true
    const drive = c.seconds[c.place[i]! * c.places + c.place[u]!]!
    const back = c.seconds[c.place[u]! * c.places + c.place[j]!]!
    if (s.drive[r]! + drive + back - s.leg[i]! <= c.maxDrive[r]!) drives = true
    if (fitForward(c.windows, u * c.windows.days + c.dayOf[r]!, s.depart[i]! + drive) < NEVER) withinWindow = true
  }
  if (!openGap) return because('pinned-gaps', 'Every gap between the fixed stops is locked.')
  if (!drives) return because('max-drive', 'The day would drive longer than its limit.')
  if (!withinWindow) return because('window', 'The crew cannot get there before its window closes.')
  return because('full', 'No gap is long enough: a later stop or the end of the shift would be missed.')
}

/** What rules the visit out of the crew-day even with no other stop on it, or null. */
function neverOn(problem: Problem, visit: Visit, crewDay: CrewDay): { code: ReasonCode; text: string } | null {
  const missing = visit.skills?.filter((skill) => !crewDay.skills?.includes(skill)) ?? []
  if (missing.length) return { code: 'skill', text: `The crew lacks: ${missing.join(', ')}.` }
  if (windowsOn(visit.windows, crewDay.day ?? 0)?.length === 0)
    return { code: 'window', text: 'It has no open window on this day.' }
  if (!mayServe(visit, crewDay))
    return {
      code: 'not-allowed',
      text: visit.pin ? 'It is pinned to another crew-day.' : 'This crew-day is not allowed for it.',
    }
  if (
    !legBetween(problem, crewDay.startLocation, visit.location).reachable ||
    !legBetween(problem, visit.location, crewDay.endLocation).reachable
  )
    return { code: 'unreachable', text: 'There is no way to it from where the crew starts or ends.' }
  const shift = crewDay.shiftEndSeconds - crewDay.shiftStartSeconds
  const service = serviceSecondsOn(visit, crewDay)
  if (service > shift)
    return {
      code: 'too-long',
      text: `It takes ${minutes(service)}, the whole shift is ${minutes(Math.max(0, shift))}.`,
    }
  for (const [d, limit] of (crewDay.capacity ?? []).entries())
    if ((visit.demand?.[d] ?? 0) > limit) return { code: 'capacity', text: 'It is more than the truck can carry.' }
  const alone = scheduleRoute(problem, crewDay, [visit])
  const drive = alone.home.seconds + (alone.stops[0]?.leg.seconds ?? 0)
  if (crewDay.maxDriveSeconds !== undefined && drive > crewDay.maxDriveSeconds)
    return { code: 'max-drive', text: `The drive there and back is ${minutes(drive)}, more than the day may have.` }
  if (alone.late > 0)
    return { code: 'window', text: `Even as the first stop it starts ${minutes(alone.late)} after its window.` }
  if (alone.end > crewDay.shiftEndSeconds)
    return {
      code: 'shift',
      text: `Even alone on the day it ends ${minutes(alone.end - crewDay.shiftEndSeconds)} after the shift.`,
    }
  if (alone.breakLate > 0) return { code: 'break', text: 'It leaves no room for the break.' }
  return null
}

function sumUp(visit: Visit, each: Reason[]): Reason {
  const codes = new Set(each.map((reason) => reason.code))
  const first = each[0]
  if (first && codes.size === 1) {
    const texts = new Set(each.map((reason) => reason.text))
    const general: Partial<Record<ReasonCode, string>> = {
      skill: `No crew has all of: ${visit.skills?.join(', ')}.`,
      'too-long': 'It takes longer than any shift.',
      unreachable: 'There is no way to it from any crew.',
      window: 'No crew can get there inside its window.',
      full: 'Every day it could go on is full.',
      capacity: 'No truck has room for it.',
    }
    return {
      code: first.code,
      text: general[first.code] ?? (texts.size === 1 ? first.text : 'No crew-day can take it.'),
    }
  }
  if (codes.has('full') || codes.size === 0) return { code: 'full', text: 'Every day it could go on is full.' }
  const telling: ReasonCode[] = [
    'not-worth-it',
    'capacity',
    'max-stops',
    'max-drive',
    'window',
    'series',
    'pinned-gaps',
    'shift',
    'break',
    'too-long',
    'unreachable',
    'skill',
    'not-allowed',
  ]
  const code = telling.find((t) => codes.has(t))!
  return { code, text: each.find((reason) => reason.code === code)!.text }
}
