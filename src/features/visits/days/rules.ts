import { addDays, covers, type Day, daysBetween, formatDay, weekdayOf } from '../../../shared/dates.ts'
import { asSkill } from '../../../shared/skills.ts'

/** On which days a visit can be put: what is open to the business, and to the crew that is to do it. */

export type WorkCrew = {
  id: string
  name: string
  /** Weekdays, Sunday is 0. */
  workDays: readonly number[]
  daysOff: readonly { day: Day; reason: 'rain' | 'out' }[]
  /** Days on which it has visits though it or the business does not work on that weekday: given to make up, they take more by hand. */
  extraDays?: readonly Day[]
  /** Skills that only a license gives, with the days on which somebody at work on the crew has a valid one. */
  licenses?: readonly { skill: string; spans: readonly { from: Day; to: Day | null }[] }[]
}
export type WorkCalendar = {
  today: Day
  workDays: readonly number[]
  holidays: readonly Day[]
  crews: readonly WorkCrew[]
}

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'] as const
const offOn = (crew: WorkCrew, day: Day) => crew.daysOff.find((off) => off.day === day)
const worksExtra = (crew: WorkCrew, day: Day): boolean => crew.extraDays?.includes(day) ?? false

/** Why a crew does not work on a day, as a sentence, or null when it does. */
export const crewOffMessage = (crew: WorkCrew, day: Day): string | null => {
  const off = offOn(crew, day)
  if (off) return `${crew.name} is off on ${formatDay(day)}: ${off.reason === 'rain' ? 'rain' : 'the crew is out'}.`
  return crew.workDays.includes(weekdayOf(day)) || worksExtra(crew, day)
    ? null
    : `${crew.name} does not work on ${weekdays[weekdayOf(day)]}.`
}

/** Why a crew may not do on a day what a visit needs, as a sentence, or null: only work that needs a license is refused. */
export const licenseRefusal = (
  calendar: Pick<WorkCalendar, 'crews'>,
  skills: readonly string[],
  day: Day,
  crewId: string | null,
): string | null => {
  const crew = calendar.crews.find((one) => one.id === crewId)
  const needed = new Set(skills.map(asSkill))
  const lacking = crew?.licenses?.find(
    ({ skill, spans }) => needed.has(asSkill(skill)) && !spans.some((span) => covers(span, day)),
  )
  return crew && lacking
    ? `${crew.name} has nobody at work on ${formatDay(day)} with a valid license for “${lacking.skill}”.`
    : null
}

/** Why the business is closed on a day, as a sentence, or null when it is open; an extra day is worked whatever weekday it is. */
export const closedDayMessage = (calendar: Omit<WorkCalendar, 'crews'>, day: Day, extra = false): string | null => {
  if (day < calendar.today) return `${formatDay(day)} is over.`
  if (calendar.holidays.includes(day)) return `${formatDay(day)} is a holiday of yours.`
  return extra || calendar.workDays.includes(weekdayOf(day)) ? null : `You do not work on ${weekdays[weekdayOf(day)]}.`
}

/** Why a visit cannot be put on a day and a crew, as a sentence, or null when it can. Without a crew somebody has to work that day. */
export const dayRefusal = (calendar: WorkCalendar, day: Day, crewId: string | null): string | null => {
  const crew = calendar.crews.find((one) => one.id === crewId)
  const extra = (crew ? [crew] : calendar.crews).some((one) => worksExtra(one, day))
  const closed = closedDayMessage(calendar, day, extra)
  if (closed) return closed
  if (crew) return crewOffMessage(crew, day)
  const usual = calendar.crews.filter((one) => one.workDays.includes(weekdayOf(day)))
  return usual.length > 0 && usual.every((one) => offOn(one, day)) ? `Every crew is off on ${formatDay(day)}.` : null
}

/** How far ahead an open day is looked for, and days off are read. */
export const calendarDays = 120

/** The first days after one that are open to a visit of a crew; fewer where there are not so many within `calendarDays`. */
export const openDaysAfter = (calendar: WorkCalendar, after: Day, crewId: string | null, count: number): Day[] => {
  const days: Day[] = []
  // A day given to make up is taken by who picks it, not offered.
  const usual = { ...calendar, crews: calendar.crews.map((crew) => ({ ...crew, extraDays: [] })) }
  for (let ahead = 1; ahead <= calendarDays && days.length < count; ahead++) {
    const day = addDays(after, ahead)
    if (dayRefusal(usual, day, crewId) === null) days.push(day)
  }
  return days
}

/** Why a day is too near to the visits of the same job before or after it, as a sentence, or null. */
export const gapMessage = (
  visit: { minGapDays: number; previousDay: Day | null; nextDay: Day | null },
  day: Day,
): string | null => {
  if (visit.minGapDays <= 0) return null
  for (const other of [visit.previousDay, visit.nextDay]) {
    const apart = other === null ? visit.minGapDays : Math.abs(daysBetween(other, day))
    if (other !== null && apart < visit.minGapDays)
      return apart === 0
        ? `Its job has another visit that day; it wants ${visit.minGapDays} days between.`
        : `Only ${apart} ${apart === 1 ? 'day' : 'days'} from its visit on ${formatDay(other)}; it wants ${visit.minGapDays}.`
  }
  return null
}

/** A day on which another job does the same work at the property. */
export type SameWork = { day: Day; jobNumber: number }

/** Why a day is too near to the same work of another job at the property, as a sentence, or null. */
export const sameWorkMessage = (sameWork: readonly SameWork[], minGapDays: number, day: Day): string | null => {
  const apart = (one: SameWork) => Math.abs(daysBetween(one.day, day))
  const nearest = sameWork.toSorted((a, b) => apart(a) - apart(b))[0]
  if (!nearest) return null
  const work = `J-${nearest.jobNumber} does the same work at this property`
  if (apart(nearest) === 0) return `${work} on this day.`
  return apart(nearest) < minGapDays
    ? `${work} on ${formatDay(nearest.day)}; it wants ${minGapDays} days between.`
    : null
}

/** What stands too near to a day, of its own job and of others. */
export const nearMessages = (
  visit: Parameters<typeof gapMessage>[0] & { sameWork: readonly SameWork[] },
  day: Day,
): string[] =>
  [gapMessage(visit, day), sameWorkMessage(visit.sameWork, visit.minGapDays, day)].filter((one) => one !== null)

/** What a crew lacks on a day for work that needs skills, as a sentence, or null. */
export const skillWarning = (
  crew: { name: string; skills: readonly string[] },
  needed: readonly string[],
  day: Day | null,
): string | null => {
  const has = new Set(crew.skills.map(asSkill))
  const missing = needed.find((skill) => !has.has(asSkill(skill)))
  return missing === undefined ? null : `${crew.name} does not have “${missing}”${day ? ` on ${formatDay(day)}` : ''}.`
}
