import type { Refusal } from '../../shared/can.ts'
import { addDays, type Day, formatDay, weekdayNames, weekdayOf } from '../../shared/dates.ts'
import { inSeason, type SeasonSpan } from '../jobs/rules.ts'
import type { FixedReason, Slot } from '../jobs/slots/rules.ts'

/** So many jobs move in one step: it is one transaction, and somebody waits for it. */
export const mostMoves = 150
/** So much work is planned at once: beyond, the drives between all of it take more memory than a search may have. */
export const mostJobs = 2000

/** What a what-if of new lawns may ask for. */
export const wishLimits = {
  count: { min: 1, max: 300, unit: 'lawns' },
  minutes: { min: 5, max: 600, unit: 'minutes' },
  radiusMiles: { min: 0.1, max: 20, unit: 'miles' },
} as const

/** Why a number of a wish is refused, or null. */
export const wishRefusal = (kind: keyof typeof wishLimits, value: number): string | null => {
  const { min, max, unit } = wishLimits[kind]
  return value > max
    ? `At most ${max} ${unit}`
    : value < min
      ? kind === 'count'
        ? 'At least one lawn'
        : `At least ${min} ${unit}`
      : kind !== 'radiusMiles' && !Number.isInteger(value)
        ? 'A whole number'
        : null
}

export const shortDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** A week of a rhythm: A and B of two, else its number; nothing where work comes every week. */
export const weekText = (week: number, everyWeeks: number): string =>
  everyWeeks <= 1 ? '' : everyWeeks === 2 ? `week ${week === 0 ? 'A' : 'B'}` : `week ${week + 1} of ${everyWeeks}`

type Place = { crewId: string; day: number; week: number }

