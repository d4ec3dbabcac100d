import type { Refusal } from '../../shared/can.ts'
import { addDays, addMonths, type Day, daysBetween, formatDay } from '../../shared/dates.ts'

/** What a business has that drives, cuts or is pulled; what its meters mean, and when service is due. */

export const equipmentKinds = ['truck', 'trailer', 'mower', 'other'] as const
export type EquipmentKind = (typeof equipmentKinds)[number]
export const kindLabel: Record<EquipmentKind, string> = {
  truck: 'Truck',
  trailer: 'Trailer',
  mower: 'Mower',
  other: 'Other',
}

export const meters = ['hours', 'miles'] as const
export type Meter = (typeof meters)[number]
export const meterUnit: Record<Meter, string> = { hours: 'h', miles: 'mi' }

/** How a bill of a workshop is paid; who paid it with their own money adds the expense themselves. */
export const billMethods = ['card', 'cash', 'check', 'bank', 'account'] as const

/** The most pieces of equipment of a business, and the most plans of one. */
export const mostEquipment = 500
export const mostPlans = 30
/** The highest that a meter reads, in tenths. */
export const highestTenths = 100_000_000

/** "1,234.5 h"; the tenth is left out of miles and of whole hours. */
export const readingText = (tenths: number, meter: Meter): string => {
  const value = meter === 'miles' ? Math.round(tenths / 10) : tenths / 10
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${meterUnit[meter]}`
}

/** The most that a meter can go on in a day, in tenths: a day has 24 hours, and nobody mows 1,500 miles away. */
const mostADay: Record<Meter, number> = { hours: 240, miles: 15_000 }

/** `earlierTenths` is what meters before this one counted; left out where there was none. */
export type Reading = { tenths: number; on: Day; earlierTenths?: number }

/** What the piece has done by a reading, over all the meters that it had, in tenths. */
export const doneTenths = ({ tenths, earlierTenths = 0 }: Reading): number => tenths + earlierTenths

/**
 * What the meters before a new one counted, by the last reading of the old one.
 * @param beganAt what the new one showed when it came in, in tenths
 */
export const earlierOf = (before: Reading | null, beganAt: number): number =>
  (before ? doneTenths(before) : 0) - beganAt

export type ReadingProblem = 'lower' | 'higher' | 'far'

/**
 * Why a reading cannot be right beside the ones before and after it: a meter only goes forward, and no faster than the days do.
 * @param before the last one that counted by then, `after` the first one since
 */
export const readingProblem = (
  reading: Reading,
  meter: Meter,
  before: Reading | null,
  after: Reading | null,
): ReadingProblem | null => {
  if (before && doneTenths(reading) < doneTenths(before)) return 'lower'
  if (after && doneTenths(reading) > doneTenths(after)) return 'higher'
  if (
    before &&
    doneTenths(reading) - doneTenths(before) > mostADay[meter] * (Math.max(0, daysBetween(before.on, reading.on)) + 1)
  )
    return 'far'
  return null
}

/**
 * Why what a meter is said to have read on a past day cannot be right, or null.
 * @param before the last reading that counts before that day, `after` the first one after it
 */
export const pastReadingMessage = (
  reading: Reading,
  meter: Meter,
  before: Reading | null,
  after: Reading | null,
): string | null => {
  const problem = readingProblem(reading, meter, before, after)
  return problem === null
    ? null
    : problem === 'higher' && after
      ? `On ${formatDay(after.on)} it read ${readingText(after.tenths, meter)}, which is less. Was it really ${readingText(reading.tenths, meter)}? Nothing was saved.`
      : before
        ? `On ${formatDay(before.on)} it read ${readingText(before.tenths, meter)}, which is ${problem === 'far' ? 'too far below' : 'more'}. Was it really ${readingText(reading.tenths, meter)}? Nothing was saved.`
        : 'This reading does not fit the others. Nothing was saved.'
}

/** The same in words for whoever typed it. */
export const readingMessage = (
  problem: ReadingProblem,
  meter: Meter,
  before: Reading | null,
  after: Reading | null,
): string =>
  problem === 'higher' && after
    ? `A later reading is lower: ${readingText(after.tenths, meter)}. Nothing was saved.`
    : problem === 'far' && before
      ? `That is more than can come on top of ${readingText(before.tenths, meter)} since then. Look at the meter again, or say why it is right.`
      : before
        ? `The meter read ${readingText(before.tenths, meter)} before. Look at it again, or say why it went back.`
        : 'This reading does not fit the others.'

const paceDays = 28
const leastPaceDays = 5

/**
 * How fast a meter went on in the last four weeks, in tenths a day; null where two readings some days apart are missing.
 * @param readings that count, the newest first; from the last time the meter went back
 */
export const paceOf = (readings: readonly Reading[], today: Day): number | null => {
  const from = addDays(today, -paceDays)
  const kept: Reading[] = []
  for (const reading of readings) {
    const later = kept.at(-1)
    if (later && doneTenths(reading) > doneTenths(later)) break
    kept.push(reading)
    if (reading.on < from) break
  }
  const [last, first] = [kept[0], kept.at(-1)]
  if (!last || !first || last.on < from) return null
  const days = daysBetween(first.on, last.on)
  return days < leastPaceDays ? null : (doneTenths(last) - doneTenths(first)) / days
}

/** Service is told ahead of time: by days where the day is known or can be foreseen, else by a tenth of its interval. */
export const aheadDays = 14

export type Plan = {
  everyTenths: number | null
  everyMonths: number | null
  lastTenths: number
  /** What meters before that one had counted then. */
  lastEarlierTenths?: number
  lastOn: Day
}
export type Due = {
  state: 'overdue' | 'soon' | 'later'
  /** The day on which it is due: by the calendar, or foreseen by the pace; null where nobody can know. */
  on: Day | null
  /** Whether that day is foreseen. */
  foreseen: boolean
  /** Tenths of an hour or mile until then; below zero when they are over. */
  leftTenths: number | null
}

/** When a plan is due, by its months or by its meter, whichever comes first. */
export const dueOf = (plan: Plan, reading: Reading | null, pace: number | null, today: Day): Due => {
  const byMonths = plan.everyMonths === null ? null : addMonths(plan.lastOn, plan.everyMonths)
  const leftTenths =
    plan.everyTenths === null || !reading
      ? null
      : plan.lastTenths + (plan.lastEarlierTenths ?? 0) + plan.everyTenths - doneTenths(reading)
  const byPace =
    leftTenths === null || !reading
      ? null
      : leftTenths <= 0
        ? today
        : pace && pace > 0
          ? addDays(reading.on, Math.min(3650, Math.floor(leftTenths / pace)))
          : null
  const foreseen = byPace !== null && (byMonths === null || byPace < byMonths)
  const on = foreseen ? byPace : (byMonths ?? byPace)
  const isOver = (byMonths !== null && byMonths < today) || (leftTenths !== null && leftTenths <= 0)
  const isNear =
    (on !== null && on <= addDays(today, aheadDays)) ||
    (leftTenths !== null && plan.everyTenths !== null && leftTenths <= plan.everyTenths / 10)
  return { state: isOver ? 'overdue' : isNear ? 'soon' : 'later', on, foreseen, leftTenths }
}

const order = { overdue: 0, soon: 1, later: 2 }
/** What is due first comes first. */
export const byDue = (a: Due, b: Due): number =>
  order[a.state] - order[b.state] || (a.on ?? '9999').localeCompare(b.on ?? '9999')

export const equipmentActions = [
  'update',
  'assign',
  'read',
  'service',
  'takeOut',
  'bringBack',
  'archive',
  'restore',
] as const
export type EquipmentAction = (typeof equipmentActions)[number]
export type EquipmentFacts = {
  name: string
  archived: boolean
  out: boolean
  meter: Meter | null
  /** What a crew found that it cannot be used with, and nobody has dealt with. */
  stoppedBy: string | null
}

const kept: Refusal<EquipmentFacts> = ({ name, archived }) =>
  archived ? `${name} was put away. Bring it back to change something; nothing was changed.` : null

/** Why the state of a piece of equipment refuses an action. */
export const equipmentRefusals: Record<EquipmentAction, Refusal<EquipmentFacts>> = {
  update: kept,
  assign: kept,
  service: kept,
  read: (one) => kept(one) ?? (one.meter === null ? `${one.name} has no meter. Say which one it has first.` : null),
  takeOut: (one) => kept(one) ?? (one.out ? `${one.name} is out of service already.` : null),
  bringBack: (one) =>
    kept(one) ??
    (!one.out
      ? `${one.name} is in service already.`
      : one.stoppedBy === null
        ? null
        : `A crew says that ${one.name} cannot be used: ${one.stoppedBy}. Deal with that first; nothing was changed.`),
  archive: ({ name, archived }) => (archived ? `${name} was put away already.` : null),
  restore: ({ name, archived }) => (archived ? null : `${name} is on the list already.`),
}
