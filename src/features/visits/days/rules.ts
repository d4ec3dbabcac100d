import { addDays, type Day, formatDay, weekdayOf } from '../../../shared/dates.ts'

/** On which days a visit can be put: what is open to the business, and to the crew that is to do it. */

export type WorkCrew = {
  id: string
  name: string
  /** Weekdays, Sunday is 0. */
  workDays: readonly number[]
  daysOff: readonly { day: Day; reason: 'rain' | 'out' }[]
}
export type WorkCalendar = {
  today: Day
  workDays: readonly number[]
  holidays: readonly Day[]
  crews: readonly WorkCrew[]
}

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'] as const
const offOn = (crew: WorkCrew, day: Day) => crew.daysOff.find((off) => off.day === day)

/** Why a crew does not work on a day, as a sentence, or null when it does. */
export const crewOffMessage = (crew: WorkCrew, day: Day): string | null => {
  const off = offOn(crew, day)
  if (off) return `${crew.name} is off on ${formatDay(day)}: ${off.reason === 'rain' ? 'rain' : 'the crew is out'}.`
  return crew.workDays.includes(weekdayOf(day)) ? null : `${crew.name} does not work on ${weekdays[weekdayOf(day)]}.`
}

/** Why the business is closed on a day, as a sentence, or null when it is open. */
export const closedDayMessage = (calendar: Omit<WorkCalendar, 'crews'>, day: Day): string | null => {
  if (day < calendar.today) return `${formatDay(day)} is over.`
  if (calendar.holidays.includes(day)) return `${formatDay(day)} is a holiday of yours.`
  return calendar.workDays.includes(weekdayOf(day)) ? null : `You do not work on ${weekdays[weekdayOf(day)]}.`
}

/** Why a visit cannot be put on a day and a crew, as a sentence, or null when it can. Without a crew somebody has to work that day. */
export const dayRefusal = (calendar: WorkCalendar, day: Day, crewId: string | null): string | null => {
  const closed = closedDayMessage(calendar, day)
  if (closed) return closed
  const crew = calendar.crews.find((one) => one.id === crewId)
  if (crew) return crewOffMessage(crew, day)
  const usual = calendar.crews.filter((one) => one.workDays.includes(weekdayOf(day)))
  return usual.length > 0 && usual.every((one) => offOn(one, day)) ? `Every crew is off on ${formatDay(day)}.` : null
}

/** How far ahead an open day is looked for, and days off are read. */
export const calendarDays = 120

/** The first days after one that are open to a visit of a crew; fewer where there are not so many within `calendarDays`. */
export const openDaysAfter = (calendar: WorkCalendar, after: Day, crewId: string | null, count: number): Day[] => {
  const days: Day[] = []
  for (let ahead = 1; ahead <= calendarDays && days.length < count; ahead++) {
    const day = addDays(after, ahead)
    if (dayRefusal(calendar, day, crewId) === null) days.push(day)
  }
  return days
}