/** "Tue to Thu, week A to B, North to South". Only what changes is named. */
export const moveText = (
  { from, to, everyWeeks }: { from: Place; to: Place; everyWeeks: number },
  crewName: (id: string) => string,
): string =>
  [
    from.day === to.day ? '' : `${shortDays[from.day]} to ${shortDays[to.day]}`,
    from.week === to.week || everyWeeks <= 1
      ? ''
      : everyWeeks === 2
        ? `week ${from.week === 0 ? 'A to B' : 'B to A'}`
        : `week ${from.week + 1} to ${to.week + 1} of ${everyWeeks}`,
    from.crewId === to.crewId ? '' : `${crewName(from.crewId)} to ${crewName(to.crewId)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** Weeks of work in a year: days in season by sevens. */
export const weeksOf = (season: readonly SeasonSpan[]): number => {
  const days = Array.from({ length: 365 }, (_, n) => addDays('2025-01-01', n)).filter((day) => inSeason(day, season))
  return Math.max(1, Math.round(days.length / 7))
}

export const fixedWhy: Record<FixedReason, string> = {
  several_days: 'comes on several days a week',
  different_days: 'its services come on different days',
  follows: 'its next visit follows the last one',
  long_rhythm: 'comes less often than every four weeks',
}

/** Why work is in no plan. */
export const leftWhy = {
  no_pin: 'has no place on the map yet',
  no_crew: 'has no crew yet',
  no_depot: 'its crew has no place where it starts',
  no_weekday: 'its days are counted, not named by the weekday',
  skills: 'its crew lacks a license or skill that it needs',
} as const

/** Neighbors are what lies within so many seconds of driving. */
export const nearSeconds = 300

const lawns = (n: number): string => `${n} ${n === 1 ? 'lawn' : 'lawns'}`

/**
 * Why somebody would move, in one sentence of what was counted.
 * @param near other stops within five minutes on its day, before and after
 */
export const whyMove = (near: { before: number; after: number }, from: Place, to: Place, relieves: number): string =>
  relieves > 0 && (from.day !== to.day || from.crewId !== to.crewId)
    ? `${weekdayNames[from.day]} is over its hours today; there is room here`
    : near.after > near.before
      ? `${lawns(near.after)} within 5 min on ${weekdayNames[to.day]}, ${near.before} today`
      : near.after === near.before && near.after > 0
        ? `${lawns(near.after)} within 5 min on both days; the way to it is shorter`
        : `makes room, or lies on the way of ${weekdayNames[to.day]}'s route`

/**
 * The crews that work may come to: those that did each of its services in the last year. A crew that did nothing yet may have any work, and so may
 * everybody a service that nobody did.
 */
export const mayDo = <Crew extends { services?: readonly string[] | null }>(
  services: readonly string[],
  crews: readonly Crew[],
): Crew[] => {
  const done = new Set(crews.flatMap((crew) => crew.services ?? []))
  return crews.filter((crew) => !crew.services || services.every((id) => !done.has(id) || crew.services?.includes(id)))
}

/** What whoever moves work to a crew that never did it should know; null where it did all of it. */
export const newWorkText = (
  services: readonly string[],
  crew: { name: string; services?: readonly string[] | null },
): string | null =>
  crew.services === undefined || services.length === 0 || services.every((id) => crew.services?.includes(id))
    ? null
    : crew.services === null
      ? `${crew.name} finished no visit in the last year: see that it can do this work`
      : `${crew.name} has not done this work in the last year: see that it can`

/** "25 min", "8 h 39 min". */
const lengthText = (seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const [h, min] = [Math.floor(minutes / 60), minutes % 60]
  return h === 0 ? `${min} min` : min === 0 ? `${h} h` : `${h} h ${min} min`
}

/**
 * Why a day is over its hours in the plan, too.
 * @param kept seconds on site of those of its fullest week who keep their day
 * @param longest seconds on site of the longest stop
 */
export const overWhy = ({
  roomSeconds,
  kept,
  longest,
  stopped,
}: {
  roomSeconds: number
  kept: { jobs: number; seconds: number }
  longest: number
  stopped: boolean
}): string =>
  roomSeconds === 0
    ? 'a day off of this crew: what stands there stays'
    : longest > roomSeconds
      ? `one stop alone takes ${lengthText(longest)}`
      : kept.seconds > roomSeconds
        ? `${kept.jobs} ${kept.jobs === 1 ? 'job that keeps its day takes' : 'jobs that keep their day take'} ${lengthText(kept.seconds)} of it`
        : stopped
          ? 'the search was stopped before it found room'
          : `no other day of a crew that does this work has room for more of it${kept.jobs > 0 ? `; ${kept.jobs} ${kept.jobs === 1 ? 'job keeps its day' : 'jobs keep their day'}` : ''}`

export const runActions = ['stop', 'accept'] as const
export type RunAction = (typeof runActions)[number]
export type RunFacts = { status: string; kind: string; staleCount: number; openMoves: number }

/** Why the state of a search refuses what is done with it. */
export const runRefusals: Record<RunAction, Refusal<RunFacts>> = {
  stop: ({ status }) => (status === 'running' ? null : 'This search is over.'),
  accept: ({ status, kind, staleCount, openMoves }) =>
    kind === 'whatif'
      ? 'A what-if only shows what would be; it is never taken over. Plan the season to change it.'
      : status !== 'ready'
        ? 'There is no plan to take over.'
        : staleCount > 0
          ? 'The work changed since this plan was made. Nothing was changed; plan again from what is there now.'
          : openMoves === 0
            ? 'Nobody of this plan is left to move.'
            : null,
}

/** The refusal of a plan whose work is another one by now, with what changed. */
export const staleMessage = (changes: readonly string[], count: number): string =>
  `The work changed since this plan was made: ${changes.slice(0, 3).join('; ')}${count > 3 ? ` and ${count - 3} more` : ''}. Nothing was changed; plan again from what is there now.`

export const acceptanceActions = ['undo', 'send'] as const
export type AcceptanceAction = (typeof acceptanceActions)[number]
/** `known`: what it wrote over is still kept. */
export type AcceptanceFacts = { moves: number; undoneMoves: number; known: boolean; lettersAt: string | null }

export const acceptanceRefusals: Record<AcceptanceAction, Refusal<AcceptanceFacts>> = {
  undo: ({ moves, undoneMoves, known }) =>
    undoneMoves >= moves
      ? 'This was taken back already. Nothing was changed.'
      : known
        ? null
        : 'After a month it cannot be taken back as a whole any more. Change the jobs one by one.',
  // Who was told of a day that was taken back is told so.
  send: ({ moves, undoneMoves, lettersAt }) =>
    lettersAt === null && undoneMoves >= moves ? 'This was taken back: there is nothing to tell.' : null,
}

/** Why a send that reaches nobody more is refused. */
export const nobodyToTell = ({ moves, undoneMoves }: Pick<AcceptanceFacts, 'moves' | 'undoneMoves'>): string =>
  undoneMoves >= moves
    ? 'This was taken back: there is nothing to tell.'
    : 'These customers were told already. Nothing was sent again.'

/** The first day that may be chosen: after today, and after every day that a crew was sent. */
export const earliestOf = (today: Day, lastSent: Day | null): Day =>
  addDays(lastSent !== null && lastSent > today ? lastSent : today, 1)

/** A Monday at least a week on, so that there is time to tell people. */
export const suggestedOf = (earliest: Day, today: Day): Day => {
  let day = earliest > addDays(today, 7) ? earliest : addDays(today, 7)
  while (weekdayOf(day) !== 1) day = addDays(day, 1)
  return day
}

/** Why a first day is refused, or null. */
export const fromRefusal = (fromOn: Day, earliest: Day): string | null =>
  fromOn < earliest
    ? `Days before ${formatDay(earliest)} are over, or were sent to crews already. Choose ${formatDay(earliest)} or later.`
    : null

export type PlannedJob = {
  jobId: string
  name: string
  street: string
  lat: number
  lng: number
  crewId: string
  slots: readonly Slot[]
  fixed: string | null
  keepsWeek: boolean
  keepDay: boolean
  skills: readonly string[]
}
export type PlannedCrew = {
  id: string
  name: string
  lat: number
  lng: number
  days: readonly number[]
  shiftSeconds: Readonly<Record<number, number>>
  people: number
  skills: readonly string[]
}
export type PlannedWork = { jobs: readonly PlannedJob[]; crews: readonly PlannedCrew[] }

const same = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean => a.join() === b.join()
const sorted = <T extends string | number>(list: readonly T[]): T[] => [...list].sort()

/** What became different of a job, as the end of a sentence; null where nothing did. */
const changeOf = (was: PlannedJob, now: PlannedJob): string | null => {
  const days = (job: PlannedJob) => job.slots.map((slot) => `${slot.weekday} ${slot.everyWeeks} ${slot.week}`)
  const minutes = (job: PlannedJob) => job.slots.map(({ minutes: n, minutesByWeek }) => `${n} ${minutesByWeek ?? ''}`)
  if (was.crewId !== now.crewId) return 'has another crew'
  if (!same(days(was), days(now)) || was.fixed !== now.fixed || was.keepsWeek !== now.keepsWeek) return 'has other days'
  if (was.keepDay !== now.keepDay) return now.keepDay ? 'keeps its day now' : 'need not keep its day any more'
  if (was.lat !== now.lat || was.lng !== now.lng) return 'is at another place on the map'
  if (!same(minutes(was), minutes(now))) return 'takes another time'
  return same(sorted(was.skills), sorted(now.skills)) ? null : 'needs another license or skill'
}

const crewChangeOf = (was: PlannedCrew, now: PlannedCrew): string | null => {
  if (was.lat !== now.lat || was.lng !== now.lng) return 'starts somewhere else'
  const days = (crew: PlannedCrew) => sorted(crew.days)
  if (!same(days(was), days(now)) || days(was).some((day) => was.shiftSeconds[day] !== now.shiftSeconds[day]))
    return 'has other days or hours'
  if (was.people !== now.people) return 'has another number of people'
  return same(sorted(was.skills), sorted(now.skills)) ? null : 'has other licenses or skills'
}

/**
 * What is different now from what a plan was made of, each as a sentence without its period.
 * @param expected the work as it was read, with what was taken over of the plan since
 */
export const changesSince = (expected: PlannedWork, now: PlannedWork): string[] => {
  const jobs = new Map(now.jobs.map((job) => [job.jobId, job]))
  const crews = new Map(now.crews.map((crew) => [crew.id, crew]))
  const known = new Set(expected.jobs.map((job) => job.jobId))
  const knownCrews = new Set(expected.crews.map((crew) => crew.id))
  const place = ({ name, street }: PlannedJob) => `${name}, ${street},`
  return [
    ...expected.jobs.flatMap((was) => {
      const job = jobs.get(was.jobId)
      const change = job ? changeOf(was, job) : 'is in no plan any more'
      return change === null ? [] : [`${place(was)} ${change}`]
    }),
    ...now.jobs.filter((job) => !known.has(job.jobId)).map((job) => `${place(job)} is new`),
    ...expected.crews.flatMap((was) => {
      const crew = crews.get(was.id)
      const change = crew ? crewChangeOf(was, crew) : 'is not there any more'
      return change === null ? [] : [`${was.name} ${change}`]
    }),
    ...now.crews.filter((crew) => !knownCrews.has(crew.id)).map((crew) => `${crew.name} is a new crew`),
  ]
}

/** "North on Tuesday, week A, would be 1 h 25 min over its hours, 20 min today". */
export const overText = (
  { day, week, overSeconds, todaySeconds }: { day: number; week: number; overSeconds: number; todaySeconds: number },
  crewName: string,
  cycleWeeks: number,
): string => {
  const said = weekText(week, cycleWeeks)
  return `${crewName} on ${weekdayNames[day]}${said ? `, ${said},` : ''} would be ${lengthText(overSeconds)} over its hours${todaySeconds > 0 ? `, ${lengthText(todaySeconds)} today` : ''}`
}
