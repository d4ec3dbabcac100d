import { describe, expect, it } from 'vitest'
import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import { notRemindedOf, owedAt, type PastInvoice, reminderDays, stepsOfPast, unreachedReason } from './rules.ts'

const timeZone = 'America/New_York'
const due: Day = '2026-06-10'
const at = (day: number, minute = 540): number => Date.parse(instantAt(addDays(due, day), minute, timeZone))

const past = (changes: Partial<PastInvoice> = {}): PastInvoice => ({
  dueOn: due,
  totalCents: 5000,
  issuedMs: at(-10),
  voidedMs: null,
  writtenOff: [],
  reopenedOn: null,
  moves: [],
  sentMs: [at(-10)],
  remindedMs: [],
  changes: [],
  promisedOn: null,
  stopped: null,
  answeredMs: null,
  remindersFromMs: null,
  bornStopped: null,
  disputed: [],
  onItsWay: [],
  autopay: null,
  wroteMs: [],
  calledMs: [],
  ...changes,
})
const money = (day: number, cents: number, paymentId = 'p', more: object = {}) => ({
  atMs: at(day, 600),
  cents,
  paymentId,
  isCredit: false,
  paidMs: at(day, 600),
  ...more,
})

/** What becomes of the steps on the due day and a week later: the day on which each leaves, or why it does not. */
const steps = (changes: Partial<PastInvoice> = {}, unreached: string | null = null, fromDay = -12) => {
  const [fromMs, toMs] = [at(fromDay), at(20)]
  const days = reminderDays(fromMs, toMs, timeZone)
  return stepsOfPast(past(changes), unreached, { steps: [0, 7], timeZone, fromMs, toMs, days }).map(
    ({ atMs, against, openCents }) => against ?? `${dayOf(atMs, timeZone)} ${openCents}`,
  )
}
const on = (day: number, cents = 5000) => `${addDays(due, day)} ${cents}`

describe('the steps of an invoice in the past', () => {
  it.each<[string, Partial<PastInvoice>, string[]]>([
    ['leave on their days', {}, [on(0), on(7)]],
    ['are none before it was issued', { issuedMs: at(4), sentMs: [] }, [on(7)]],
    ['leave on the day of issue where that is made up for', { issuedMs: at(2, 700), sentMs: [] }, [on(2), on(7)]],
    ['are none once it was voided', { voidedMs: at(3) }, [on(0)]],
    ['are none once it was paid', { moves: [money(3, 5000)] }, [on(0)]],
    ['tell what was open then', { moves: [money(-3, 1000, 'p', { isCredit: true })] }, [on(0, 4000), on(7, 4000)]],
    [
      'wait while a bank payment is on its way, and are made up for',
      { onItsWay: [{ fromMs: at(-2), toMs: at(2, 700) }] },
      [on(2), on(7)],
    ],
    ['are lost where it took longer', { onItsWay: [{ fromMs: at(-2), toMs: at(5) }] }, [notRemindedOf.onItsWay, on(7)]],
    ['wait for a dispute', { disputed: [{ fromMs: at(1), toMs: null }] }, [on(0), notRemindedOf.disputed]],
    [
      'of a late fee begin once its invoice is settled',
      { bornStopped: notRemindedOf.withFee, remindersFromMs: at(6) },
      [notRemindedOf.withFee, on(7)],
    ],
    [
      'are held by an answer until the office starts them again',
      { wroteMs: [at(1)], changes: [{ atMs: at(9), start: true }] },
      [on(0), on(9)],
    ],
    [
      'are not held by what came before the office started them',
      { calledMs: [at(1)], changes: [{ atMs: at(2), promisedOn: null }] },
      [on(0), on(7)],
    ],
    [
      'count from the day on which it was written off no more',
      { writtenOff: [{ fromMs: at(-1), toMs: at(2, 0) }], reopenedOn: addDays(due, 2) },
      [on(9)],
    ],
    [
      'count from the day on which money was gone again',
      { moves: [money(-4, 5000), money(3, -5000)], reopenedOn: addDays(due, 3) },
      [on(10)],
    ],
    ['give a reminder by hand 20 hours', { remindedMs: [at(-1, 1140)] }, [on(0), on(7)]],
    ['are made needless by a reminder by hand on the day', { remindedMs: [at(0, 480)] }, [on(7)]],
    [
      'are those of now where nobody wrote down when they were stopped',
      { stopped: 'INV-1 did not reach them' },
      Array(2).fill('Its reminders were stopped: INV-1 did not reach them'),
    ],
  ])('%s', (_, changes, expected) => {
    expect(steps(changes)).toEqual(expected)
  })

  it('name why nothing reaches them, before anything that they answered', () => {
    const why = unreachedReason({ why: null })
    expect(steps({ wroteMs: [at(-1)] }, why)).toEqual([why, why])
  })

  it('are told of the span alone: what came due just before it is made up for in it, what left before is not', () => {
    expect(steps({ onItsWay: [{ fromMs: at(-2), toMs: at(2, 700) }] }, null, 1)).toEqual([on(2), on(7)])
    expect(steps({}, null, 1)).toEqual([on(7)])
  })
})

it('a late fee is owed from when it was issued, less what came', () => {
  const fee = { totalCents: 1500, issuedMs: at(5), moves: [{ atMs: at(8), cents: 500 }] }
  expect([at(4), at(6), at(9)].map((ms) => owedAt(fee, ms))).toEqual([0, 1500, 1000])
})
