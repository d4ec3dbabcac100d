import type { Refusal } from '../../../shared/can.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import { type MealRule, mealFaultsOf } from '../meals/rules.ts'
import { type ClockEntry, forgottenAfterHours, paidBreakSeconds, sumEntries } from '../rules.ts'

/** `returned` was sent back with a reason and waits for its person, as `open` does. */
export const sheetStates = ['open', 'submitted', 'approved', 'returned'] as const
export type SheetState = (typeof sheetStates)[number]

export const sheetStateLabel: Record<SheetState, string> = {
  open: 'Open',
  submitted: 'To approve',
  approved: 'Approved',
  returned: 'Sent back',
}

/** What can be wrong with a week, the worst first. */
export const exceptionKinds = [
  'missing_out',
  'overlap',
  'long_day',
  'break_work',
  'long_break',
  'no_break',
  'meal_missing',
  'meal_short',
  'meal_late',
  'end_given_later',
  'came_late',
  'phone_clock',
] as const
export type ExceptionKind = (typeof exceptionKinds)[number]
export type SheetException = { kind: ExceptionKind; day: Day; entryId: string | null }

export const exceptionLabel: Record<ExceptionKind, string> = {
  missing_out: 'No clock-out',
  overlap: 'Overlap',
  long_day: 'Over 14 hours',
  break_work: 'Work during a break',
  long_break: 'Break over 2 hours',
  no_break: 'No break',
  meal_missing: 'No meal',
  meal_short: 'Meal too short',
  meal_late: 'Meal too late',
  end_given_later: 'End given later',
  came_late: 'Came in late',
  phone_clock: 'Phone clock off',
}

const endOf = (entry: Pick<ClockEntry, 'endedAt'>, nowMs: number): number =>
  entry.endedAt ? Date.parse(entry.endedAt) : nowMs

const byStart = <E extends Pick<ClockEntry, 'startedAt'>>(entries: readonly E[]): E[] =>
  [...entries].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))

/** Whether a day has a rest that counts as one: a break, or time off the clock, of more than a paid break. */
const hasRest = (entries: readonly ClockEntry[], nowMs: number): boolean =>
  entries.some((entry, at) => {
    const next = entries[at + 1]
    const gap = next ? Date.parse(next.startedAt) - endOf(entry, nowMs) : 0
    const rest = entry.kind === 'break' ? endOf(entry, nowMs) - Date.parse(entry.startedAt) : 0
    return Math.max(gap, rest) > paidBreakSeconds * 1000
  })

/** After so long without a break somebody is asked, where no law says more. */
const breakAfterHours = 6

/** A break that nobody ended looks like a long one. */
const longBreakMs = 2 * 3600_000

/**
 * What somebody has to look at before a week is paid. `meal`: what the law of the state asks for; without one a day over six hours without a break is
 * marked. `workedBreaks`: breaks in
 * which their person began or finished a stop, by id.
 */
export const exceptionsOf = (
  entries: readonly ClockEntry[],
  {
    timeZone,
    nowMs,
    meal,
    workedBreaks,
  }: { timeZone: string; nowMs: number; meal: MealRule | null; workedBreaks?: ReadonlySet<string> },
): SheetException[] => {
  const days = Map.groupBy(byStart(entries), (entry) => dayOf(entry.startedAt, timeZone))
  const found = [...days].flatMap(([day, own]): SheetException[] => {
    const { workSeconds, paidSeconds } = sumEntries(own, nowMs)
    const of = (kind: ExceptionKind, entryId: string | null): SheetException => ({ kind, day, entryId })
    return [
      ...own.flatMap((entry) => {
        const isOpen = entry.endedAt === null && nowMs - Date.parse(entry.startedAt) > forgottenAfterHours * 3600_000
        if (isOpen || entry.flagged === 'forgotten' || entry.flagged === 'late_open')
          return [of('missing_out', entry.id)]
        if (entry.flagged === 'adjusted') return [of('end_given_later', entry.id)]
        if (entry.flagged === 'late') return [of('came_late', entry.id)]
        return entry.flagged === 'skew' ? [of('phone_clock', entry.id)] : []
      }),
      ...own.flatMap((entry, at) => {
        const before = own[at - 1]
        return before && endOf(before, nowMs) > Date.parse(entry.startedAt) ? [of('overlap', entry.id)] : []
      }),
      ...own.flatMap((entry) => {
        if (entry.kind !== 'break') return []
        if (workedBreaks?.has(entry.id)) return [of('break_work', entry.id)]
        return endOf(entry, nowMs) - Date.parse(entry.startedAt) > longBreakMs ? [of('long_break', entry.id)] : []
      }),
      ...(paidSeconds > forgottenAfterHours * 3600 ? [of('long_day', null)] : []),
      ...(meal
        ? mealFaultsOf(own, meal, nowMs).map((kind) => of(kind, null))
        : workSeconds > breakAfterHours * 3600 && !hasRest(own, nowMs)
          ? [of('no_break', null)]
          : []),
    ]
  })
  return found.sort((a, b) => exceptionKinds.indexOf(a.kind) - exceptionKinds.indexOf(b.kind))
}

