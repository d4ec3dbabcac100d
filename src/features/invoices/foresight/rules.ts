import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import type { PaperReach } from '../../messages/paperways/rules.ts'
import { catchUpDays, remindFromMinute, remindToMinute, stepsDue } from '../reminders/rules.ts'
import { remindPauseMs } from '../rules.ts'

/** What reminders of one invoice would have been in the past, by the rules by which they leave. Instants are milliseconds. */

type Spell = { fromMs: number; toMs: number | null }

/** What is known of an invoice and its customer, with when it came to be so. */
export type PastInvoice = {
  dueOn: Day
  totalCents: number
  issuedMs: number
  voidedMs: number | null
  /** When it was written off, and until when. */
  writtenOff: readonly Spell[]
  reopenedOn: Day | null
  /** Money that was put on it and taken off. */
  moves: readonly { atMs: number; cents: number; paymentId: string; isCredit: boolean; paidMs: number }[]
  sentMs: readonly number[]
  /** Reminders that really left and that a dry run does not ask again: those of before, by hand, and with a late fee. */
  remindedMs: readonly number[]
  /** What the office said of its reminders. */
  changes: readonly { atMs: number; stop?: string; start?: boolean; promisedOn?: Day | null }[]
  /** As they are now. */
  promisedOn: Day | null
  stopped: string | null
  answeredMs: number | null
  remindersFromMs: number | null
  /** Why nobody was reminded of it from its beginning: the late fee of another one, or what was owed before the business came here. */
  bornStopped: string | null
  disputed: readonly Spell[]
  onItsWay: readonly Spell[]
  autopay: Spell | null
  wroteMs: readonly number[]
  calledMs: readonly number[]
}

type Move = { atMs: number; cents: number }
type Owing = { totalCents: number; moves: readonly Move[] }

/** Why a step was not sent, as who looks reads it. */
export const notRemindedOf = {
  promised: 'They had promised to pay by a later day',
  disputed: 'A payment of it was disputed',
  onItsWay: 'A bank payment was on its way',
  autopay: 'Autopay was to charge it',
  paid: 'They paid part of it since they were last asked',
  wrote: 'They wrote since they were last asked',
  called: 'There was a call since they were last asked',
  withFee: 'A late fee is reminded of with its invoice',
  opening: 'It was brought in as an opening balance',
} as const

/** Why nothing reaches a customer. */
export const unreachedReason = ({ why }: Pick<PaperReach, 'why'>): string =>
  why === null ? 'No e-mail on file' : `${why}, and no e-mail`

const stoppedWords = (why: string): string => `Its reminders were stopped: ${why}`

export type PastStep = { atMs: number; day: Day; openCents: number; against: string | null }

const isIn = (spells: readonly Spell[], atMs: number): boolean =>
  spells.some(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || atMs < toMs))

const lastOf = (times: readonly number[], atMs: number): number | null => {
  const before = times.filter((ms) => ms <= atMs)
  return before.length > 0 ? Math.max(...before) : null
}

const openAt = ({ totalCents, moves }: Owing, atMs: number): number =>
  totalCents - moves.reduce((sum, one) => (one.atMs <= atMs ? sum + one.cents : sum), 0)

/** The last day by then on which what had been paid, or was written off, was owed again. */
const reopenedAt = (past: PastInvoice, atMs: number, day: Day, timeZone: string): Day | null => {
  if (past.reopenedOn !== null && past.reopenedOn <= day) return past.reopenedOn
  const times = [
    ...past.moves.flatMap((one) => (one.cents < 0 && openAt(past, one.atMs) > 0 ? [one.atMs] : [])),
    ...past.writtenOff.flatMap(({ toMs }) => (toMs === null ? [] : [toMs])),
  ]
  const last = lastOf(times, atMs)
  return last === null ? null : dayOf(last, timeZone)
}

/** Whether the office had stopped its reminders by then, or they had never begun; as it is now where nobody wrote down when. */
const stoppedAt = (past: PastInvoice, atMs: number): string | null => {
  const told = past.changes.filter(({ stop, start }) => stop !== undefined || start)
  const last = told.findLast((one) => one.atMs <= atMs)
  if (last) return last.stop === undefined ? null : stoppedWords(last.stop)
  if (past.bornStopped !== null)
    return past.remindersFromMs !== null && past.remindersFromMs <= atMs ? null : past.bornStopped
  if (told.length > 0 || past.stopped === null) return null
  return past.answeredMs === null || past.answeredMs <= atMs ? stoppedWords(past.stopped) : null
}

const promisedAt = (past: PastInvoice, atMs: number): Day | null => {
  const told = past.changes.filter(({ promisedOn }) => promisedOn !== undefined)
  return told.length === 0 ? past.promisedOn : (told.findLast((one) => one.atMs <= atMs)?.promisedOn ?? null)
}

/** Whether the customer answered since they were last asked. */
const answerAt = (
  past: PastInvoice,
  atMs: number,
  { remindedMs, reopenedOn }: { remindedMs: number | null; reopenedOn: Day | null },
): 'paid' | 'wrote' | 'called' | null => {
  const takenUp = past.changes.flatMap((one) => (one.start || one.promisedOn !== undefined ? [one.atMs] : []))
  const since = [
    remindedMs ?? lastOf(past.sentMs, atMs),
    lastOf([...takenUp, ...(past.remindersFromMs === null ? [] : [past.remindersFromMs])], atMs),
    reopenedOn === null ? null : Date.parse(reopenedOn),
  ].filter((ms) => ms !== null)
  if (since.length === 0) return null
  const sinceMs = Math.max(...since)
  const isSince = (ms: number): boolean => ms > sinceMs && ms <= atMs
  const lies = new Map<string, number>()
  for (const { atMs: moved, cents, paymentId, isCredit, paidMs } of past.moves)
    if (moved <= atMs && !isCredit && isSince(paidMs)) lies.set(paymentId, (lies.get(paymentId) ?? 0) + cents)
  if ([...lies.values()].some((cents) => cents > 0)) return 'paid'
  if (past.wroteMs.some(isSince)) return 'wrote'
  return past.calledMs.some(isSince) ? 'called' : null
}

