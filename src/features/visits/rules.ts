import type { Refusal } from '../../shared/can.ts'
import type { Day } from '../../shared/dates.ts'

export { isSkipReason, type SkipReason, skipReasonLabel, skipReasons } from '../businesses/reasons/rules.ts'

/** The states of a visit, why one is skipped, and what a crew's day adds up to. */

export const visitStatuses = [
  'unscheduled',
  'scheduled',
  'en_route',
  'in_progress',
  'paused',
  'completed',
  'skipped',
  'canceled',
  'missed',
] as const
export type VisitStatus = (typeof visitStatuses)[number]

export const visitVerbs = [
  'move',
  'unschedule',
  'leave',
  'start',
  'pause',
  'resume',
  'finish',
  'skip',
  'unskip',
  'cancel',
  'miss',
  'forgo',
  'revive',
  'reopen',
] as const
export type VisitVerb = (typeof visitVerbs)[number]

const from = (to: VisitStatus, ...statuses: VisitStatus[]): Partial<Record<VisitStatus, VisitStatus>> =>
  Object.fromEntries(statuses.map((s) => [s, to]))

const transitions: Record<VisitVerb, Partial<Record<VisitStatus, VisitStatus>>> = {
  move: from('scheduled', 'unscheduled', 'scheduled', 'en_route'),
  unschedule: from('unscheduled', 'scheduled', 'en_route'),
  leave: from('en_route', 'scheduled'),
  start: from('in_progress', 'scheduled', 'en_route'),
  pause: from('paused', 'in_progress'),
  resume: from('in_progress', 'paused'),
  // A crew that forgot to press Start has still mowed the lawn.
  finish: from('completed', 'in_progress', 'paused', 'en_route', 'scheduled'),
  // A dog, a downpour, a broken mower: what was begun can turn out not to be done today.
  skip: from('skipped', 'scheduled', 'en_route', 'in_progress', 'paused'),
  unskip: from('scheduled', 'skipped'),
  cancel: from('canceled', 'unscheduled', 'scheduled', 'en_route'),
  miss: from('missed', 'unscheduled', 'scheduled', 'en_route'),
  // Work whose window went by: the office lets it go, or has it done all the same.
  forgo: from('skipped', 'missed'),
  revive: from('unscheduled', 'missed', 'skipped'),
  // What was finished goes on where it stopped; what was taken off the day stands on it again.
  reopen: { completed: 'paused', skipped: 'scheduled', canceled: 'scheduled' },
}

/** The state after a verb, or null when the state machine does not have it: the caller refuses with 409. */
export const nextStatus = (verb: VisitVerb, status: VisitStatus): VisitStatus | null =>
  transitions[verb][status] ?? null

const terminal: readonly VisitStatus[] = ['completed', 'skipped', 'canceled', 'missed']

/** Whether nothing more happens to a visit on its day. */
export const isTerminal = (status: VisitStatus): boolean => terminal.includes(status)

/** A crew is on its way to it, there, or has paused at it. */
export const isUnderWay = (status: VisitStatus): boolean =>
  status === 'en_route' || status === 'in_progress' || status === 'paused'

const statusNames: Record<VisitStatus, string> = {
  unscheduled: 'not scheduled',
  scheduled: 'scheduled',
  en_route: 'on the way',
  in_progress: 'being worked on',
  paused: 'paused',
  completed: 'finished',
  skipped: 'skipped',
  canceled: 'canceled',
  missed: 'missed',
}

/** A state in the words of a sentence: "This visit is already finished." */
export const statusLabel = (status: VisitStatus): string => statusNames[status]

/** Why a visit's state does not have a verb, or null. */
export const verbRefusal =
  (verb: VisitVerb): Refusal<{ status: VisitStatus }> =>
  ({ status }) =>
    nextStatus(verb, status) ? null : `This visit is ${statusLabel(status)}. Nothing was changed.`

/** What the office does with a visit. */
export const visitActions = ['move', 'unschedule', 'cancel', 'finish', 'skip', 'reopen', 'rebook'] as const
export type VisitAction = (typeof visitActions)[number]
export type VisitFacts = {
  status: VisitStatus
  invoiceId: string | null
  rebookedAs: string | null
  /** Of the visits that were booked in each other's place another one is open or done. */
  elsewhere: boolean
  /** Its job was completed, canceled or put away: nothing of it comes back by itself. */
  jobEnded: boolean
}

const onInvoice = ({ invoiceId }: Pick<VisitFacts, 'invoiceId'>): string | null =>
  invoiceId ? 'This visit is on an invoice. Void the invoice first, then reopen the visit. Nothing was changed.' : null

const standsElsewhere = 'The same work already stands on another visit.'

