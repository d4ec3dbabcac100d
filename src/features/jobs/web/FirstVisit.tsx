import { addDays, type Day, formatDay } from '#src/shared/dates.ts'
import { RadioField } from '#src/ui/RadioField.tsx'
import { LicenseNote } from '../../visits/web/LicenseNote.tsx'
import { type Calendar, firstVisits, inSeason, type LineSchedule, plannedVisits } from '../rules.ts'
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
  past?: { choice: Past; onChange: (choice: Past) => void }
  /** Who does it, and what the services of each line need, for the license. */
  crew?: { id: string | null; skills: readonly (readonly string[])[] }
}

/** So far ahead visits are made. */
const madeDays = 84

/** What becomes of visits of days that are over: none, done on their days, or still to do. */
export type Past = 'none' | 'done' | 'late'

/** Work of one day that is over was done; of a rule that began earlier only what is to come is made. */
export const usualPast = (schedule: Schedule, today: Day): Past =>
  schedule.onceOn !== null && schedule.onceOn < today ? 'done' : 'none'

/** Which visit a new job makes first, and what becomes of the days before today. */
export const FirstVisit = ({ lines, schedule, calendar, past, crew }: Props) => {
  const planned = lines.map((line, index) => ({ ...line, id: String(index) }))
  const visits = firstVisits(planned, spanOf(schedule), calendar)
  const { first, over } = visits
  const year = calendar.today.slice(0, 4)
  const named = (day: Day) => formatDay(day, { year: !day.startsWith(year) })
  const oldest = over[0]
  const licensed = planned.filter((_, index) => (crew?.skills[index] ?? []).length > 0)
  const { today, ...window } = calendar
  const span = spanOf(schedule)
  const days = plannedVisits(licensed, { ...window, ...span, from: today, to: addDays(today, madeDays) })
  const made = past && past.choice !== 'none' ? (oldest ?? first) : first
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
      {crew ? (
        <LicenseNote crewId={crew.id} skills={[...new Set(crew.skills.flat())]} days={days.map((one) => one.day)} />
      ) : null}
      {oldest === undefined ? null : past ? (
        <RadioField
          label={one ? `${named(oldest.day)} is over` : `${over.length} visits since ${named(oldest.day)}`}
          value={past.choice}
          onChange={past.onChange}
          options={[
            {
              value: 'done',
              label: one ? 'It was done that day' : 'They were done on their days',
              hint: 'Booked as finished, ready to invoice.',
            },
            {
              value: 'late',
              label: one ? 'It is still to do' : 'They are still to do',
              hint: `${one ? 'It stands' : 'They stand'} on the calendar as late until finished.`,
            },
            ...(schedule.onceOn === null ? [{ value: 'none' as const, label: 'Leave out', hint: unmade }] : []),
          ]}
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
