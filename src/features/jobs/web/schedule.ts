import { addDays, type Day, daysBetween, weekdayOf } from '#src/shared/dates.ts'
import { type Calendar, type Recurrence, type Undated, weekOf } from '../rules.ts'

/** What the schedule editor holds: a rule, one day or neither, and the span of the job. */
export type Schedule = {
  recurrence: Recurrence | null
  onceOn: Day | null
  /** In place of a rule and a day. */
  undated?: Undated | null
  startOn: Day
  endOn: Day | null
}

export type HowOften = 'weekly' | 'biweekly' | 'monthly' | 'other' | 'once' | 'waiting' | 'on_demand' | 'step'

/** The next work day from tomorrow on. */
const nextWorkDay = (calendar: Calendar): Day => {
  for (let step = 1; step <= 7; step++) {
    const day = addDays(calendar.today, step)
    if (calendar.workDays.length === 0 || calendar.workDays.includes(weekdayOf(day))) return day
  }
  return addDays(calendar.today, 1)
}

/** Every week from the next work day on. */
export const newSchedule = (calendar: Calendar): Schedule => {
  const startOn = nextWorkDay(calendar)
  return {
    startOn,
    endOn: null,
    onceOn: null,
    recurrence: {
      freq: 'week',
      interval: 1,
      weekdays: [weekdayOf(startOn)],
      phaseOn: startOn,
      holiday: calendar.holidayRule,
      exceptions: [],
    },
  }
}

export const howOftenOf = ({ recurrence, undated }: Schedule): HowOften => {
  if (undated) return undated.kind
  if (!recurrence) return 'once'
  if (recurrence.freq === 'week' && recurrence.interval === 1) return 'weekly'
  if (recurrence.freq === 'week' && recurrence.interval === 2) return 'biweekly'
  return recurrence.freq === 'month' && recurrence.interval === 1 ? 'monthly' : 'other'
}

/** The same schedule at another pace; weekday, season and holidays stay. */
export const withHowOften = (before: Schedule, often: HowOften, calendar: Calendar): Schedule => {
  const value: Schedule = { ...before, undated: null }
  if (often === 'step') return before
  if (often === 'on_demand' || often === 'waiting') {
    const fromOn = calendar.today
    const undated: Undated =
      often === 'waiting' ? { kind: often, fromOn, warnOn: addDays(fromOn, 14) } : { kind: often }
    return { ...value, recurrence: null, onceOn: null, endOn: null, undated }
  }
  if (often === 'once') return { ...value, recurrence: null, onceOn: value.onceOn ?? value.startOn, endOn: null }
  const fresh = newSchedule(calendar).recurrence as Recurrence
  const { nth, dayOfMonth, ...base } = value.recurrence ?? {
    ...fresh,
    phaseOn: value.startOn,
    weekdays: [weekdayOf(value.startOn)],
  }
  const weekdays = base.weekdays.length > 0 ? base.weekdays : [weekdayOf(value.startOn)]
  const inUnit = (freq: Recurrence['freq']) => withPace(base.freq === freq ? base : withUnit(base, freq))
  const next: Record<Exclude<HowOften, 'once' | Undated['kind']>, Recurrence> = {
    weekly: { ...inUnit('week'), interval: 1, weekdays },
    biweekly: { ...inUnit('week'), interval: 2, weekdays },
    monthly: {
      ...inUnit('month'),
      interval: 1,
      ...(nth ? { nth } : { dayOfMonth: dayOfMonth ?? Number(value.startOn.slice(8)) }),
    },
    other: { ...inUnit('week'), interval: 4, weekdays },
  }
  return { ...value, recurrence: next[often], onceOn: null }
}

/** Gaps were meant for the pace that the rule had. */
const withPace = ({ minGapDays: _min, maxGapDays: _max, ...rest }: Recurrence): Recurrence => rest

/** The same rule in another unit; paces of parts of the year, tolerance and gaps were meant for the old one. */
export const withUnit = (rule: Recurrence, freq: Recurrence['freq']): Recurrence => {
  const { periods: _periods, tolerance: _tolerance, minGapDays: _min, maxGapDays: _max, ...rest } = rule
  return { ...rest, freq }
}

/** The same rule counted from the calendar or from when the last visit was done; what only the other way knows is left out. */
export const withAnchor = (rule: Recurrence, anchor: 'calendar' | 'completion'): Recurrence => {
  const { anchor: _anchor, ...calendar } = rule
  if (anchor === 'calendar') return calendar
  const { nth: _nth, end, ...rest } = calendar
  return { ...rest, ...(end && 'on' in end ? { end } : {}), anchor }
}

/** Weeks in which a rule of every few weeks could begin to count, from the present one on, and the one in which it does. */
export const phaseWeeks = (rule: Recurrence, from: Day): { weeks: Day[]; at: Day } => {
  const weeks = Array.from({ length: rule.interval }, (_, n) => addDays(weekOf(from), 7 * n))
  const at = weeks.find((week) => (daysBetween(weekOf(rule.phaseOn), week) / 7) % rule.interval === 0)
  return { weeks, at: at ?? weeks[0] ?? from }
}

/**
 * The rule counted from another week. Of a new job it begins there; of one that runs the count goes back by whole weeks, so that no day before
 * is lost.
 */
export const withPhaseWeek = (value: Schedule, week: Day, running: boolean): Schedule => {
  const rule = value.recurrence
  if (!rule) return value
  const { at } = phaseWeeks(rule, week)
  if (running) return { ...value, recurrence: { ...rule, phaseOn: addDays(rule.phaseOn, -daysBetween(week, at)) } }
  return { ...value, recurrence: { ...rule, phaseOn: week > value.startOn ? week : value.startOn } }
}

/** Another first day. The weekday follows it as long as it was the only one and was that of the old start. */
export const withStart = (value: Schedule, startOn: Day): Schedule => {
  const rule = value.recurrence
  if (!rule) return { ...value, startOn, onceOn: startOn }
  const followed = rule.weekdays.length === 1 && rule.weekdays[0] === weekdayOf(value.startOn)
  return {
    ...value,
    startOn,
    endOn: value.endOn !== null && value.endOn < startOn ? null : value.endOn,
    recurrence: { ...rule, phaseOn: startOn, weekdays: followed ? [weekdayOf(startOn)] : rule.weekdays },
  }
}

/** From when to when a new job runs: a single day is its own start. */
export const spanOf = ({
  recurrence,
  onceOn,
  undated,
  startOn,
  endOn,
}: Schedule): { startOn: Day; endOn: Day | null } =>
  recurrence || undated ? { startOn, endOn } : { startOn: onceOn ?? startOn, endOn: null }
