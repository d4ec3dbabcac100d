import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Day, formatDay, startOfWeek } from '../../../shared/dates.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import type { VisitStatus } from '../../visits/rules.ts'
import { DayIcon, iconWords } from '../../weather/web/DayIcon.tsx'
import { weatherQuery } from '../../weather/web/data.ts'
import { hoursLabel, loadTone } from '../rules.ts'
import { monthQuery } from './data.ts'
import type { Filter } from './view.ts'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Props = { day: Day; filter: Filter; dayHref: (day: Day) => string }

/** A month as density: how much stands on each day of what the crews can do. */
export const MonthView = ({ day, filter, dayHref }: Props) => {
  const month = day.slice(0, 7)
  const found = useQuery({
    ...monthQuery(month, {
      ...(filter.crewId ? { crewId: filter.crewId } : {}),
      ...(filter.serviceId ? { serviceId: filter.serviceId } : {}),
      ...(filter.status ? { status: filter.status as VisitStatus } : {}),
    }),
    placeholderData: keepPreviousData,
  })
  const first = startOfWeek(`${month}-01`)
  const weather = useQuery(weatherQuery(first, 42))
  if (found.error && !found.data)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const { days, today } = found.data
  return (
    <div className="cal-month">
      {weekdays.map((name) => (
        <b key={name} className="cal-month__name" aria-hidden="true">
          {name}
        </b>
      ))}
      {days.map((one) => {
        const percent = one.capacityMinutes > 0 ? Math.round((one.loadMinutes / one.capacityMinutes) * 100) : 0
        const inside = one.day.startsWith(month)
        const ahead = weather.data?.days.find((d) => d.day === one.day)
        const sky = ahead && iconWords(ahead)
        const said = `${formatDay(one.day, { long: true })}: ${one.visits} ${one.visits === 1 ? 'visit' : 'visits'}, ${percent}% full${one.undriven ? `, driving to ${one.undriven} of them not counted yet` : ''}${one.unassigned ? `, ${one.unassigned} without a crew` : ''}${one.closed ? ', closed' : ''}${sky ? `, ${sky}` : ''}${one.events.length ? `, ${one.events.map((event) => event.title).join(', ')}` : ''}`
        return (
          <LinkTo
            key={one.day}
            href={dayHref(one.day)}
            className={`cal-month__day${one.day === today ? ' is-today' : ''}${inside ? '' : ' is-outside'}${one.closed ? ' is-closed' : ''}`}
          >
            <span className="ui-hidden">{said}</span>
            <span className="cal-month__in" aria-hidden="true">
              <span className="cal-month__top">
                <b className="num">{Number(one.day.slice(8))}</b>
                <DayIcon day={ahead} />
                {one.closed ? <span className="hint">closed</span> : null}
              </span>
              {one.visits > 0 ? (
                <>
                  <span className="cal-month__count">
                    <b className="num">{one.visits}</b> {one.visits === 1 ? 'visit' : 'visits'}
                  </span>
                  <span className={`cal-load__track is-${loadTone(percent)}`}>
                    <i style={{ width: `${Math.min(100, percent)}%` }} />
                  </span>
                  <span className="hint cal-month__more num">
                    {one.capacityMinutes > 0 ? `${percent}%` : hoursLabel(one.loadMinutes)}
                    {one.undriven > 0 ? ' + driving' : ''}
                    {one.finished > 0 ? ` · ${one.finished} done` : ''}
                    {one.unassigned > 0 ? <b className="cal-month__due"> · {one.unassigned} due</b> : null}
                  </span>
                </>
              ) : null}
              {one.events.slice(0, 2).map((event) => (
                <span key={event.id} className="cal-event">
                  {event.title}
                </span>
              ))}
            </span>
          </LinkTo>
        )
      })}
      {days.some((one) => one.undriven > 0) ? (
        <p className="hint cal-month__note">
          “+ driving”: a day with visits that no route was planned for yet. Their driving comes on top; the day itself
          shows it as an estimate.
        </p>
      ) : null}
    </div>
  )
}
