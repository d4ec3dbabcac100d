import { Popover } from '@mantine/core'
import { lazy, type Ref, Suspense, useState } from 'react'
import './theme/mantine-base.ts'
import { addDays, type Day, formatDay } from '#src/shared/dates.ts'
import './DateField.css'
import { IconCalendar } from './icons.ts'
import { TypedInput, type TypedProps } from './TypedInput.tsx'
import { parseDay } from './typedValues.ts'
import { useTyped } from './useTyped.ts'

const DayPicker = lazy(() => import('./DayPicker.tsx').then((module) => ({ default: module.DayPicker })))

type Extra = {
  /** Today in the business's zone; without it the zone of this machine. */
  today?: Day
  min?: Day
  max?: Day
  /** Why a day cannot be taken, or null; such days are not offered. */
  closed?: (day: Day) => string | null
  placeholder?: string
  ref?: Ref<HTMLInputElement>
}

const localToday = (): Day => new Date().toLocaleDateString('en-CA')

/** A day as YYYY-MM-DD. Typed ("6/12", "fri", "tomorrow") or picked; arrow keys move by a day. */
export const DateField = ({
  value,
  onChange,
  onBlur,
  error,
  today = localToday(),
  min,
  max,
  closed,
  ...rest
}: TypedProps<Day> & Extra) => {
  const [open, setOpen] = useState(false)
  const write = (day: Day | null) => (day ? formatDay(day, { year: true }) : '')
  const typed = useTyped<Day>(value || null, write, (text) => parseDay(text, today), onChange, onBlur)
  const isWithin = (day: Day) => (!min || day >= min) && (!max || day <= max)
  const outside = (day: Day): string | undefined => {
    if (max && day > max) return `Not after ${formatDay(max, { year: true })}.`
    if (min && day < min) return `Not before ${formatDay(min, { year: true })}.`
    return closed?.(day) ?? undefined
  }
  // What stood there when the form opened was taken once: a job with a day gone by is still changed in everything else.
  const [stored] = useState(value)
  const untaken = value && value !== stored ? outside(value) : undefined
  const problem = typed.unread ? 'This is no day of the calendar. Type one like 6/12 or June 12.' : (error ?? untaken)
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      withRoles={false}
      returnFocus
      shadow="md"
      classNames={{ dropdown: 'ui-day-drop' }}
    >
      <Popover.Target>
        <div className={rest.className}>
          <TypedInput
            placeholder="Jun 12"
            {...rest}
            className=""
            error={problem}
            text={typed.text}
            unread={typed.unread || untaken !== undefined}
            onText={typed.type}
            onLeave={typed.leave}
            onKeyDown={(event) => {
              const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
              if (event.altKey && event.key === 'ArrowDown') return setOpen(true)
              if (direction === 0) return
              event.preventDefault()
              const next = value ? addDays(value, direction) : today
              if (isWithin(next)) typed.set(next)
            }}
            after={
              <button
                type="button"
                className="ui-input__button"
                aria-label="Open the calendar"
                aria-expanded={open}
                disabled={rest.disabled}
                onClick={() => setOpen(!open)}
              >
                <IconCalendar size={18} />
              </button>
            }
          />
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Calendar" data-panel-esc="own">
        <Suspense fallback={<button type="button" className="ui-day-drop__wait" aria-label="Loading the calendar" />}>
          <DayPicker
            value={value || null}
            today={today}
            min={min}
            max={max}
            {...(closed ? { isClosed: (day: Day) => closed(day) !== null } : {})}
            onPick={(day) => {
              typed.set(day)
              setOpen(false)
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
