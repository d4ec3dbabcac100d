import type { Refusal } from '../../../shared/can.ts'
import { addDays, type Day, dayOf, instantAt, isDay, minuteOfDay, weekdayOf } from '../../../shared/dates.ts'

/** What is done with a conversation: whose it is, until when it rests, and that it is done. */

/** open: somebody may have to do something; snoozed: not before an instant; done: nobody has, until the customer writes. */
export const conversationStates = ['open', 'snoozed', 'done'] as const
export type ConversationState = (typeof conversationStates)[number]

/**
 * What a list can be asked for. waiting: open, and the newest message of a person is theirs, or one of theirs is unread; what left by itself since is
 * no answer.
 */
export const conversationFilters = ['waiting', ...conversationStates, 'all'] as const
export type ConversationFilterState = (typeof conversationFilters)[number]

/** A snooze that is over is none, whether the task that says so has run or not. */
export const stateOf = (
  row: { snoozedUntil: string | null; closedAt: string | null },
  nowMs: number,
): ConversationState =>
  row.closedAt !== null
    ? 'done'
    : row.snoozedUntil !== null && Date.parse(row.snoozedUntil) > nowMs
      ? 'snoozed'
      : 'open'

export const snoozeChoices = ['later', 'tomorrow', 'monday'] as const
export type SnoozeChoice = (typeof snoozeChoices)[number]
/** Until when somebody wants a conversation to rest. */
export type SnoozeWish = SnoozeChoice | { day: Day; minute: number }

const morning = 480
const laterMinutes = 180
const stepMinutes = 30

/**
 * Until when a choice rests, by the clock of the business: three hours from now, to the next half hour and still today; tomorrow or the next Monday
 * at 8 AM. Null where the day is too old for "later today".
 */
export const snoozeUntil = (choice: SnoozeChoice, now: Date, timeZone: string): string | null => {
  const today = dayOf(now, timeZone)
  if (choice === 'tomorrow') return instantAt(addDays(today, 1), morning, timeZone)
  if (choice === 'monday') return instantAt(addDays(today, (8 - weekdayOf(today)) % 7 || 7), morning, timeZone)
  const minute = Math.ceil((minuteOfDay(now, timeZone) + laterMinutes) / stepMinutes) * stepMinutes
  return minute < 1440 ? instantAt(today, minute, timeZone) : null
}

/** So far ahead a conversation rests at most. */
export const longestSnoozeDays = 366

/** Why a chosen day and time is none to rest until, or null. */
export const snoozeProblem = (
  { day, minute }: { day: Day; minute: number },
  now: Date,
  timeZone: string,
): string | null => {
  if (!isDay(day)) return 'Use a day like 2026-06-12.'
  if (Date.parse(instantAt(day, minute, timeZone)) <= now.getTime())
    return 'This time has passed. Choose one that is still to come. Nothing was changed.'
  return day > addDays(dayOf(now, timeZone), longestSnoozeDays)
    ? 'This is more than a year away. Choose an earlier day. Nothing was changed.'
    : null
}

export const conversationActions = ['assign', 'snooze', 'close', 'reopen'] as const
export type ConversationAction = (typeof conversationActions)[number]

/** Why a conversation refuses what somebody wants to do with it. */
export const conversationRefusals: Record<ConversationAction, Refusal<{ state: ConversationState }>> = {
  assign: () => null,
  snooze: () => null,
  close: ({ state }) => (state === 'done' ? 'This conversation is done already.' : null),
  reopen: ({ state }) => (state === 'open' ? 'This conversation is open already.' : null),
}

type Shut = { snoozedUntil: string | null; closedAt: string | null } | null

/**
 * What two conversations are as one, when two records of a customer become one: open unless both rest or are done, so that nothing is hidden that
 * somebody waits for. One that was never touched (null) is open.
 */
export const foldedState = (
  kept: Shut,
  gone: Shut,
  nowMs: number,
): { snoozedUntil: string | null; closed: boolean } => {
  const both = [kept, gone].map((one) => (one === null ? 'open' : stateOf(one, nowMs)))
  if (both.includes('open')) return { snoozedUntil: null, closed: false }
  const rests = [kept, gone].flatMap((one) =>
    one !== null && stateOf(one, nowMs) === 'snoozed' ? (one.snoozedUntil ?? []) : [],
  )
  return { snoozedUntil: rests.sort()[0] ?? null, closed: rests.length === 0 }
}
