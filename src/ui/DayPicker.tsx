import { DatePicker } from '@mantine/dates'
import { useEffect, useRef } from 'react'
import './theme/mantine-base.ts'
import '@mantine/dates/styles.layer.css'
import type { Day } from '#src/shared/dates.ts'
import './DayPicker.css'

type Props = {
  value: Day | null
  onPick: (day: Day) => void
  today: Day
  min?: Day | undefined
  max?: Day | undefined
  /** Days that cannot be picked. */
  isClosed?: (day: Day) => boolean
  months?: number
}

/** A month to pick a day from. Weeks begin on Sunday. Loaded when first needed. */
export const DayPicker = ({ value, onPick, today, min, max, isClosed, months = 1 }: Props) => {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // It may have come after the focus was given out: take it to the day that matters.
    const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector)
    const day = find('[data-selected]') ?? find('[data-our-today]')
    day?.focus()
  }, [])
  return (
    <DatePicker
      ref={root}
      className="ui-day-picker"
      value={value}
      defaultDate={value ?? today}
      onChange={(day) => {
        if (day) onPick(day)
      }}
      firstDayOfWeek={0}
      numberOfColumns={months}
      {...(min ? { minDate: min } : {})}
      {...(max ? { maxDate: max } : {})}
      {...(isClosed ? { excludeDate: isClosed } : {})}
      highlightToday
      getDayProps={(day) => (day === today ? { 'data-our-today': true } : {})}
      ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
    />
  )
}
