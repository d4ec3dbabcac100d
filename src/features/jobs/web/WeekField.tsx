import { type Day, formatDay } from '#src/shared/dates.ts'
import { RadioField } from '#src/ui/RadioField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { type Calendar, weekLetter, weekOf } from '../rules.ts'
import { phaseWeeks, type Schedule, withPhaseWeek } from './schedule.ts'

type Props = {
  value: Schedule
  onChange: (value: Schedule) => void
  calendar: Calendar
  /** The job has visits already. */
  running: boolean
}

/** In which of its weeks a rule of every few weeks works. Nothing else moves it: the weeks are A and B for the whole business, for ever. */
export const WeekField = ({ value, onChange, calendar, running }: Props) => {
  const rule = value.recurrence
  if (!rule) return null
  const from = running && value.startOn < calendar.today ? calendar.today : value.startOn
  const { weeks, at } = phaseWeeks(rule, from)
  const pick = (week: Day) => onChange(withPhaseWeek(value, week, running))
  const label = running ? 'Works in' : 'Begins in'
  if (rule.interval > 2)
    return (
      <SelectField
        label={label}
        value={at}
        onChange={pick}
        options={weeks.map((week) => ({ value: week, label: `the week of ${formatDay(week)}` }))}
      />
    )
  return (
    <RadioField
      label={label}
      row
      value={at}
      onChange={pick}
      options={weeks
        .toSorted((a, b) => weekLetter(a).localeCompare(weekLetter(b)))
        .map((week) => ({
          value: week,
          label: `Week ${weekLetter(week)}`,
          hint: week === weekOf(calendar.today) ? 'this week counts' : `from ${formatDay(week)}`,
        }))}
    />
  )
}
