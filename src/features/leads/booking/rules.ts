import type { Refusal } from '../../../shared/can.ts'
import { addDays, type Day, formatDay } from '../../../shared/dates.ts'
import { type MeasuredBy, measureOf, unmeasured } from '../../services/measures/rules.ts'
import { budgetMinutesFor, type Frequency, type PriceRule, priceFor, type TimeRule } from '../../services/rules.ts'
import { type LawnWay, lawnBetween } from '../requests/rules.ts'

/** A visitor of the business page picks the day: what it costs, how long a place waits for them, and what is said of it. */

/** So long a picked day is theirs while they type their name. */
export const holdMinutes = 10

/** Less driving than this more is a crew next door. */
const closeSeconds = 6 * 60

export const isClose = (addedDriveSeconds: number): boolean => addedDriveSeconds <= closeSeconds

/** The days that can be picked: never today, for the crews are out already. */
export const bookableDays = (today: Day, daysAhead: number): Day[] =>
  Array.from({ length: daysAhead }, (_, n) => addDays(today, n + 1))

export const dayParts = ['morning', 'midday', 'afternoon'] as const
export type DayPart = (typeof dayParts)[number]
export const dayPartLabel: Record<DayPart, string> = {
  morning: 'in the morning',
  midday: 'around noon',
  afternoon: 'in the afternoon',
}

/** No promise of an hour: the plan of the day still changes. @param minute of the day */
export const partOfDay = (minute: number | null): DayPart | null =>
  minute === null ? null : minute < 11 * 60 ? 'morning' : minute < 14 * 60 ? 'midday' : 'afternoon'

export type BookedLine = { serviceId: string; name: string; frequency: Frequency; priceCents: number; minutes: number }

type Bookable = { id: string; name: string; measuredBy: MeasuredBy; priceRule: PriceRule; timeRule: TimeRule }

/** The lawn that a booking is priced and planned by, in square feet: the middle of what it may be. */
export const bookedLawn = (squareFeet: number, way: LawnWay): number => {
  const { low, high } = lawnBetween(squareFeet, way)
  return Math.round((low + high) / 2)
}

/**
 * What each visit costs and takes by the business's own rules, for an easy lawn of that size.
 * @returns null where a rule cannot say a price, or goes by beds or edges, which no visitor knows: then nothing can be booked
 */
export const bookedLines = (
  squareFeet: number,
  services: readonly { service: Bookable; rule: PriceRule; frequency: Frequency }[],
): BookedLine[] | null => {
  const lines = services.flatMap(({ service, rule, frequency }): BookedLine[] => {
    const measured = measureOf(service, { ...unmeasured, lawnSquareFeet: squareFeet })
    const { cents } = priceFor(rule, { ...measured, difficulty: 1, frequency })
    return cents === null
      ? []
      : [
          {
            serviceId: service.id,
            name: service.name,
            frequency,
            priceCents: cents,
            minutes: Math.max(1, budgetMinutesFor(service, { ...measured, difficulty: 1 })),
          },
        ]
  })
  return lines.length === services.length && lines.length > 0 ? lines : null
}

export type Opening = { day: Day; crewId: string; startMinute: number | null; addedDriveSeconds: number }

/** The least driving first, and of the same the sooner day. */
export const byDriving = (a: Opening, b: Opening): number =>
  Math.round(a.addedDriveSeconds / 60) - Math.round(b.addedDriveSeconds / 60) || (a.day < b.day ? -1 : 1)

export const bookingStatuses = ['held', 'asked', 'booked', 'refused'] as const
export type BookingStatus = (typeof bookingStatuses)[number]

const answered = ({ status, day }: { status: BookingStatus; day: Day }): string | null =>
  status === 'asked'
    ? null
    : status === 'booked'
      ? `This is booked for ${formatDay(day)} already. Nothing was changed.`
      : 'This was answered already. Nothing was changed.'

export const bookingActions = ['accept', 'refuse'] as const
export type BookingAction = (typeof bookingActions)[number]
/** Why a wished day refuses an answer. */
export const bookingRefusals: Record<BookingAction, Refusal<{ status: BookingStatus; day: Day }>> = {
  accept: answered,
  refuse: answered,
}

export const everyLabel: Record<Frequency, string> = {
  weekly: 'every week',
  biweekly: 'every two weeks',
  monthly: 'every month',
  once: 'once',
}
