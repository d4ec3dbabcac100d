import { type Day, weekdayOf } from '../../../shared/dates.ts'

/** Which weekday and crew a new place fits best, from what single days would say. Pure. */

/** What a place would cost a crew on one day: the driving that it adds; null where it does not fit, with the reason. */
export type DayAnswer = {
  day: Day
  crewId: string
  crewName: string
  addedSeconds: number | null
  stops: number
  reason: string | null
}

export type WeekdayOffer = {
  weekday: number
  crewId: string
  crewName: string
  /** The mean of the days that were looked at. */
  addedSeconds: number
  /** Stops that stand there on an average day. */
  stops: number
  /** So many of the days that were looked at take it. */
  days: number
  of: number
  firstDay: Day
}

/** A crew must have room on more than half of its days of a weekday. */
const share = 0.5

/**
 * Weekdays by the driving that a place adds, the least first; of each its best crew. A day without stops says little: it comes after those that have some
 * where both add the same.
 */
export const rankWeekdays = (answers: readonly DayAnswer[]): { offers: WeekdayOffer[]; full: number[] } => {
  const weekdays = Map.groupBy(answers, ({ day }) => weekdayOf(day))
  const offers = [...weekdays].flatMap(([weekday, list]): WeekdayOffer[] => {
    const byCrew = [...Map.groupBy(list, ({ crewId }) => crewId).values()].flatMap((own): WeekdayOffer[] => {
      const fits = own.filter((one) => one.addedSeconds !== null)
      const [first] = fits
      if (!first || fits.length <= own.length * share) return []
      const mean = (of: (one: DayAnswer) => number) =>
        Math.round(fits.reduce((sum, one) => sum + of(one), 0) / fits.length)
      return [
        {
          weekday,
          crewId: first.crewId,
          crewName: first.crewName,
          addedSeconds: mean((one) => one.addedSeconds ?? 0),
          stops: mean((one) => one.stops),
          days: fits.length,
          of: own.length,
          firstDay: first.day,
        },
      ]
    })
    return byCrew.sort(byDrive).slice(0, 1)
  })
  const offered = new Set(offers.map(({ weekday }) => weekday))
  return {
    offers: offers.sort(byDrive),
    full: [...weekdays.keys()].filter((weekday) => !offered.has(weekday)).sort((a, b) => a - b),
  }
}

const byDrive = (a: WeekdayOffer, b: WeekdayOffer): number =>
  a.addedSeconds - b.addedSeconds || b.stops - a.stops || a.weekday - b.weekday || (a.crewName < b.crewName ? -1 : 1)
