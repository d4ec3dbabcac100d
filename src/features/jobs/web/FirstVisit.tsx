import { type Day, formatDay } from '#src/shared/dates.ts'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { type Calendar, firstVisits, inSeason, type LineSchedule } from '../rules.ts'
import { type Schedule, spanOf } from './schedule.ts'

/** Why the first visit is not on the day on which the job starts, where the rule of weekdays alone does not say so. */
const whyLater = (
  { first, over }: ReturnType<typeof firstVisits>,
  startOn: Day,
  { today, season }: Calendar,
  named: (day: Day) => string,
): string | null => {
  if (!first || first.day === startOn) return null
  if (first.on !== first.day) return `because ${named(first.on)} is a day off`
  if (over.length > 0) return `because ${named(over[over.length - 1]?.day ?? startOn)} is over`
  if (startOn < today) return `because ${named(startOn)} is over`
  return inSeason(startOn, season) || !inSeason(first.day, season) ? null : 'because the season begins later'
}

type Props = {
  lines: readonly Omit<LineSchedule, 'id'>[]
  schedule: Schedule
  calendar: Calendar
  /** Left out where visits of days that are over cannot be made. */
  past?: { included: boolean; onChange: (included: boolean) => void }
}

/** Which visit a new job makes first, and what becomes of the days before today. */
export const FirstVisit = ({ lines, schedule, calendar, past }: Props) => {
  const planned = lines.map((line, index) => ({ ...line, id: String(index) }))
  const visits = firstVisits(planned, spanOf(schedule), calendar)
  const { first, over } = visits
  const year = calendar.today.slice(0, 4)
  const named = (day: Day) => formatDay(day, { year: !day.startsWith(year) })
  const oldest = over[0]
  const made = past?.included ? (oldest ?? first) : first
  const why = made === first ? whyLater(visits, spanOf(schedule).startOn, calendar, named) : null
  const one = over.length === 1
  const unmade = `${one ? 'That day is' : 'Those days are'} over: no visit is made for ${one ? 'it' : 'them'}.`
  return (
    <>
      {made ? (
        <p className="job-first">
          <span className="muted">First visit</span> <b className="num">{named(made.day)}</b>
          {why ? <span className="muted">, {why}</span> : null}
        </p>
      ) : null}
      {oldest === undefined ? null : past ? (
        <CheckboxField
          label={
            one
              ? `Also make the visit of ${named(oldest.day)}`
              : `Also make the ${over.length} visits since ${named(oldest.day)}`
          }
          hint={past.included ? `${one ? 'It stands' : 'They stand'} on the calendar as late until finished.` : unmade}
          value={past.included}
          onChange={past.onChange}
        />
      ) : (
        <p className="job-first muted">
          {one
            ? `The schedule also names ${named(oldest.day)}.`
            : `The schedule also names ${over.length} days since ${named(oldest.day)}.`}{' '}
          {unmade}
        </p>
      )}
    </>
  )
}
