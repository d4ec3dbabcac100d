import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Day, startOfWeek, weekdayOf } from '../../../shared/dates.ts'
import { DayIcon } from '../../weather/web/DayIcon.tsx'
import { weatherQuery } from '../../weather/web/data.ts'
import { weekQuery } from './data.ts'
import { shortDuration } from './plan.ts'

const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** The week around the day: how much stands on each, how long the crews drive, what was sent. */
export const WeekBar = ({ day, today, onDay }: { day: Day; today: Day; onDay: (day: Day) => void }) => {
  const { data } = useQuery(weekQuery(day))
  const weather = useQuery(weatherQuery(startOfWeek(day), 7))
  const bar = useRef<HTMLElement>(null)
  const shown = data?.items.some((item) => item.day === day) ? day : null
  // On a phone the week is wider than the screen.
  useEffect(() => {
    if (shown) bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown])
  return (
    <nav className="route__week" aria-label="Days of this week" ref={bar}>
      {(data?.items ?? []).map((item) => (
        <button
          key={item.day}
          type="button"
          className={`route__weekday${item.day === today ? ' is-today' : ''}${item.day < today ? ' is-past' : ''}`}
          aria-current={item.day === day ? 'date' : undefined}
          onClick={() => onDay(item.day)}
        >
          <b>
            {names[weekdayOf(item.day)]} {Number(item.day.slice(8))}
          </b>
          <DayIcon day={weather.data?.days.find((one) => one.day === item.day)} />
          <span className="num">
            {item.stops + item.unplaced === 0 ? '–' : item.stops + item.unplaced}
            <span className="ui-hidden"> stops</span>
            {item.driveSeconds ? (
              <>
                {` · ${shortDuration(item.driveSeconds)}`}
                <span className="ui-hidden"> of driving</span>
              </>
            ) : null}
          </span>
          {item.unplaced > 0 ? <span className="ui-hidden">, {item.unplaced} without a crew</span> : null}
          {item.published > 0 ? <span className="ui-hidden">, sent</span> : null}
          <i className={item.published > 0 ? 'is-sent' : item.unplaced > 0 ? 'is-open' : ''} aria-hidden="true" />
        </button>
      ))}
    </nav>
  )
}