/** Back beside a visit that stands for it the same work would be done and billed twice. */
const twice: Refusal<Pick<VisitFacts, 'rebookedAs' | 'elsewhere'>> = ({ rebookedAs, elsewhere }) => {
  if (rebookedAs)
    return 'This visit already has another day. Cancel that one first, then bring this one back. Nothing was changed.'
  return elsewhere ? `${standsElsewhere} Cancel that one first, then bring this one back. Nothing was changed.` : null
}

const ended = ({ jobEnded }: VisitFacts): string | null =>
  jobEnded
    ? 'The job of this visit has ended. Reactivate the job first, then bring the visit back. Nothing was changed.'
    : null

/** Why a skip is not taken back, or null. */
export const unskipRefusal: Refusal<Pick<VisitFacts, 'rebookedAs' | 'elsewhere' | 'invoiceId'>> = (visit) =>
  visit.invoiceId
    ? 'The charge for this skip is on an invoice. Void the invoice first. Nothing was changed.'
    : twice(visit)

/** Why Undo would not bring a closed visit back to the state that it had before, or null. */
export const undoRefusal: Refusal<VisitFacts & { before: VisitStatus }> = (visit) =>
  isTerminal(visit.status) && !isTerminal(visit.before) ? (onInvoice(visit) ?? twice(visit) ?? ended(visit)) : null

/** Why a visit's state refuses what the office would do with it. */
export const visitRefusals: Record<VisitAction, Refusal<VisitFacts>> = {
  move: verbRefusal('move'),
  unschedule: verbRefusal('unschedule'),
  cancel: verbRefusal('cancel'),
  finish: verbRefusal('finish'),
  skip: verbRefusal('skip'),
  reopen: (visit) =>
    verbRefusal('reopen')(visit) ??
    onInvoice(visit) ??
    twice(visit) ??
    (visit.status === 'canceled' ? ended(visit) : null),
  rebook: ({ status, rebookedAs, elsewhere }) =>
    status !== 'skipped' && status !== 'missed'
      ? 'Only a skipped or missed visit gets another day. Nothing was changed.'
      : rebookedAs
        ? 'This visit already has another day.'
        : elsewhere
          ? `${standsElsewhere} Nothing was changed.`
          : null,
}

export type Worked = { status: VisitStatus; workedSeconds: number; intervalStartedAt: string | null }

/** Clock seconds on site up to an instant (milliseconds): spells that ended and the one that runs; never negative. */
export const workedSecondsAt = (visit: Worked, nowMs: number): number =>
  visit.workedSeconds +
  (visit.status === 'in_progress' && visit.intervalStartedAt
    ? Math.max(0, Math.round((nowMs - Date.parse(visit.intervalStartedAt)) / 1000))
    : 0)

/** Labor minutes on site: clock time times the people who shared it. */
export const laborMinutes = (workedSeconds: number, people: number): number => Math.round((workedSeconds * people) / 60)

/** Minutes on the clock that a budget of labor minutes is for so many people; at least one minute for any budget. */
export const onSiteMinutes = (budgetLaborMinutes: number, people: number): number =>
  budgetLaborMinutes <= 0 ? 0 : Math.max(1, Math.round(budgetLaborMinutes / Math.max(1, people)))

/** One stop of a crew's day in clock minutes. */
export type PacedStop = {
  status: VisitStatus
  /** Planned minutes on site. */
  minutes: number
  driveMinutesBefore: number
  /** Minutes worked so far. */
  workedMinutes: number
}

/** A stop as the arithmetic of a day takes it, at an instant (milliseconds). */
export const pacedStop = (
  stop: Worked & { budgetMinutes: number; driveSeconds: number | null; minutes?: number | undefined },
  people: number,
  nowMs: number,
): PacedStop => ({
  status: stop.status,
  minutes: stop.minutes ?? onSiteMinutes(stop.budgetMinutes, people),
  driveMinutesBefore: Math.round((stop.driveSeconds ?? 0) / 60),
  workedMinutes: Math.round(workedSecondsAt(stop, nowMs) / 60),
})

/** Minutes that a crew is still on site: what is planned less what is spent, and a moment at least where it stands. */
export const leftMinutes = ({ status, minutes, workedMinutes }: PacedStop, pace = 1): number =>
  Math.max(isTerminal(status) || status === 'scheduled' ? 0 : 2, minutes * pace - workedMinutes)

export type DayTotals = { total: number; finished: number; skipped: number; remaining: number; canceled: number }

/** What a crew has done and has left; a stop that the office canceled does not count as one. */
export const dayTotals = (stops: readonly Pick<PacedStop, 'status'>[]): DayTotals => {
  const count = (...statuses: VisitStatus[]) => stops.filter((s) => statuses.includes(s.status)).length
  const canceled = count('canceled')
  const finished = count('completed')
  const skipped = count('skipped', 'missed')
  const total = stops.length - canceled
  return { total, finished, skipped, remaining: total - finished - skipped, canceled }
}

