import './calendar.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isDay } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconChevronLeft, IconChevronRight, IconLink, IconPlus, IconUser } from '../../../ui/icons.ts'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { StandInDialog } from '../../employees/staffing/web/StandInDialog.tsx'
import { WeatherBanner } from '../../weather/web/WeatherBanner.tsx'
import { calendarEventsApi } from '../events/contract.ts'
import { calendarFeedsApi } from '../feeds/contract.ts'
import { DayBoard } from './DayBoard.tsx'
import { rangeQuery, type Target, useJudge, useMoveVisit } from './data.ts'
import { EventDialog } from './EventDialog.tsx'
import { FeedsDialog } from './FeedsDialog.tsx'
import { Filters } from './Filters.tsx'
import { ListView } from './ListView.tsx'
import { MapTab } from './MapTab.tsx'
import { MonthView } from './MonthView.tsx'
import { MoveTo } from './MoveTo.tsx'
import { type Card, isView, spanLabel, spanOf, stepped, type View, views } from './view.ts'
import { WeekBoard } from './WeekBoard.tsx'

const labels: Record<View, string> = { day: 'Day', week: 'Week', month: 'Month', list: 'List', map: 'Map' }

/** The office's days: what stands on them, who can still take something, and what waits. The address says which. */
export const CalendarScreen = () => {
  const { params, change } = useParams()
  const narrow = useNarrow()
  const today = useToday()
  const may = useMay()
  const asked = params.get('view')
  const view = isView(asked) ? asked : narrow ? 'day' : 'week'
  const named = params.get(recordParam.day)
  const day = named && isDay(named) ? named : today
  const filter = {
    crewId: params.get(recordParam.crew),
    status: params.get('status'),
    serviceId: params.get(recordParam.service),
  }
  const standIn = params.get(recordParam.standIn)
  const { from, to } = spanOf(view, day)
  const found = useQuery({ ...rangeQuery(from, to), enabled: view !== 'month' })
  const range = found.data
  const judge = useJudge(range)
  const mover = useMoveVisit()
  const [moving, setMoving] = useState<Card | null>(null)
  const [subscribing, setSubscribing] = useState(false)
  const [eventId, setEventId] = useState<string | null>(null)

  const hrefOf = (next: Record<string, string | null>): string => {
    const all = new URLSearchParams(params)
    all.delete(recordParam.visit)
    all.delete(recordParam.standIn)
    for (const [key, value] of Object.entries(next))
      if (value === null) all.delete(key)
      else all.set(key, value)
    return `?${all}`
  }
  const dayHref = (one: string) => hrefOf({ view: 'day', [recordParam.day]: one })
  const nameOf = (crewId: string | null) => range?.crews.find((crew) => crew.id === crewId)?.name ?? 'no crew'
  const move = (visit: Card, target: Target) => {
    void mover.run({ visit, to: target, crewName: nameOf(target.crewId) })
  }
  const onStandIn = (crewId: string, on: string) =>
    change({ [recordParam.standIn]: crewId, [recordParam.day]: on === day ? named : on })
  const shared = range && { range, filter, judge, onMove: move, onAsk: setMoving, onEvent: setEventId, onStandIn }
  const body =
    view === 'month' ? (
      <MonthView day={day} filter={filter} dayHref={dayHref} />
    ) : found.error && !range ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
    ) : !shared ? (
      <PanelSkeleton />
    ) : shared.range.crews.length === 0 ? (
      <EmptyState
        title="No crew yet"
        action={
          <Button kind="primary" href="/employees?tab=crews">
            Add your first crew
          </Button>
        }
      >
        A crew has a shift and people. Then its days stand here: what is booked, and what still fits.
      </EmptyState>
    ) : view === 'day' ? (
      <DayBoard key={day} day={day} {...shared} />
    ) : view === 'week' ? (
      <WeekBoard dayHref={dayHref} {...shared} />
    ) : view === 'list' ? (
      <ListView {...shared} />
    ) : (
      <MapTab day={day} {...shared} />
    )
  return (
    <div className="cal">
      <header className="cal__head">
        <h1 className={narrow ? 'ui-hidden' : undefined}>Calendar</h1>
        <div className="cal__days">
          <IconButton
            label={`Earlier ${view === 'month' ? 'month' : view === 'day' || view === 'map' ? 'day' : 'week'}`}
            icon={<IconChevronLeft size={18} />}
            kind="secondary"
            size="s"
            onClick={() => change({ [recordParam.day]: stepped(view, day, -1) })}
          />
          <Button size="s" disabled={day === today} onClick={() => change({ [recordParam.day]: null })}>
            Today
          </Button>
          <IconButton
            label={`Later ${view === 'month' ? 'month' : view === 'day' || view === 'map' ? 'day' : 'week'}`}
            icon={<IconChevronRight size={18} />}
            kind="secondary"
            size="s"
            onClick={() => change({ [recordParam.day]: stepped(view, day, 1) })}
          />
          <h2 className="cal__span" aria-live="polite">
            {spanLabel(view, day)}
          </h2>
        </div>
        <div className="cal__actions">
          {may(calendarEventsApi.create) ? (
            <Button calls={calendarEventsApi.create} icon={<IconPlus size={18} />} onClick={() => setEventId('new')}>
              Event
            </Button>
          ) : null}
          {narrow ? (
            <MoreMenu
              label="More of the calendar"
              items={[
                { label: 'One crew at a time', icon: <IconUser size={18} />, href: linkTo.crewDay(day, filter.crewId) },
                may(calendarFeedsApi.list) && {
                  label: 'Subscribe',
                  icon: <IconLink size={18} />,
                  onClick: () => setSubscribing(true),
                },
              ]}
            />
          ) : may(calendarFeedsApi.list) ? (
            <Button icon={<IconLink size={18} />} onClick={() => setSubscribing(true)}>
              Subscribe
            </Button>
          ) : null}
        </div>
      </header>
      <div className="cal__bar">
        <Tabs
          label="Views of the calendar"
          value={view}
          tabs={views.map((value) => ({ value, label: labels[value], href: hrefOf({ view: value }) }))}
        />
        <Filters filter={filter} onChange={change} />
      </div>
      <WeatherBanner />
      <div
        className={found.isPlaceholderData ? 'cal__body is-waiting' : 'cal__body'}
        aria-busy={found.isPlaceholderData}
      >
        {body}
      </div>
      {moving && range ? (
        <MoveTo visit={moving} range={range} judge={judge} onMove={move} onClose={() => setMoving(null)} />
      ) : null}
      {standIn ? (
        <StandInDialog crewId={standIn} day={day} onClose={() => change({ [recordParam.standIn]: null })} />
      ) : null}
      {subscribing ? <FeedsDialog onClose={() => setSubscribing(false)} /> : null}
      {eventId ? (
        <EventDialog
          key={eventId}
          event={range?.events.find((event) => event.id === eventId) ?? null}
          day={day}
          onClose={() => setEventId(null)}
          onMissed={onStandIn}
        />
      ) : null}
    </div>
  )
}