/** What decides what may be done with a person's week. `isRunning`: somebody is on the clock in it; `isAhead`: it has not begun. */
export type SheetFacts = {
  name: string
  status: SheetState
  locked: boolean
  isRunning: boolean
  isAhead: boolean
  hasTime: boolean
  request: string
  /** Taps that came in while the week was locked and wait for the office. */
  heldCount: number
}

const lockedMessage =
  'Payroll has been run for this week, so it is locked. Nothing was changed. An owner can unlock it.'

const unlessLocked =
  (refusal: Refusal<SheetFacts>): Refusal<SheetFacts> =>
  (facts) =>
    facts.locked ? lockedMessage : refusal(facts)

const nothingHeld: Refusal<SheetFacts> = ({ name, heldCount }) =>
  heldCount === 0 ? `No late time of ${name} waits in this week.` : null

export const sheetActions = ['approve', 'sendBack', 'reopen', 'correct', 'answer', 'count', 'leaveOut'] as const
export type SheetAction = (typeof sheetActions)[number]

/** Why the state of a week refuses what the office wants to do with it. */
export const sheetRefusals: Record<SheetAction, Refusal<SheetFacts>> = {
  approve: unlessLocked(({ name, status, isRunning, hasTime }) =>
    status === 'approved'
      ? `This week of ${name} is approved already. Nothing was changed.`
      : isRunning
        ? `${name} is still on the clock in this week. Give the time an end first.`
        : hasTime
          ? null
          : `${name} has no time in this week. There is nothing to approve.`,
  ),
  sendBack: unlessLocked(({ name, status }) =>
    status === 'submitted' ? null : `This week of ${name} was not handed in, so it cannot be sent back.`,
  ),
  reopen: unlessLocked(({ name, status }) =>
    status === 'approved' ? null : `This week of ${name} is not approved, so it is open already.`,
  ),
  correct: unlessLocked(({ isAhead }) => (isAhead ? 'This week has not begun. Nothing was changed.' : null)),
  answer: unlessLocked(({ name, request }) => (request === '' ? `${name} asks for nothing in this week.` : null)),
  count: unlessLocked(nothingHeld),
  leaveOut: nothingHeld,
}

/** Why a week from a phone is not taken, as a reason that the phone has words for. */
export type SheetReason = 'locked_week' | 'still_in' | 'no_time'

/** Why a person cannot hand in a week now; null when they can. */
export const submitReason = (facts: SheetFacts): SheetReason | null => {
  if (facts.locked) return 'locked_week'
  if (facts.isRunning) return 'still_in'
  return facts.hasTime && !facts.isAhead ? null : 'no_time'
}

/** Hours with two decimals as payroll reads them: "7.75"; nothing is a dash. */
export const hoursText = (seconds: number): string => (seconds === 0 ? '–' : (seconds / 3600).toFixed(2))

/** "4.00 overtime, 1.50 double time": what is paid double never stands as overtime. Nothing where there is neither. */
export const moreHoursText = ({
  overtimeSeconds,
  doubleSeconds,
}: {
  overtimeSeconds: number
  doubleSeconds: number
}): string =>
  [
    overtimeSeconds > 0 ? `${hoursText(overtimeSeconds)} overtime` : '',
    doubleSeconds > 0 ? `${hoursText(doubleSeconds)} double time` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** What somebody is asked about before they approve weeks: that is not in the way, but never goes unseen. */
export const approvalDoubts = (
  sheets: readonly { status: SheetState; exceptions: readonly Pick<SheetException, 'kind'>[] }[],
  { isOver }: { isOver: boolean },
): string[] => {
  const weeks = (count: number): string => (count === 1 ? '1 week' : `${count} weeks`)
  const open = sheets.filter(({ status }) => status !== 'submitted').length
  const wrong = sheets.filter(({ exceptions }) => exceptions.length > 0).length
  return [
    ...(isOver ? [] : ['The week is not over: what is worked in it from now on opens it again.']),
    ...(open === 0 ? [] : [`${weeks(open)} nobody has handed in yet.`]),
    ...(wrong === 0 ? [] : [`${weeks(wrong)} with something to look at, such as a missing meal or clock-out.`]),
  ]
}
