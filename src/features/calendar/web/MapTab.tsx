import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Day, formatDay, formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MapView } from '../../../ui/MapView.tsx'
import type { MapPin } from '../../../ui/mapPins.ts'
import { markColor } from '../../../ui/markColor.ts'
import { stripState } from '../../visits/rules.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import type { CalendarRange, CalendarVisit } from '../contract.ts'
import { type Filter, fits, stopsHere } from './view.ts'

/** Where a day's visits are, by crew; what they drive stands on the route map. Several at one place are one pin, which lists them. */
export const MapTab = ({ range, day, filter }: { range: CalendarRange; day: Day; filter: Filter }) => {
  const linkOf = useVisitLink()
  const go = useNavigate()
  const [open, setOpen] = useState<string | null>(null)
  const places = useMemo(() => stopsHere(range, day, filter), [range, day, filter])
  const pins = useMemo(
    () =>
      places.map(([first, ...more]): MapPin => {
        const { visit, crew, number } = first
        const state = stripState(visit.status)
        const name = crew?.name ?? 'no crew'
        return {
          id: visit.id,
          lat: visit.latitude ?? 0,
          lon: visit.longitude ?? 0,
          name: more.length > 0 ? `${more.length + 1} visits at ${visit.street}` : `${visit.street}, ${name}`,
          color: crew?.color ?? 'var(--ink-3)',
          kind: crew ? 'stop' : 'customer',
          ...(more.length > 0 ? { label: `${more.length + 1}×` } : crew ? { label: number } : {}),
          state: state === 'paused' ? 'now' : state,
        }
      }),
    [places],
  )
  const missing = range.visits.filter((visit) => visit.latitude === null && fits(visit, filter)).length
  const here = places.find(([first]) => first.visit.id === open)
  const whenOf = ({ startMinute }: CalendarVisit) => (startMinute === null ? '' : `, ${formatMinute(startMinute)}`)
  return (
    <div className="cal-map">
      <p className="cal-map__legend">
        {range.crews.map((crew) => (
          <span key={crew.id}>
            <i style={{ background: markColor(crew.color) }} aria-hidden="true" /> {crew.name}
          </span>
        ))}
        {missing > 0 ? <span className="hint">{missing} without a pin</span> : null}
        <LinkTo href={linkTo.routeDay(day)}>Plan this day on the route map</LinkTo>
      </p>
      <div className="cal-map__map">
        <MapView
          label={`Visits of ${formatDay(day, { long: true })}`}
          pins={pins}
          fitKey={`${day} ${pins.length}`}
          onPinClick={(id) => {
            if ((places.find(([first]) => first.visit.id === id)?.length ?? 0) > 1) return setOpen(id)
            const href = linkOf?.(id)
            if (href) void go(href)
          }}
        />
      </div>
      {here ? (
        <Dialog open onClose={() => setOpen(null)} title={`${here.length} visits at ${here[0].visit.street}`} size="s">
          <ul className="cal-here">
            {here.map(({ visit, crew }) => (
              <li key={visit.id}>
                <LinkTo href={linkOf?.(visit.id) ?? linkTo.calendarDay(day)} onClick={() => setOpen(null)}>
                  <b>{visit.title}</b>
                  <span className="hint">
                    {visit.customer}, {crew?.name ?? 'no crew'}
                    {whenOf(visit)}
                  </span>
                </LinkTo>
              </li>
            ))}
          </ul>
        </Dialog>
      ) : null}
    </div>
  )
}