/**
 * How a crew runs against its plan: minutes worked over minutes planned of what is finished, from 0.5 to 2. Below two finished stops or 20
 * planned minutes it is 1, because one odd lawn says nothing of a day.
 */
export const paceOf = (stops: readonly PacedStop[]): number => {
  const done = stops.filter((s) => s.status === 'completed' && s.workedMinutes > 0)
  const planned = done.reduce((sum, s) => sum + s.minutes, 0)
  const worked = done.reduce((sum, s) => sum + s.workedMinutes, 0)
  return done.length < 2 || planned < 20 ? 1 : Math.min(2, Math.max(0.5, worked / planned))
}

/** The break as a plan has it, and the stop that comes after it; null where it comes before the way home. */
export type PlannedRest = { beforeVisitId: string | null; minutes: number }

/** What a route keeps of the end of its day; one from before it was kept may not know. */
export type RouteEnd = { endMinute?: number | null; homeSeconds?: number; rest?: PlannedRest | null }

type RestStop = Pick<PacedStop, 'status' | 'minutes' | 'driveMinutesBefore'> & {
  id: string
  startMinute: number | null
}

/** A crew that works at a stop, or drives there, has had what comes before it; one that was skipped says nothing of that. */
const isBegun = ({ status }: Pick<PacedStop, 'status'>): boolean => status === 'completed' || isUnderWay(status)

/** What is left of rounding in a gap between two stops. */
const roundingMinutes = 2

/**
 * The break as the gaps between the stops show it, for a route that keeps none. The times of what is over stay where they are when the rest of the day
 * is planned anew: the gap between both is the break only where there is no other.
 */
const restInGaps = (stops: readonly RestStop[], breakMinutes: number): number => {
  const gaps = stops.flatMap((stop, at) => {
    const before = stops[at - 1]
    if (!before || stop.startMinute === null || before.startMinute === null) return []
    const length = stop.startMinute - before.startMinute - before.minutes - stop.driveMinutesBefore
    return length >= breakMinutes - roundingMinutes
      ? [{ length, ahead: stop.status === 'scheduled', between: isTerminal(before.status) !== isTerminal(stop.status) }]
      : []
  })
  const inner = gaps.filter(({ between }) => !between)
  const [longest] = (inner.length > 0 ? inner : gaps).sort((a, b) => b.length - a.length)
  return longest?.ahead ? Math.min(longest.length, breakMinutes) : 0
}

/**
 * Minutes of a day's break that a crew is still to have: as the plan has it until something after it is begun, less what was taken on the clock.
 * @param stops in their order, with the minute at which the plan has them begin
 * @param rest where the plan has it; null for a plan without one, nothing for a route that does not know
 */
export const restAhead = (
  stops: readonly RestStop[],
  {
    breakMinutes,
    takenMinutes,
    rest,
  }: { breakMinutes: number; takenMinutes: number; rest?: PlannedRest | null | undefined },
): number => {
  if (breakMinutes <= 0) return 0
  const after = rest?.beforeVisitId ? stops.findIndex(({ id }) => id === rest.beforeVisitId) : stops.length
  const planned =
    rest === null
      ? 0
      : rest && after >= 0
        ? stops.slice(after).some(isBegun)
          ? 0
          : rest.minutes
        : restInGaps(stops, breakMinutes)
  return Math.max(0, planned - takenMinutes)
}

/**
 * The minute of the day at which a crew is back at this pace, or null when nothing is left to do or nothing was planned.
 * @param nowMinute minutes since midnight in the business's zone; null for a day that is not today
 * @param homeMinutes drive from the last stop to the depot
 * @param restMinutes of the break that is still to come
 */
export const backAtMinute = (input: {
  stops: readonly PacedStop[]
  nowMinute: number | null
  shiftStartMinute: number
  homeMinutes: number
  restMinutes?: number
}): number | null => {
  const { stops, nowMinute, shiftStartMinute, homeMinutes, restMinutes = 0 } = input
  const pace = paceOf(stops)
  const open = stops.filter((s) => !isTerminal(s.status) && s.status !== 'unscheduled')
  if (open.length === 0) return null
  const begun = stops.some((s) => s.status !== 'scheduled' && s.status !== 'canceled')
  const now = nowMinute === null ? shiftStartMinute : begun ? nowMinute : Math.max(nowMinute, shiftStartMinute)
  const left = open.reduce((sum, stop) => {
    const here = stop.status === 'in_progress' || stop.status === 'paused'
    return sum + leftMinutes(stop, pace) + (here ? 0 : stop.driveMinutesBefore)
  }, 0)
  return Math.round(now + left + restMinutes + homeMinutes)
}

