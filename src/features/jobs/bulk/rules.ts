import type { Day } from '../../../shared/dates.ts'
import { raisedCents } from '../../services/rules.ts'
import { monthlyCents } from '../prices/rules.ts'
import type { Recurrence } from '../rules.ts'
import { type Place, placedRule } from '../slots/rules.ts'
import { type JobStatus, nextJobStatus } from '../states/rules.ts'
import type { Undated } from '../undated/rules.ts'

/** So many jobs are changed at once at the most: they are one transaction, and somebody waits for it. */
export const bulkLimit = 100

export type BulkLine = {
  id: string
  serviceId: string
  quantity: number
  budgetMinutes?: number
  /** What one unit costs today. */
  unitPriceCents: number
  /** From this later day on it costs another price; null is nothing ahead. */
  newPriceOn: Day | null
  recurrence: Recurrence | null
  onceOn: Day | null
  undated: Undated | null
}

export type BulkJob = {
  id?: string
  status: JobStatus
  crewId: string | null
  startOn: Day
  endOn: Day | null
  pausedUntil: Day | null
  lines: readonly BulkLine[]
}

export type PriceChange = {
  kind: 'price'
  mode: 'set' | 'amount' | 'percent'
  /** Of `set` and `amount`, in cents; of `amount` it may be less than nothing. */
  cents: number
  /** Of `percent`: 5 is five percent more. */
  percent: number
  /** Only the lines of one service. */
  serviceId: string | null
  roundTo: 'cent' | 'dollar' | 'five'
  fromOn: Day | null
}

export type BulkChange =
  | { kind: 'day'; weekday: number; fromOn: Day | null }
  | { kind: 'crew'; crewId: string | null; fromOn: Day | null }
  | { kind: 'assign'; weekday: number | null; crew: { id: string | null } | null; fromOn: Day | null }
  | PriceChange
  | { kind: 'pause'; until: Day | null }
  | { kind: 'resume' }
  | { kind: 'end'; lastOn: Day | null }

/** Weekday, weeks and crew for each job of its own, as the season planner finds them. */
export type PlacesChange = { kind: 'places'; places: Readonly<Record<string, Place>>; fromOn: Day | null }

/** Labor minutes for lines of jobs, by job, as their visits took. */
export type MinutesChange = {
  kind: 'minutes'
  minutes: Readonly<Record<string, Readonly<Record<string, number>>>>
  fromOn: Day | null
}

/** Every change of many jobs that is kept. */
export type KeptChange = BulkChange | PlacesChange | MinutesChange

export const bulkReasons = [
  'same',
  'over',
  'draft',
  'resting',
  'not_resting',
  'once',
  'rounds',
  'several_days',
  'no_weekday',
  'no_service',
  'several_services',
  'below_zero',
  'price_ahead',
  'ends_before',
  'starts_later',
] as const
export type BulkReason = (typeof bulkReasons)[number]

/** Why a job is not changed, as it stands behind its name. */
export const reasonText: Record<BulkReason, string> = {
  same: 'is so already',
  over: 'is over',
  draft: 'is a draft',
  resting: 'rests already',
  not_resting: 'does not rest',
  once: 'has no weekday: it is done once or on demand',
  rounds: 'is a program: its rounds have windows, no weekday',
  several_days: 'comes on several days of the week',
  no_weekday: 'counts days, not weekdays',
  no_service: 'does not have this service',
  several_services: 'has several services; say whose price',
  below_zero: 'would cost less than nothing',
  price_ahead: 'gets a new price on a later day already',
  ends_before: 'ends before that day',
  starts_later: 'begins after that day',
}

/** The rule on another weekday, or why it has none to change. */
const onWeekday = (line: BulkLine, day: number): Recurrence | BulkReason => {
  const rule = line.recurrence
  if (rule === null) return line.undated?.kind === 'step' ? 'rounds' : 'once'
  if (rule.freq === 'month' && rule.nth) return { ...rule, nth: { ...rule.nth, weekday: day } }
  if (rule.freq !== 'week') return 'no_weekday'
  return rule.weekdays.length > 1 ? 'several_days' : { ...rule, weekdays: [day] }
}

const weekdayOfRule = (rule: Recurrence): number | undefined => rule.nth?.weekday ?? rule.weekdays[0]

/** The new price of one unit in cents, raised as the price book raises; less than nothing is for the caller to refuse. */
export const newUnitCents = (before: number, change: PriceChange): number =>
  change.mode === 'set'
    ? change.cents
    : raisedCents(before, {
        percent: change.mode === 'percent' ? change.percent : null,
        cents: change.mode === 'amount' ? change.cents : null,
        rounding: change.roundTo,
      })

type Rules = Map<string, Recurrence>
type Prices = Map<string, number>

/** What becomes of a job: new rules or prices by line, or a change of its own; or the reason why it stays as it is. */
export type BulkOutcome =
  | { reason: BulkReason }
  | {
      reason: null
      rules?: Rules
      /** The rules count from another week. */
      movesPhase?: boolean
      prices?: Prices
      /** Labor minutes by line. */
      minutes?: ReadonlyMap<string, number>
      crewId?: string | null
      endOn?: Day
      verb?: 'pause' | 'resume' | 'complete'
    }

const ofDay = (job: BulkJob, weekday: number): BulkOutcome => {
  const found = job.lines.map((line) => ({ line, rule: onWeekday(line, weekday) }))
  const rules: Rules = new Map()
  for (const { line, rule } of found)
    if (typeof rule !== 'string' && line.recurrence && weekdayOfRule(line.recurrence) !== weekday)
      rules.set(line.id, rule)
  if (rules.size > 0) return { reason: null, rules }
  const why = found.flatMap(({ rule }) => (typeof rule === 'string' ? [rule] : []))
  return {
    reason:
      why.length < found.length
        ? 'same'
        : (why.find((reason) => reason !== 'once' && reason !== 'rounds') ?? why[0] ?? 'once'),
  }
}