/** A day and the hours in which reminders leave on it. */
type ReminderDay = { day: Day; firstMs: number; lastMs: number }

/** The days of a span, with those before it from which a step may still be made up for. */
export const reminderDays = (fromMs: number, toMs: number, timeZone: string): ReminderDay[] => {
  const days: ReminderDay[] = []
  const at = (day: Day, minute: number): number => Date.parse(instantAt(day, minute, timeZone))
  const last = dayOf(toMs, timeZone)
  for (let day = addDays(dayOf(fromMs, timeZone), -catchUpDays); day <= last; day = addDays(day, 1))
    days.push({ day, firstMs: at(day, remindFromMinute), lastMs: at(day, remindToMinute) })
  return days
}

/** Times of a day at which what decides may become another: the hour at which reminders begin, and what happened later that day. */
const timesOf = (past: PastInvoice, reminded: readonly number[], { firstMs, lastMs }: ReminderDay): number[] => {
  const ends = [...past.onItsWay, ...past.disputed, ...(past.autopay ? [past.autopay] : [])].map(({ toMs }) => toMs)
  const events = [
    past.issuedMs,
    past.remindersFromMs,
    ...past.changes.map(({ atMs }) => atMs),
    ...ends,
    ...reminded.map((ms) => ms + remindPauseMs),
  ]
  const later = events.filter((ms) => ms !== null && ms > firstMs && ms < lastMs) as number[]
  return [firstMs, ...later.toSorted((a, b) => a - b)]
}

/**
 * The steps of an invoice that came in a span: each sent, or held back with why. What held it for less than `catchUpDays` is made up for, and what was
 * not open then began nothing.
 * @param unreached why nothing reaches its customer
 */
export const stepsOfPast = (
  past: PastInvoice,
  unreached: string | null,
  {
    steps,
    timeZone,
    fromMs,
    toMs,
    days,
  }: { steps: readonly number[]; timeZone: string; fromMs: number; toMs: number; days: readonly ReminderDay[] },
): PastStep[] => {
  const reminded = [...past.remindedMs]
  const found: PastStep[] = []
  const held = new Map<Day, PastStep>()
  let answered = null as { atMs: number; why: string } | null
  for (const one of days) {
    const { day } = one
    for (const atMs of timesOf(past, reminded, one)) {
      const openCents = openAt(past, atMs)
      const isGone = (past.voidedMs !== null && past.voidedMs <= atMs) || isIn(past.writtenOff, atMs)
      if (atMs > toMs || past.issuedMs > atMs || isGone || openCents <= 0) continue
      const reopenedOn = reopenedAt(past, atMs, day, timeZone)
      if (stepsDue({ dueOn: past.dueOn, reopenedOn, lastRemindedOn: null }, steps, day).length === 0) continue
      const remindedMs = lastOf(reminded, atMs)
      const lastRemindedOn = remindedMs === null ? null : dayOf(remindedMs, timeZone)
      const due = stepsDue({ dueOn: past.dueOn, reopenedOn, lastRemindedOn }, steps, day)
      if (due.length === 0 || (remindedMs !== null && atMs - remindedMs < remindPauseMs)) continue
      const promisedOn = promisedAt(past, atMs)
      const since = answered?.atMs ?? Number.POSITIVE_INFINITY
      if (past.changes.some((one) => one.start && one.atMs > since && one.atMs <= atMs)) answered = null
      const stopped: string | null = answered?.why ?? stoppedAt(past, atMs)
      const waits: string | null =
        stopped ??
        (isIn(past.disputed, atMs) ? notRemindedOf.disputed : null) ??
        (isIn(past.onItsWay, atMs) ? notRemindedOf.onItsWay : null) ??
        (promisedOn !== null && promisedOn >= day ? notRemindedOf.promised : null) ??
        (past.autopay && isIn([past.autopay], atMs) ? notRemindedOf.autopay : null) ??
        unreached
      const answer: ReturnType<typeof answerAt> =
        waits === null ? answerAt(past, atMs, { remindedMs, reopenedOn }) : null
      if (answer !== null) answered = { atMs, why: notRemindedOf[answer] }
      const against = waits ?? (answer === null ? null : notRemindedOf[answer])
      const step = { atMs, day, openCents, against }
      if (against !== null) {
        for (const stepOn of due) if (!held.has(stepOn)) held.set(stepOn, step)
        continue
      }
      for (const stepOn of due) held.delete(stepOn)
      reminded.push(atMs)
      found.push(step)
    }
  }
  return [...found, ...held.values()].filter(({ atMs }) => atMs > fromMs).toSorted((a, b) => a.atMs - b.atMs)
}

/** What was owed on an invoice at a time, in cents; nothing before it was issued. */
export const owedAt = (past: Owing & { issuedMs: number }, atMs: number): number =>
  past.issuedMs > atMs ? 0 : openAt(past, atMs)
