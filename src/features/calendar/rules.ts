import { type Day, daysBetween, formatDay, formatMinute } from '../../shared/dates.ts'
import { asSkill } from '../../shared/skills.ts'
import { crewOffMessage, dayRefusal, licenseRefusal, type WorkCalendar } from '../visits/days/rules.ts'

/** How full a crew's day is, and what speaks against putting a visit there. */

/** Days that are read at once, visit by visit; beyond that the month has counts. */
export const longestRangeDays = 15

export type Absence = {
  firstDay: Day
  lastDay: Day
  /** Null: the whole day. */
  startMinute: number | null
  endMinute: number | null
  userId: string | null
  crewId: string | null
}

export type Shift = { shiftStartMinute: number; shiftEndMinute: number; breakMinutes: number }

const takenOf = (shift: Shift, off: Pick<Absence, 'startMinute' | 'endMinute'>): number =>
  off.startMinute === null || off.endMinute === null
    ? shift.shiftEndMinute - shift.shiftStartMinute
    : Math.max(0, Math.min(off.endMinute, shift.shiftEndMinute) - Math.max(off.startMinute, shift.shiftStartMinute))

/**
 * What a crew can do on a day in labor minutes: its shift without the break, times people, less the hours that events take from them.
 * @param userIds who is on the crew that day; nobody counts as one person
 * @returns `away`: who is off the whole day; `people`: who is left
 */
export const capacityOf = (
  crew: Shift & { id: string },
  day: Day,
  userIds: readonly string[],
  absences: readonly Absence[],
): { capacityMinutes: number; people: number; away: string[] } => {
  const length = Math.max(0, crew.shiftEndMinute - crew.shiftStartMinute - crew.breakMinutes)
  const today = absences.filter((off) => off.firstDay <= day && day <= off.lastDay)
  const left = (userIds.length ? userIds : [null]).map((userId) => {
    const taken = today
      .filter((off) =>
        off.userId === null ? off.crewId === null || off.crewId === crew.id : userId !== null && off.userId === userId,
      )
      .reduce((sum, off) => sum + takenOf(crew, off), 0)
    return { userId, minutes: Math.max(0, length - taken) }
  })
  return {
    capacityMinutes: left.reduce((sum, one) => sum + one.minutes, 0),
    people: left.filter((one) => one.minutes > 0).length,
    away: left.flatMap((one) => (one.minutes === 0 && one.userId ? [one.userId] : [])),
  }
}

export type Load = { capacityMinutes: number; workMinutes: number; driveMinutes: number }

/** Work and driving of the capacity, in percent; work on a day without any is past every limit. */
export const loadPercent = ({ capacityMinutes, workMinutes, driveMinutes }: Load): number =>
  capacityMinutes > 0
    ? Math.round(((workMinutes + driveMinutes) / capacityMinutes) * 100)
    : workMinutes + driveMinutes > 0
      ? 999
      : 0

export type LoadTone = 'fits' | 'tight' | 'over'

/** Up to 90 percent there is room for what goes wrong, up to 105 it can be done. */
export const loadTone = (percent: number): LoadTone => (percent <= 90 ? 'fits' : percent <= 105 ? 'tight' : 'over')

export const loadLabel = (load: Load): string => {
  const percent = loadPercent(load)
  return percent === 999 ? 'no shift' : `${percent}%`
}