const ofCrew = (job: BulkJob, crewId: string | null): BulkOutcome =>
  job.crewId === crewId ? { reason: 'same' } : { reason: null, crewId }

/** Both or neither: a job whose day cannot be moved keeps its crew as well, so that nobody has to look for halves. */
const ofAssign = (job: BulkJob, weekday: number | null, crew: { id: string | null } | null): BulkOutcome => {
  const day = weekday === null ? null : ofDay(job, weekday)
  const by = crew === null ? null : ofCrew(job, crew.id)
  if (day === null) return by ?? { reason: 'same' }
  if (by === null || (day.reason !== null && day.reason !== 'same')) return day
  return day.reason === null ? { ...day, ...(by.reason === null ? { crewId: by.crewId ?? null } : {}) } : by
}

const ofPrice = (job: BulkJob, change: PriceChange): BulkOutcome => {
  const lines = job.lines.filter((line) => change.serviceId === null || line.serviceId === change.serviceId)
  if (lines.length === 0) return { reason: 'no_service' }
  if (change.mode === 'set' && new Set(lines.map((line) => line.serviceId)).size > 1)
    return { reason: 'several_services' }
  if (lines.some((line) => line.newPriceOn !== null)) return { reason: 'price_ahead' }
  const prices: Prices = new Map()
  for (const line of lines) {
    const cents = newUnitCents(line.unitPriceCents, change)
    if (cents < 0) return { reason: 'below_zero' }
    if (cents !== line.unitPriceCents) prices.set(line.id, cents)
  }
  return prices.size > 0 ? { reason: null, prices } : { reason: 'same' }
}

const ofEnd = (job: BulkJob, lastOn: Day | null): BulkOutcome => {
  if (lastOn === null)
    return nextJobStatus(job.status, 'complete') ? { reason: null, verb: 'complete' } : { reason: 'draft' }
  if (job.endOn === lastOn) return { reason: 'same' }
  if (job.endOn !== null && job.endOn < lastOn) return { reason: 'ends_before' }
  return job.startOn > lastOn ? { reason: 'starts_later' } : { reason: null, endOn: lastOn }
}

const ofPlace = (job: BulkJob, place: Place | undefined): BulkOutcome => {
  if (!place) return { reason: 'same' }
  const rules: Rules = new Map()
  for (const line of job.lines) if (line.recurrence) rules.set(line.id, placedRule(line.recurrence, place))
  if (rules.size === 0) return { reason: 'once' }
  const crew = place.crewId === job.crewId ? {} : { crewId: place.crewId }
  return { reason: null, rules, movesPhase: place.weeks !== 0, ...crew }
}

const ofMinutes = (job: BulkJob, wished: Readonly<Record<string, number>> = {}): BulkOutcome => {
  const minutes = new Map(
    job.lines.flatMap(({ id, budgetMinutes }): [string, number][] => {
      const wish = wished[id]
      return wish === undefined || wish === budgetMinutes ? [] : [[id, wish]]
    }),
  )
  return minutes.size > 0 ? { reason: null, minutes } : { reason: 'same' }
}

/** What a change of many does to one job. */
export const bulkOutcome = (job: BulkJob, change: KeptChange): BulkOutcome => {
  if (job.status === 'completed' || job.status === 'canceled') return { reason: 'over' }
  switch (change.kind) {
    case 'day':
      return ofDay(job, change.weekday)
    case 'crew':
      return ofCrew(job, change.crewId)
    case 'assign':
      return ofAssign(job, change.weekday, change.crew)
    case 'places':
      return ofPlace(job, change.places[job.id ?? ''])
    case 'minutes':
      return ofMinutes(job, change.minutes[job.id ?? ''])
    case 'price':
      return ofPrice(job, change)
    case 'pause':
      return job.status === 'active'
        ? { reason: null, verb: 'pause' }
        : { reason: job.status === 'draft' ? 'draft' : job.pausedUntil === change.until ? 'same' : 'resting' }
    case 'resume':
      return job.status === 'paused' ? { reason: null, verb: 'resume' } : { reason: 'not_resting' }
    case 'end':
      return ofEnd(job, change.lastOn)
  }
}

/**
 * What the recurring work of a job comes to in a month of its season, in cents, by its pace and billed by the visit, so that another weekday alone
 * changes nothing. Single days, rounds, work on demand, and work that rests without an end or has ended, count nothing.
 */
export const monthCents = (job: BulkJob & { billing: string }, today: Day): number => {
  const resting = job.status === 'paused' && job.pausedUntil === null
  const over = job.status === 'completed' || job.status === 'canceled' || (job.endOn !== null && job.endOn < today)
  if (job.billing !== 'per_visit' || resting || over) return 0
  return job.lines.reduce((sum, line) => sum + monthlyCents(line, line.unitPriceCents), 0)
}

/** By how many percent all prices of a change go up or down together, when that is more than anybody raises by in a year; else null. */
export const steepPercent = (
  items: readonly { beforeCents: number | null; afterCents: number | null }[],
): number | null => {
  const before = items.reduce((sum, item) => sum + (item.beforeCents ?? 0), 0)
  const after = items.reduce((sum, item) => sum + (item.afterCents ?? 0), 0)
  if (before === 0) return null
  const percent = Math.round((100 * (after - before)) / before)
  return Math.abs(percent) >= 25 ? percent : null
}
