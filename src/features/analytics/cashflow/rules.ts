import { addDays, type Day, daysBetween, formatDay, isDay } from '../../../shared/dates.ts'
import { formatCents, parseDollars, roundHalfUp } from '../../../shared/money.ts'
import { type Every, nextOn } from '../../expenses/recurring/rules.ts'

/** What is expected to come in and to go out in the next twelve weeks: an estimate from what is open, planned and usual, never a promise. */

export const cashWeeks = 12
export const cashDays = cashWeeks * 7

/** What comes in, by where it comes from. */
export const incomeKinds = ['invoices', 'drafts', 'work', 'plans'] as const
export type IncomeKind = (typeof incomeKinds)[number]
/** Whose single amounts are listed; labor and other costs are estimates of a whole week. */
export const listedKinds = [...incomeKinds, 'recurring'] as const
export type ListedKind = (typeof listedKinds)[number]

/** Why money is expected on its day. */
export const bases = ['promised', 'autopay', 'bank', 'own', 'usual', 'terms', 'late'] as const
export type Basis = (typeof bases)[number]

/** Days until money that should have come by now is expected: somebody has to ask for it first. */
export const lateDays = 14
/** Days past due after which money is not counted on any more; finished work that nobody billed for so long neither. */
export const doubtfulDays = 90
/** Days after which a visit that nobody finished or skipped counts as neither money nor labor any more: nobody will do it. */
export const neverClosedDays = 30
/** Days that a bank takes. */
export const bankDays = 4
/** A customer's own habit is known from so many paid invoices of the last year. */
export const leastPaid = 2

/** Seven days each, the first one from today. */
export const weeksFrom = (today: Day): { from: Day; to: Day }[] =>
  Array.from({ length: cashWeeks }, (_, at) => ({ from: addDays(today, at * 7), to: addDays(today, at * 7 + 6) }))

export type Week = {
  from: Day
  to: Day
  in: Record<IncomeKind, number>
  out: Record<'labor' | 'recurring' | 'other', number>
}

const sum = (parts: Record<string, number>): number => Object.values(parts).reduce((all, one) => all + one, 0)
export const inCents = (week: Pick<Week, 'in'>): number => sum(week.in)
export const outCents = (week: Pick<Week, 'out'>): number => sum(week.out)
export const netCents = (week: Pick<Week, 'in' | 'out'>): number => inCents(week) - outCents(week)

/** Weeks put together, as many at a time as asked for: each begins with its first week. */
export const together = (weeks: readonly Week[], step: number): { from: Day; inCents: number; outCents: number }[] =>
  weeks.flatMap((week, at) => (at % step === 0 ? [{ from: week.from, ...totalsOf(weeks.slice(at, at + step)) }] : []))

/** What all of them bring and cost. */
export const totalsOf = (weeks: readonly Week[]): { inCents: number; outCents: number } => ({
  inCents: weeks.reduce((all, week) => all + inCents(week), 0),
  outCents: weeks.reduce((all, week) => all + outCents(week), 0),
})

/** In which of the weeks from today a day is. */
export const weekOf = (today: Day, day: Day): number => Math.floor(daysBetween(today, day) / 7)

/** Other costs are the mean of the last weeks: as many as there are records of, but no fewer, so that one purchase is no habit. */
const leastCostWeeks = 4
export const costWeeks = (today: Day, firstExpenseOn: Day | null): number =>
  firstExpenseOn === null
    ? cashWeeks
    : Math.min(cashWeeks, Math.max(leastCostWeeks, Math.ceil(daysBetween(firstExpenseOn, today) / 7)))

/** What is in the bank as it is kept: with the day on which it was typed. */
export const keptBank = (day: Day, cents: number): string => `${day} ${(cents / 100).toFixed(2)}`

/** What was typed, and when. An amount of another day is not today's: money moved since. @returns null where nothing is kept, or without its day */
export const bankOf = (kept: string, today: Day): { day: Day; cents: number; isToday: boolean } | null => {
  const [day, amount] = kept.split(' ')
  const cents = amount === undefined ? null : parseDollars(amount)
  return day && isDay(day) && cents !== null ? { day, cents, isToday: day === today } : null
}

/** What is there at the end of each week. @param startCents what is there today */
export const balances = (startCents: number, weeks: readonly Week[]): number[] => {
  let balance = startCents
  return weeks.map((week) => {
    balance += netCents(week)
    return balance
  })
}

/**
 * What the people of a week cost. Planned minutes are those on site; the drive comes on top as it was lately.
 * @param siteMinutes labor minutes on site @param driveShare part of all labor time on the road, below 1 @param hourCents with taxes and insurance
 */
export const laborCents = (siteMinutes: number, driveShare: number, hourCents: number): number =>
  roundHalfUp((siteMinutes * hourCents) / 60 / (1 - Math.min(driveShare, 0.9)))

type Recurring = { firstOn: Day; endOn: Day | null; every: Every }

/** The days of a recurring cost from its next one to a last day. @param next the day of the next expense that is to be made */
export const recurringDays = (cost: Recurring, next: Day | null, to: Day): Day[] => {
  const days: Day[] = []
  for (let day = next; day !== null && day <= to; day = nextOn(cost, addDays(day, 1))) days.push(day)
  return days
}

/** What is done about it is said with what is seen: "In the week of Mon, Jan 4 you would be $1,200.00 short." */
export const outlookOf = (startCents: number | null, weeks: readonly Week[]): string => {
  const all = balances(startCents ?? 0, weeks)
  const lowest = Math.min(...all)
  const at = all.indexOf(lowest)
  const when = weeks[at] ? `the week of ${formatDay(weeks[at].from)}` : ''
  if (startCents === null) {
    const net = all.at(-1) ?? 0
    return net >= 0
      ? `In these ${cashWeeks} weeks ${formatCents(net)} more comes in than goes out.`
      : `In these ${cashWeeks} weeks ${formatCents(-net)} more goes out than comes in.`
  }
  if (lowest < 0) return `In ${when} you would be ${formatCents(-lowest)} short. Ask for what is late, or move a cost.`
  if (lowest < startCents) return `The least is ${formatCents(lowest)}, in ${when}.`
  return `At the end of no week is there less than the ${formatCents(startCents)} of today.`
}