/** "3 h 20" of minutes. */
export const hoursLabel = (minutes: number): string => {
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h${minutes % 60 ? ` ${String(minutes % 60).padStart(2, '0')}` : ''}`
}

export type Movable = {
  id: string
  day: Day | null
  crewId: string | null
  budgetMinutes: number
  windowStartMinute: number | null
  windowEndMinute: number | null
  skills: readonly string[]
  minGapDays: number
  previousDay: Day | null
  nextDay: Day | null
}
export type BoardCrew = {
  id: string
  name: string
  shiftStartMinute: number
  shiftEndMinute: number
  skills: readonly string[]
}
export type Board = {
  calendar: WorkCalendar
  crews: readonly BoardCrew[]
  loadOf: (day: Day, crewId: string) => Load | undefined
  /** What a crew can do on a day; where it is not known its equipment is asked. */
  skillsOf?: (day: Day, crewId: string) => readonly string[] | undefined
}

/** `stops`: it is not possible there. `warns`: it is, and this is what to look at. */
export type Verdict = { stops: string | null; warns: string[] }

/** The customer's hours as people say them, or null. */
export const windowLabel = (visit: Pick<Movable, 'windowStartMinute' | 'windowEndMinute'>): string | null => {
  const { windowStartMinute: from, windowEndMinute: to } = visit
  if (from !== null && to !== null) return `${formatMinute(from)} to ${formatMinute(to)}`
  return from !== null ? `after ${formatMinute(from)}` : to !== null ? `before ${formatMinute(to)}` : null
}

const gapWarning = (visit: Movable, day: Day): string | null => {
  if (visit.minGapDays <= 0) return null
  const before = visit.previousDay === null ? null : Math.abs(daysBetween(visit.previousDay, day))
  const after = visit.nextDay === null ? null : Math.abs(daysBetween(day, visit.nextDay))
  const near = [
    ...(before !== null && before < visit.minGapDays ? [{ apart: before, of: visit.previousDay }] : []),
    ...(after !== null && after < visit.minGapDays ? [{ apart: after, of: visit.nextDay }] : []),
  ][0]
  return near?.of
    ? `Only ${near.apart} ${near.apart === 1 ? 'day' : 'days'} from its visit on ${formatDay(near.of)}; it wants ${visit.minGapDays}.`
    : null
}

/** What speaks against a visit on a day and crew, known before it is put there. The server refuses for the same reasons as `stops`. */
export const judgeMove = (visit: Movable, to: { day: Day; crewId: string | null }, board: Board): Verdict => {
  const { calendar } = board
  const crew = board.crews.find((one) => one.id === to.crewId)
  const working = calendar.crews.find((one) => one.id === to.crewId)
  const stops =
    (to.day < calendar.today
      ? `${formatDay(to.day)} is over.`
      : to.day === visit.day
        ? to.crewId !== visit.crewId && working
          ? crewOffMessage(working, to.day)
          : null
        : dayRefusal(calendar, to.day, to.crewId)) ?? licenseRefusal(calendar, visit.skills, to.day, to.crewId)
  if (stops) return { stops, warns: [] }
  const warns: string[] = []
  const gap = to.day === visit.day ? null : gapWarning(visit, to.day)
  if (gap) warns.push(gap)
  if (crew) {
    const has = board.skillsOf?.(to.day, crew.id) ?? crew.skills
    const missing = visit.skills.find((skill) => !has.some((one) => asSkill(one) === asSkill(skill)))
    if (missing)
      warns.push(`${crew.name} does not have “${missing}”${board.skillsOf ? ` on ${formatDay(to.day)}` : ''}.`)
    const window = windowLabel(visit)
    if (
      window &&
      ((visit.windowStartMinute ?? 0) > crew.shiftEndMinute || (visit.windowEndMinute ?? 1440) < crew.shiftStartMinute)
    )
      warns.push(
        `The customer wants ${window}; ${crew.name} works ${formatMinute(crew.shiftStartMinute)} to ${formatMinute(crew.shiftEndMinute)}.`,
      )
    const load = board.loadOf(to.day, crew.id)
    const here = visit.day === to.day && visit.crewId === crew.id
    if (load && !here) {
      const after = loadPercent({ ...load, workMinutes: load.workMinutes + visit.budgetMinutes })
      if (loadTone(after) === 'over')
        warns.push(
          after === 999 ? `Nobody of ${crew.name} is at work.` : `${crew.name} would be at ${after}% of its day.`,
        )
    }
  }
  return { stops: null, warns }
}
