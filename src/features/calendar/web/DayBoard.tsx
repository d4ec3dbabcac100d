import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { markColor } from '../../../ui/markColor.ts'
import { SortableLists, type SortList, type SortMove } from '../../../ui/SortableLists.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { doorcardsApi } from '../../doorcards/contract.ts'
import type { CalendarCrew, CalendarRange } from '../contract.ts'
import { loadPercent, type Verdict } from '../rules.ts'
import { DueCard, DueHead } from './DueList.tsx'
import { dueQuery, type Target } from './data.ts'
import { EventChips } from './EventChips.tsx'
import { LoadBar } from './LoadBar.tsx'
import { VisitCard } from './VisitCard.tsx'
import {
  type Card,
  crewDayOf,
  type Filter,
  fits,
  isShort,
  isThin,
  missingLabel,
  noCrew,
  peopleAt,
  positionOf,
  stopsOf,
} from './view.ts'
import { verdictOf } from './WeekBoard.tsx'

const CrewNeighborsDialog = lazyPart(() =>
  import('../../doorcards/web/CrewNeighborsDialog.tsx').then((m) => m.CrewNeighborsDialog),
)

type Props = {
  range: CalendarRange
  day: Day
  filter: Filter
  judge: (visit: Card, to: Target) => Verdict
  onMove: (visit: Card, to: Target) => void
  onAsk: (visit: Card) => void
  onEvent: (id: string) => void
  onStandIn: (crewId: string, day: Day) => void
}

const CrewHead = ({
  crew,
  range,
  day,
  onStandIn,
}: Pick<Props, 'range' | 'day' | 'onStandIn'> & { crew: CalendarCrew }) => {
  const load = crewDayOf(range, day, crew.id)
  const may = useMay()
  const [near, setNear] = useState(false)
  return (
    <div className="cal-col__head">
      <h2>
        <i style={{ background: markColor(crew.color) }} aria-hidden="true" />
        {crew.name}
        <span className="hint num">{stopsOf(range, day, crew.id).length}</span>
      </h2>
      {load && (load.works || load.stops > 0) ? <LoadBar load={load} /> : <p className="hint">Off this day</p>}
      {load?.works ? (
        <p className="hint">
          {load.people} {load.people === 1 ? 'person' : 'people'}, {formatMinute(load.shiftStartMinute)} to{' '}
          {formatMinute(load.shiftEndMinute)}
          {load.undriven > 0 ? ` · driving to ${load.undriven} not planned yet` : ''}
          {isThin(load) ? (
            <>
              {' · '}
              <b className="cal-cell__away">{missingLabel(load)}</b>
            </>
          ) : null}
        </p>
      ) : null}
      {load?.works && load.stops > 0 && loadPercent(load) < 90 && day >= range.today && may(doorcardsApi.ofCrew) ? (
        <Button
          size="s"
          kind="quiet"
          onClick={() => setNear(true)}
          aria-label={`Neighbors for the room left: ${crew.name}`}
        >
          Neighbors for the room left
        </Button>
      ) : null}
      {near ? <CrewNeighborsDialog day={day} crewId={crew.id} onClose={() => setNear(false)} /> : null}
      {load && isShort(load) && day >= range.today ? (
        <Button size="s" onClick={() => onStandIn(crew.id, day)} aria-label={`Find a stand-in for ${crew.name}`}>
          Find a stand-in
        </Button>
      ) : null}
    </div>
  )
}

/** A day: what is due, then a column a crew with its stops in the order of its route. */
export const DayBoard = ({ range, day, filter, judge, onMove, onAsk, onEvent, onStandIn }: Props) => {
  const due = useQuery(dueQuery(day))
  const over = day < range.today
  // Until the places are known what has no crew stands there all the same.
  const waiting: Card[] = (due.data?.items ?? stopsOf(range, day, null)).filter((visit) =>
    fits(visit, { ...filter, crewId: null }),
  )
  const crews = range.crews.filter((crew) => !filter.crewId || crew.id === filter.crewId)
  const shown = (crewId: string) => stopsOf(range, day, crewId).filter((visit) => fits(visit, filter))
  const lists: SortList<Card>[] = [
    {
      id: noCrew,
      label: 'Due, without a crew',
      items: waiting,
      locked: over,
      header: (
        <DueHead
          day={day}
          count={due.data?.total ?? waiting.length}
          items={waiting}
          over={over}
          undo={due.data?.undo ?? null}
        />
      ),
      empty: over ? (
        'Everything had a crew.'
      ) : range.visits.length === 0 && (due.data?.total ?? 0) === 0 ? (
        <>
          Nothing is booked here yet. <LinkTo href={linkTo.newJob()}>Create a job</LinkTo>, and its visits stand here.
        </>
      ) : (
        'Everything has a crew and a day. Drop a stop here to take it off its crew.'
      ),
    },
    ...crews.map(
      (crew): SortList<Card> => ({
        id: crew.id,
        label: crew.name,
        items: shown(crew.id),
        locked: over,
        header: <CrewHead crew={crew} range={range} day={day} onStandIn={onStandIn} />,
        empty: over ? 'No stops.' : 'No stops yet. Drop one here.',
      }),
    ),
  ]
  const byId = new Map([...waiting, ...range.visits].map((visit): [string, Card] => [visit.id, visit]))
  const targetOf = (id: string): Target => ({ day, crewId: id === noCrew ? null : id })
  const drop = ({ itemId, toListId, toIndex }: SortMove) => {
    const visit = byId.get(itemId)
    if (!visit || (toListId === noCrew && visit.crewId === null)) return
    const to = targetOf(toListId)
    onMove(
      visit,
      to.crewId === null
        ? to
        : { ...to, position: positionOf(stopsOf(range, day, to.crewId), shown(to.crewId), itemId, toIndex) },
    )
  }
  return (
    <>
      <EventChips events={range.events} day={day} onOpen={onEvent} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an empty board scrolls sideways on a phone, by keyboard too */}
      <section className="cal-day__scroll" tabIndex={0} aria-label="Crews of the day">
        <SortableLists<Card>
          row
          className="cal-day"
          lists={lists}
          itemId={(visit) => visit.id}
          itemLabel={(visit) => visit.street}
          isLocked={(visit) => over || !visit.can.move}
          judge={(visit, id) => {
            const to = targetOf(id)
            return to.day === visit.day && to.crewId === visit.crewId ? null : verdictOf(judge(visit, to))
          }}
          onMove={drop}
          render={(visit, { listId }) =>
            listId === noCrew || (visit.crewId === null && listId === '') ? (
              <DueCard visit={visit} day={day} range={range} over={over} onMove={onMove} onAsk={onAsk} />
            ) : (
              <VisitCard
                visit={visit}
                people={peopleAt(visit.crewId ? crewDayOf(range, day, visit.crewId) : undefined, visit)}
                onMove={onAsk}
              />
            )
          }
        />
      </section>
    </>
  )
}
