import './calendar.css'
import { useQuery } from '@tanstack/react-query'
import { type TouchEvent, useRef, useState } from 'react'
import { addDays, formatDay, isDay, startOfWeek, weekdayOf } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { SortableLists, type SortMove } from '../../../ui/SortableLists.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useToday } from '../../accounts/web/session.ts'
import { StandInDialog } from '../../employees/staffing/web/StandInDialog.tsx'
import { FillDay } from '../../routes/fill/web/FillDay.tsx'
import { DayIcon } from '../../weather/web/DayIcon.tsx'
import { weatherQuery } from '../../weather/web/data.ts'
import { WeatherBanner } from '../../weather/web/WeatherBanner.tsx'
import { rangeQuery, type Target, useJudge, useMoveVisit } from './data.ts'
import { EventChips } from './EventChips.tsx'
import { EventDialog } from './EventDialog.tsx'
import { LoadBar } from './LoadBar.tsx'
import { MoveTo } from './MoveTo.tsx'
import { VisitCard } from './VisitCard.tsx'
import {
  type Card,
  cellId,
  cellOf,
  cellsBeside,
  crewDayOf,
  isShort,
  isThin,
  missingLabel,
  noCrew,
  peopleAt,
  positionOf,
  stopsOf,
} from './view.ts'
import { verdictOf } from './WeekBoard.tsx'

const letters = ['S', 'M', 'T', 'W', 'T', 'F', 'S']
/** A finger that goes this far to the side, and mostly to the side, means another day. */
const swipePx = 60

