import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { markColor } from '../../../ui/markColor.ts'
import { SortableLists, type SortList, type SortMove } from '../../../ui/SortableLists.tsx'
import type { WeatherDay } from '../../weather/contract.ts'
import { DaySky } from '../../weather/web/DaySky.tsx'
import { weatherQuery } from '../../weather/web/data.ts'
import type { CalendarCrew, CalendarRange, CalendarVisit } from '../contract.ts'
import type { Verdict } from '../rules.ts'
import type { Target } from './data.ts'
import { EventChips } from './EventChips.tsx'
import { LoadBar } from './LoadBar.tsx'
import { VisitCard } from './VisitCard.tsx'
import {
  type Card,
  cellId,
  cellOf,
  cellWord,
  crewDayOf,
  type Filter,
  fits,
  peopleAt,
  positionOf,
  stopsOf,
} from './view.ts'

type Props = {
  range: CalendarRange
  filter: Filter
  dayHref: (day: Day) => string
  judge: (visit: Card, to: Target) => Verdict
  onMove: (visit: Card, to: Target) => void
  onAsk: (visit: Card) => void
  onEvent: (id: string) => void
  onStandIn: (crewId: string, day: Day) => void
}

/** Cards of a cell before the others are asked for: a week of 1,500 visits stays quick to drag in. */
const shownCards = 5

/** What SortableLists shows of a verdict. */
export const verdictOf = (verdict: Verdict): { text: string; refuses: boolean } | null =>
  verdict.stops
    ? { text: verdict.stops, refuses: true }
    : verdict.warns.length > 0
      ? { text: verdict.warns.join(' '), refuses: false }
      : null

const DayHead = ({
  range,
  day,
  dayHref,
  onEvent,
  weather,
}: Pick<Props, 'range' | 'dayHref' | 'onEvent'> & { day: Day; weather: WeatherDay | undefined }) => {
  const closed = range.days.find((one) => one.day === day)?.closed
  return (
    <div className={`cal-week__day${day === range.today ? ' is-today' : ''}${closed ? ' is-closed' : ''}`}>
      <span className="cal-week__name">
        <LinkTo href={dayHref(day)} aria-current={day === range.today ? 'date' : undefined}>
          {formatDay(day)}
        </LinkTo>
        <DaySky day={day} today={range.today} weather={weather} />
      </span>
      {closed ? <span className="hint">closed</span> : null}
      <EventChips events={range.events} day={day} onOpen={onEvent} />
    </div>
  )
}

/** A week: crews below each other, days beside each other, every cell with what it can still take. */
export const WeekBoard = ({ range, filter, dayHref, judge, onMove, onAsk, onEvent, onStandIn }: Props) => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const days = range.days.map((one) => one.day)
  const weather = useQuery(weatherQuery(days[0], days.length))
  const unassigned = range.visits.some((visit) => visit.crewId === null)
  const rows: (CalendarCrew | null)[] = [
    ...(unassigned && !filter.crewId ? [null] : []),
    ...range.crews.filter((crew) => !filter.crewId || crew.id === filter.crewId),
  ]
  const byId = new Map(range.visits.map((visit) => [visit.id, visit]))
  const shownOf = (crewId: string | null, day: Day) => {
    const all = stopsOf(range, day, crewId).filter((visit) => fits(visit, filter))
    return { all, shown: opened.has(cellId(crewId, day)) ? all : all.slice(0, shownCards) }
  }
  const lists = rows.flatMap((crew, row) =>
    days.map((day, column): SortList<CalendarVisit> => {
      const crewId = crew?.id ?? null
      const id = cellId(crewId, day)
      const { all, shown } = shownOf(crewId, day)
      const load = crew ? crewDayOf(range, day, crew.id) : undefined
      const closed = range.days[column]?.closed || (load && !load.works)
      const word = cellWord(Boolean(range.days[column]?.closed), load)
      return {
        id,
        label: `${crew?.name ?? 'No crew'}, ${formatDay(day)}`,
        items: shown,
        locked: day < range.today,
        before:
          column === 0 ? (
            <>
              {row === 0 ? (
                <>
                  <span className="cal-week__corner" />
                  {days.map((one) => (
                    <DayHead
                      key={one}
                      range={range}
                      day={one}
                      dayHref={dayHref}
                      onEvent={onEvent}
                      weather={weather.data?.days.find((d) => d.day === one)}
                    />
                  ))}
                </>
              ) : null}
              <h2 className="cal-week__crew">
                {crew ? <i style={{ background: markColor(crew.color) }} aria-hidden="true" /> : null}
                {crew?.name ?? 'No crew'}
              </h2>
            </>
          ) : undefined,
        header: (
          <div className="cal-cell__head">
            {word ? <span className="hint">{word}</span> : load ? <LoadBar load={load} short /> : null}
            {load?.works && load.away.length > 0 ? (
              <button
                type="button"
                className="cal-cell__more cal-cell__away"
                disabled={day < range.today}
                aria-label={`${load.away.map((name) => name.split(' ')[0]).join(', ')} off: find a stand-in for ${crew?.name ?? 'the crew'}, ${formatDay(day)}`}
                onClick={() => crew && onStandIn(crew.id, day)}
              >
                {load.away.map((name) => name.split(' ')[0]).join(', ')} off
              </button>
            ) : null}
            {all.length > shownCards ? (
              <button
                type="button"
                className="cal-cell__more"
                aria-expanded={opened.has(id)}
                onClick={() =>
                  setOpened((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]))
                }
              >
                {opened.has(id) ? 'Show fewer' : `All ${all.length} visits`}
              </button>
            ) : null}
          </div>
        ),
        empty: closed ? '' : <span className="ui-hidden">Nothing</span>,
      }
    }),
  )
  const drop = ({ itemId, fromListId, toListId, toIndex }: SortMove) => {
    const visit = byId.get(itemId)
    const to = cellOf(toListId)
    if (!visit) return
    const all = stopsOf(range, to.day, to.crewId)
    const { shown } = shownOf(to.crewId, to.day)
    // In another cell it goes where it costs the least driving; in its own one a hand says where.
    onMove(visit, fromListId === toListId ? { ...to, position: positionOf(all, shown, itemId, toIndex) } : to)
  }
  return (
    <div className="cal-week__scroll">
      <SortableLists<CalendarVisit>
        className="cal-week"
        lists={lists}
        itemId={(visit) => visit.id}
        itemLabel={(visit) => visit.street}
        isLocked={(visit) => !visit.can.move || visit.day < range.today}
        judge={(visit, id) => {
          const to = cellOf(id)
          return to.day === visit.day && to.crewId === visit.crewId ? null : verdictOf(judge(visit, to))
        }}
        onMove={drop}
        render={(visit) => (
          <VisitCard
            visit={visit}
            small
            people={peopleAt(visit.crewId ? crewDayOf(range, visit.day, visit.crewId) : undefined, visit)}
            onMove={onAsk}
          />
        )}
      />
    </div>
  )
}
