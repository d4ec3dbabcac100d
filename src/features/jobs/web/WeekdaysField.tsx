import { useState } from 'react'
import { weekdayNames } from '../../../shared/dates.ts'

/** Weeks begin on Monday. */
export const weekOrder = [1, 2, 3, 4, 5, 6, 0]

type Props = { value: readonly number[]; onChange: (weekdays: number[]) => void }

/** On which days of the week. Who lets go of the only one chooses the next; until then nothing is sent. */
export const WeekdaysField = ({ value, onChange }: Props) => {
  const [letGo, setLetGo] = useState(false)
  const pressed = letGo ? [] : value
  const press = (day: number) => {
    const weekdays = pressed.includes(day) ? pressed.filter((d) => d !== day) : [...pressed, day]
    setLetGo(weekdays.length === 0)
    if (weekdays.length > 0) onChange(weekdays)
  }
  return (
    <fieldset className="sched__days">
      <legend className="ui-field__label">On</legend>
      {weekOrder.map((day, at) => (
        <button
          key={day}
          type="button"
          className="sched__day"
          aria-pressed={pressed.includes(day)}
          data-unread={(letGo && at === 0) || undefined}
          onClick={() => press(day)}
        >
          {weekdayNames[day]?.slice(0, 2)}
          <span className="sched__rest">{weekdayNames[day]?.slice(2)}</span>
        </button>
      ))}
      {letGo ? (
        <p className="sched__none" role="alert">
          Choose at least one day.
        </p>
      ) : null}
    </fieldset>
  )
}