/** "R. Odom" for "Rebecca Odom"; a single word or a company stays whole. */
export const shortName = (name: string, company: string | null = null): string => {
  if (company) return company
  const words = name.trim().split(/\s+/)
  const [first, last] = [words[0], words.at(-1)]
  if (words.length < 2 || !first || !last || /&|\bllc\b|\binc\b|\bhoa\b|\bchurch\b|,/i.test(name)) return name.trim()
  return `${[...first][0]}. ${last}`
}

const worked: readonly VisitStatus[] = ['in_progress', 'paused', 'completed', 'skipped']

/**
 * When work really took place, in minutes of its day; null where it did not begin, or is still to be done after a skip that was taken back.
 * @param minuteAt the minute of the day of an instant; before or after the day it is the day's first or last one
 * @param planned minutes on site, for a finish that nobody had pressed Start for
 */
export const actualSpan = (
  visit: { status: VisitStatus; startedAt: string | null; finishedAt: string | null },
  planned: number,
  minuteAt: (instant: string) => number,
): { startMinute: number; endMinute: number | null } | null => {
  if (visit.startedAt === null || !worked.includes(visit.status)) return null
  const start = minuteAt(visit.startedAt)
  if (!isTerminal(visit.status) || visit.finishedAt === null) return { startMinute: start, endMinute: null }
  const end = minuteAt(visit.finishedAt)
  return { startMinute: end > start ? start : Math.max(0, end - planned), endMinute: end }
}

/**
 * Where work stands that a crew did on a visit, when that is not where the office has it: on the day that the crew was sent, or before its day.
 * @param crewIds the crews of whoever worked, on the day of the work
 */
export const workedPlace = (
  visit: { day: Day | null; crewId: string | null; publishedDay: Day | null; publishedCrewId: string | null },
  on: Day,
  crewIds: readonly string[],
): { day: Day; crewId: string | null } | null => {
  const theirs = (id: string | null): id is string => id !== null && crewIds.includes(id)
  if (visit.day === on && theirs(visit.crewId)) return null
  if (visit.publishedDay === on && theirs(visit.publishedCrewId)) return { day: on, crewId: visit.publishedCrewId }
  return visit.day !== null && visit.day > on ? { day: on, crewId: visit.crewId } : null
}

const stripStates = {
  unscheduled: 'todo',
  scheduled: 'todo',
  en_route: 'todo',
  in_progress: 'now',
  paused: 'paused',
  completed: 'done',
  skipped: 'skipped',
  canceled: 'skipped',
  missed: 'skipped',
} as const satisfies Record<VisitStatus, string>

/** How a visit's stripe is drawn in a day strip. */
export const stripState = (status: VisitStatus): (typeof stripStates)[VisitStatus] => stripStates[status]

/**
 * When work is taken to have been, in minutes of its day, for somebody to correct: from where it began or was planned, as long as it was planned
 * for, never later than now.
 */
export const finishTimes = (visit: {
  startedMinute: number | null
  plannedMinute: number | null
  minutes: number
  /** Null on a day that is over. */
  nowMinute: number | null
}): { startMinute: number; endMinute: number } => {
  const last = visit.nowMinute ?? 1439
  const length = Math.max(1, visit.minutes)
  const wished = visit.startedMinute ?? visit.plannedMinute ?? (visit.nowMinute === null ? 540 : last - length)
  const startMinute = Math.max(0, Math.min(wished, visit.startedMinute === null ? last - length : last - 1))
  const ended = visit.startedMinute !== null && visit.nowMinute !== null ? last : startMinute + length
  return { startMinute, endMinute: Math.max(startMinute + 1, Math.min(last, ended)) }
}

/** What the panel of a visit offers, in the order of its buttons. */
export const panelActions = ['finish', 'rebook', 'move', 'skip', 'reopen', 'cancel'] as const
export type PanelAction = (typeof panelActions)[number] | 'unschedule'

/** What is offered with a visit now: nobody can say of a day that is still to come when the work ended. */
export const offeredActions = (
  visit: { can: Readonly<Record<VisitAction, boolean>>; day: Day | null },
  today: Day,
): (typeof panelActions)[number][] =>
  panelActions.filter(
    (action) => visit.can[action] && (action !== 'finish' || visit.day === null || visit.day <= today),
  )

/** The next step with a visit: what is due now is finished, what is still to come is moved, what did not happen gets another day. */
export const mainVisitAction = (
  visit: { can: Readonly<Record<VisitAction, boolean>>; status: VisitStatus; day: Day | null },
  today: Day,
): (typeof panelActions)[number] | null => {
  const { can } = visit
  if (can.rebook) return 'rebook'
  if (can.finish && visit.day !== null && visit.day <= today) return 'finish'
  if (can.move) return 'move'
  return can.finish ? 'finish' : can.reopen && visit.status === 'canceled' ? 'reopen' : null
}
