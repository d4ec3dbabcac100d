import { type Day, formatDay } from '#src/shared/dates.ts'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { type Calendar, firstVisits, type LineSchedule } from '../rules.ts'
import { type Schedule, spanOf } from './schedule.ts'

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
  const { first, over } = firstVisits(planned, spanOf(schedule), calendar)
  const year = calendar.today.slice(0, 4)
  const named = (day: Day) => formatDay(day, { year: !day.startsWith(year) })
  const oldest = over[0]
  const made = past?.included ? (oldest ?? first) : first
  const one = over.length === 1
  const unmade = `${one ? 'That day is' : 'Those days are'} over: no visit is made for ${one ? 'it' : 'them'}.`
  return (
    <>
      {made ? (
        <p className="job-first">
          <span className="muted">First visit</span> <b className="num">{named(made.day)}</b>
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
