import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { timeZoneLabel } from '../../../shared/timeZone.ts'

/** A moment by the clock of the business, which is named: who looks may sit in another zone. */
export const instantWords = (instant: string, timeZone: string): string =>
  `${formatDay(dayOf(instant, timeZone))}, ${formatTime(instant, timeZone)} ${timeZoneLabel(timeZone)}`
