import { addDays, type Day, weekdayOf } from '../../../shared/dates.ts'

/** How a time off is paid, if it is: as what, in the payroll. */
export const offPays = ['vacation', 'sick', 'holiday'] as const
export type OffPay = (typeof offPays)[number]
const payLabels: Record<OffPay, string> = { vacation: 'Vacation', sick: 'Sick leave', holiday: 'Holiday' }
export const offPayLabel = (kind: OffPay): string => payLabels[kind]

/** What a day off is paid, unless somebody says otherwise. */
export const usualPaidMinutes = 480

/** Paid time off of a person on one day. */
export type PaidOff = { day: Day; kind: OffPay; minutes: number }

type Event = { firstDay: Day; lastDay: Day; payKind: OffPay | null; paidMinutes: number | null }

/**
 * The days of a time off that are paid: those on which the business works. A holiday is paid on its day whatever that is, and so is a single day that
 * somebody put in by hand. A vacation uses up no holiday.
 */
export const paidDaysOf = (
  { firstDay, lastDay, payKind, paidMinutes }: Event,
  { workDays, holidays }: { workDays: readonly number[]; holidays: readonly Day[] },
): PaidOff[] => {
  if (payKind === null || paidMinutes === null) return []
  const found: PaidOff[] = []
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
    const counts = payKind === 'holiday' || firstDay === lastDay
    if (counts || (workDays.includes(weekdayOf(day)) && !holidays.includes(day)))
      found.push({ day, kind: payKind, minutes: paidMinutes })
  }
  return found
}

/**
 * A person's days off, each paid once: a day that was put in by itself, or a holiday, is taken out of the longer time off around it, and two of those
 * that overlap pay the day by the first. Two halves of one day that were put in by themselves are both paid.
 * @param events in the order in which they count
 */
export const paidOnce = (events: readonly { long: boolean; days: readonly PaidOff[] }[]): PaidOff[] => {
  const own = events.flatMap(({ long, days }) => (long ? [] : days))
  const taken = new Set(own.map(({ day }) => day))
  const rest: PaidOff[] = []
  for (const one of events.flatMap(({ long, days }) => (long ? days : []))) {
    if (taken.has(one.day)) continue
    taken.add(one.day)
    rest.push(one)
  }
  return [...own, ...rest].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

export const offSeconds = (days: readonly PaidOff[]): number => days.reduce((sum, one) => sum + one.minutes * 60, 0)