/** One crew's day for the thumb: swipe to another day, move a visit in two taps, or hold it and carry it to another place, crew or day. */
export const MobileCalendarScreen = () => {
  const { params, change } = useParams()
  const today = useToday()
  const named = params.get(recordParam.day)
  const day = named && isDay(named) ? named : today
  const from = startOfWeek(day)
  const found = useQuery(rangeQuery(from, addDays(from, 6)))
  const weather = useQuery(weatherQuery(from, 7))
  const range = found.data
  const judge = useJudge(range)
  const standIn = params.get(recordParam.standIn)
  const mover = useMoveVisit()
  const [moving, setMoving] = useState<Card | null>(null)
  const [eventId, setEventId] = useState<string | null>(null)
  const touch = useRef<{ x: number; y: number } | null>(null)
  const goTo = (to: string) => change({ [recordParam.day]: to === today ? null : to }, { replace: true })
  const onTouchEnd = (event: TouchEvent<HTMLElement>) => {
    const [began, ended] = [touch.current, event.changedTouches[0]]
    touch.current = null
    // What is carried to the side is no swipe.
    if (!began || !ended || event.currentTarget.querySelector('.is-lifted')) return
    const [across, down] = [ended.clientX - began.x, ended.clientY - began.y]
    if (Math.abs(across) >= swipePx && Math.abs(across) > Math.abs(down) * 2) goTo(addDays(day, across < 0 ? 1 : -1))
  }
  if (found.error && !range)
    return (
      <>
        <PageHeader title="Calendar" />
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      </>
    )
  const asked = params.get(recordParam.crew)
  const crew =
    asked === noCrew
      ? null
      : (range?.crews.find((one) => one.id === asked) ??
        range?.crews.find((one) => stopsOf(range, day, one.id).length > 0) ??
        range?.crews[0])
  const crewId = crew?.id ?? null
  const stops = range ? stopsOf(range, day, crewId) : []
  const load = range && crewId ? crewDayOf(range, day, crewId) : undefined
  const closed = range?.days.find((one) => one.day === day)?.closed
  const move = (visit: Card, to: Target) => {
    const crewName = range?.crews.find((one) => one.id === to.crewId)?.name ?? 'no crew'
    void mover.run({ visit, to, crewName })
  }
  const drop = ({ itemId, fromListId, toListId, toIndex }: SortMove) => {
    const visit = stops.find((one) => one.id === itemId)
    const to = cellOf(toListId)
    if (visit)
      move(visit, fromListId === toListId ? { ...to, position: positionOf(stops, stops, itemId, toIndex) } : to)
  }
  return (
    <div className="cal cal--thumb">
      <PageHeader
        title={formatDay(day, { long: true })}
        actions={
          <>
            <Button kind="quiet" href={linkTo.calendarDay(day)}>
              Day board
            </Button>
            <IconButton
              label="Day before"
              kind="secondary"
              icon={<IconChevronLeft size={20} />}
              onClick={() => goTo(addDays(day, -1))}
            />
            <Button disabled={day === today} onClick={() => goTo(today)}>
              Today
            </Button>
            <IconButton
              label="Day after"
              kind="secondary"
              icon={<IconChevronRight size={20} />}
              onClick={() => goTo(addDays(day, 1))}
            />
          </>
        }
      />
      <WeatherBanner day={day} />
      <nav className="cal-strip" aria-label="Days of this week">
        {Array.from({ length: 7 }, (_, ahead) => addDays(from, ahead)).map((one) => {
          const count = range ? stopsOf(range, one, crewId).length : 0
          return (
            <button
              key={one}
              type="button"
              className={one === today ? 'is-today' : ''}
              aria-current={one === day ? 'date' : undefined}
              onClick={() => goTo(one)}
            >
              <span aria-hidden="true">{letters[weekdayOf(one)]}</span>
              <b className="num" aria-hidden="true">
                {Number(one.slice(8))}
              </b>
              <span className="num" aria-hidden="true">
                {count || '–'}
              </span>
              <DayIcon day={weather.data?.days.find((d) => d.day === one)} size={14} />
              <span className="ui-hidden">
                {formatDay(one, { long: true })}, {count} {count === 1 ? 'visit' : 'visits'}
              </span>
            </button>
          )
        })}
      </nav>
      {range ? (
        <FilterChips
          label="Crew"
          single
          chips={[
            ...range.crews.map((one) => ({
              value: one.id,
              label: one.name,
              count: stopsOf(range, day, one.id).length,
            })),
            ...(stopsOf(range, day, null).length > 0 || asked === noCrew
              ? [{ value: noCrew, label: 'No crew', count: stopsOf(range, day, null).length }]
              : []),
          ]}
          values={[crewId ?? noCrew]}
          onChange={([value]) => change({ [recordParam.crew]: value ?? null }, { replace: true })}
        />
      ) : null}
      <div
        className="cal-thumb"
        onTouchStart={(event) => {
          const finger = event.touches[0]
          touch.current = finger && event.touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : null
        }}
        // Before what is carried is put down: after that nobody sees that it was.
        onTouchEndCapture={onTouchEnd}
      >
        {!range ? (
          <PanelSkeleton />
        ) : (
          <>
            {load && (load.works || load.stops > 0) ? <LoadBar load={load} /> : null}
            {load?.works && isThin(load) ? <p className="cal-cell__away">{missingLabel(load)}</p> : null}
            {day >= today ? (
              <div className="cal-thumb__actions">
                <FillDay day={day} disabled={false} allCrews onChange={mover.reload} />
                {crewId && load && isShort(load) ? (
                  <Button size="s" onClick={() => change({ [recordParam.standIn]: crewId })}>
                    Find a stand-in
                  </Button>
                ) : null}
              </div>
            ) : null}
            <EventChips events={range.events} day={day} onOpen={setEventId} />
            {stops.length > 0 ? (
              <SortableLists<Card>
                className="cal-lift"
                still
                lists={[
                  {
                    id: cellId(crewId, day),
                    label: `${crew?.name ?? 'No crew'}, ${formatDay(day)}`,
                    items: stops,
                    locked: day < today,
                  },
                  ...cellsBeside(range, day, crewId).map((cell) => ({
                    id: cellId(cell.crewId, cell.day),
                    label: cell.label,
                    header: <b aria-hidden="true">{cell.short}</b>,
                    empty: '',
                    items: [],
                  })),
                ]}
                itemId={(visit) => visit.id}
                itemLabel={(visit) => visit.street}
                isLocked={(visit) => !visit.can.move || day < today}
                judge={(visit, id) => {
                  const to = cellOf(id)
                  return to.day === visit.day && to.crewId === visit.crewId ? null : verdictOf(judge(visit, to))
                }}
                onMove={drop}
                render={(visit) => <VisitCard visit={visit} people={peopleAt(load, visit)} onMove={setMoving} />}
              />
            ) : (
              <EmptyState compact picture={closed ? 'none' : 'mowed'} title={closed ?? 'Nothing on this day'}>
                {closed
                  ? 'Swipe to another day.'
                  : `${crew?.name ?? 'Nobody'} is free. Swipe to another day, or move something here.`}
              </EmptyState>
            )}
          </>
        )}
      </div>
      {eventId ? (
        <EventDialog
          event={range?.events.find((event) => event.id === eventId) ?? null}
          day={day}
          onClose={() => setEventId(null)}
          onMissed={(missed, on) =>
            change({ [recordParam.standIn]: missed, [recordParam.day]: on === today ? null : on })
          }
        />
      ) : null}
      {standIn ? (
        <StandInDialog crewId={standIn} day={day} onClose={() => change({ [recordParam.standIn]: null })} />
      ) : null}
      {moving && range ? (
        <MoveTo visit={moving} range={range} judge={judge} onMove={move} onClose={() => setMoving(null)} />
      ) : null}
    </div>
  )
}
