import { type Day, formatDay, formatMinute } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { routesApi } from '../../routes/contract.ts'
import { FillDay } from '../../routes/fill/web/FillDay.tsx'
import { useStepping } from '../../routes/web/data.ts'
import { nearMessages } from '../../visits/days/rules.ts'
import type { CalendarRange, DueVisit } from '../contract.ts'
import { windowLabel } from '../rules.ts'
import { type Target, useMoveVisit } from './data.ts'
import { VerdictNote } from './VerdictNote.tsx'
import { VisitCard } from './VisitCard.tsx'
import type { Card } from './view.ts'

const isDue = (visit: Card): visit is DueVisit => 'places' in visit

/** The places are looked for one by one: what all of them would come to is said by filling the day. */
const placesWords = (fitting: number, count: number): string => {
  if (count === 0) return 'No crew or no day yet.'
  if (fitting === 0) return 'None of them fits as it is.'
  if (count === 1) return 'It has a place on this day.'
  return `${fitting === count ? 'Each has' : `${fitting} of ${count} ${fitting === 1 ? 'has' : 'have'}`} a place on this day, taken by itself.`
}

/** What waits for a crew, and one button that gives the day what fits best. */
export const DueHead = ({
  day,
  count,
  items,
  over,
  undo,
}: {
  day: Day
  count: number
  items: readonly Card[]
  over: boolean
  /** The last change of the day's plan, whoever made it. */
  undo: { id: string; label: string } | null
}) => {
  const mover = useMoveVisit()
  const stepping = useStepping()
  const mayUndo = useMay()(routesApi.undo)
  const fitting = items.filter((visit) => isDue(visit) && visit.places.length > 0).length
  return (
    <div className="cal-col__head">
      <h2>
        Due <span className="hint num">{count}</span>
      </h2>
      {over ? null : <FillDay day={day} disabled={count === 0} onChange={mover.reload} />}
      <p className="hint">{placesWords(fitting, count)}</p>
      {undo && mayUndo && !over ? (
        <p className="cal-due__last hint">
          <span>Last change: {undo.label}</span>
          <Button
            size="s"
            kind="quiet"
            calls={routesApi.undo}
            loading={mover.undo.isPending}
            disabled={stepping}
            aria-label={`Undo: ${undo.label}`}
            onClick={() => mover.undo.mutate({ day, changeId: undo.id })}
          >
            Undo
          </Button>
        </p>
      ) : null}
    </div>
  )
}

/** What work without a day waits for: "Round 2, until May 31". */
const waitingWords = ({ kind, name, closesOn }: NonNullable<DueVisit['waiting']>): string => {
  if (kind === 'step') return `${name ?? 'A round'}${closesOn ? `, until ${formatDay(closesOn)}` : ''}`
  if (kind === 'waiting') return closesOn ? `Waiting list, by ${formatDay(closesOn)}` : 'Waiting list'
  return kind === 'on_demand' ? 'On demand' : 'No day yet'
}

type Props = {
  visit: Card
  day: Day
  range: CalendarRange
  over: boolean
  onMove: (visit: Card, to: Target) => void
  onAsk: (visit: Card) => void
}

/** A visit without a crew: since when, how much it is, and its best places with what each adds to the road. */
export const DueCard = ({ visit, day, range, over, onMove, onAsk }: Props) => {
  const due = isDue(visit) ? visit : null
  const late = due?.daysLate ?? 0
  const near = over || !due?.places.length || visit.day === day ? [] : nearMessages(visit, day)
  const said = due?.waiting ? waitingWords(due.waiting) : null
  return (
    <div className="cal-due">
      <VisitCard visit={visit} onMove={onAsk} />
      <p className="cal-due__facts hint">
        {late > 0 ? (
          <b
            className={due?.waiting?.kind === 'waiting' ? 'cal-due__warn' : 'cal-due__late'}
          >{`${late} ${late === 1 ? 'day' : 'days'} late`}</b>
        ) : null}
        {said ? <span>{said}</span> : null}
        {windowLabel(visit) ? <span>{windowLabel(visit)}</span> : null}
        <span>{visit.budgetMinutes} labor min</span>
        {visit.priceCents === null ? null : <span className="num">{formatCents(visit.priceCents)}</span>}
      </p>
      {due?.reason ? <p className="cal-due__reason">{due.reason}</p> : null}
      {near.length > 0 ? <VerdictNote verdict={{ stops: null, warns: near }} /> : null}
      {!over && due && visit.can.move && due.places.length > 0 ? (
        <div className="cal-due__places">
          {due.places.slice(0, 3).map((place) => {
            const crew = range.crews.find((one) => one.id === place.crewId)
            const added = `+${Math.max(0, Math.round(place.addedDriveSeconds / 60))} min`
            return crew ? (
              <button
                key={place.crewId}
                type="button"
                aria-label={`${added} ${crew.name}: put ${visit.street} there`}
                title={`At ${formatMinute(place.startMinute)}`}
                onClick={() => onMove(visit, { day, crewId: place.crewId, position: place.position })}
              >
                <b className="num">{added}</b> {crew.name}
              </button>
            ) : null
          })}
        </div>
      ) : null}
    </div>
  )
}
