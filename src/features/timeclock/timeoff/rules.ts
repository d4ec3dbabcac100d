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

export const offSeconds = (days: readonly PaidOff[]): number => days.reduce((sum, one) => sum + one.minutes * 60, 0)
