import { addDays, formatDay } from '#src/shared/dates.ts'
import { type Calendar, followsDone, isLongGap, type Occurrence, occurrences, weekLetter } from '../rules.ts'
import { scheduleText } from '../wording/rules.ts'
import type { Schedule } from './schedule.ts'

const shown = 6
const horizonDays = 800

const nextDays = (value: Schedule, calendar: Calendar): Occurrence[] => {
  if (!value.recurrence) return value.onceOn ? [{ on: value.onceOn, day: value.onceOn }] : []
  const from = [value.startOn, calendar.today].sort()[1] ?? value.startOn
  const far = addDays(from, horizonDays)
  const to = value.endOn !== null && value.endOn < far ? value.endOn : far
  return occurrences(value.recurrence, { ...calendar, from, to }).slice(0, followsDone(value.recurrence) ? 1 : shown)
}

/** The rule in words and the days it means next, holidays worked in. */
export const SchedulePreview = ({ value, calendar }: { value: Schedule; calendar: Calendar }) => {
  const days = nextDays(value, calendar)
  const rule = value.recurrence
  const fortnight = rule?.freq === 'week' && [rule, ...(rule.periods ?? [])].some(({ interval }) => interval === 2)
  const isLate = (before: string | undefined, day: string) =>
    rule !== null && before !== undefined && isLongGap(rule, before, day, rule.season ?? calendar.season)
  const year = calendar.today.slice(0, 4)
  return (
    <output className="sched__preview" aria-live="polite">
      <b>{scheduleText(value, calendar.season)}</b>
      {value.undated ? null : days.length === 0 ? (
        <span className="sched__none">This names no day. Look at the season, the end and the days of the week.</span>
      ) : (
        <ol className="sched__next" aria-label="Next days">
          {days.map(({ on, day }, at) => (
            <li key={on} className="num">
              {formatDay(day, { year: !day.startsWith(year) })}
              {fortnight ? <span className="hint"> {weekLetter(on)}</span> : null}
              {on === day ? null : <span className="hint"> for the holiday</span>}
              {isLate(days[at - 1]?.day, day) ? <span className="sched__none"> longer than allowed</span> : null}
            </li>
          ))}
        </ol>
      )}
      {rule && followsDone(rule) ? (
        <span className="hint">The next one comes on the calendar as soon as this one is done or skipped.</span>
      ) : null}
    </output>
  )
}
