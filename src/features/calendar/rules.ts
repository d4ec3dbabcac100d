import { type Day, formatDay, formatMinute } from '../../shared/dates.ts'
import {
  crewOffMessage,
  dayRefusal,
  licenseRefusal,
  nearMessages,
  type SameWork,
  skillWarning,
  type WorkCalendar,
} from '../visits/days/rules.ts'

/** How full a crew's day is, and what speaks against putting a visit there. */

/** Days that are read at once, visit by visit; beyond that the month has counts. */
export const longestRangeDays = 15

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
  sameWork: readonly SameWork[]
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
  /** What a crew is on a day: what it can do then, and its shift; where it is not known its usual ones are asked. */
  crewOn?: (day: Day, crewId: string) => Omit<BoardCrew, 'id' | 'name'> | undefined
}

/** `stops`: it is not possible there. `warns`: it is, and this is what to look at. */
export type Verdict = { stops: string | null; warns: string[] }

/** The customer's hours as people say them, or null. */
export const windowLabel = (visit: Pick<Movable, 'windowStartMinute' | 'windowEndMinute'>): string | null => {
  const { windowStartMinute: from, windowEndMinute: to } = visit
  if (from !== null && to !== null) return `${formatMinute(from)} to ${formatMinute(to)}`
  return from !== null ? `after ${formatMinute(from)}` : to !== null ? `before ${formatMinute(to)}` : null
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
  if (to.day !== visit.day) warns.push(...nearMessages(visit, to.day))
  if (crew) {
    const { skills, shiftStartMinute: start, shiftEndMinute: end } = board.crewOn?.(to.day, crew.id) ?? crew
    const missing = skillWarning({ name: crew.name, skills }, visit.skills, board.crewOn ? to.day : null)
    if (missing) warns.push(missing)
    const window = windowLabel(visit)
    if (window && ((visit.windowStartMinute ?? 0) > end || (visit.windowEndMinute ?? 1440) < start))
      warns.push(`The customer wants ${window}; ${crew.name} works ${formatMinute(start)} to ${formatMinute(end)}.`)
    const load = board.loadOf(to.day, crew.id)
    const here = visit.day === to.day && visit.crewId === crew.id
    if (load && !here) {
      const after = loadPercent({ ...load, workMinutes: load.workMinutes + visit.budgetMinutes })
      if (loadTone(after) === 'over')
        warns.push(
          after === 999
            ? `Nobody of ${crew.name} is at work.`
            : `${crew.name} would be at ${after}% of its day, and the drive comes on top.`,
        )
    }
  }
  return { stops: null, warns }
}
