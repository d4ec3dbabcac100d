import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MapView } from '../../../ui/MapView.tsx'
import type { MapPin } from '../../../ui/mapPins.ts'
import { markColor } from '../../../ui/markColor.ts'
import { stripState } from '../../visits/rules.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import type { CalendarRange } from '../contract.ts'
import { type Filter, fits, stopsOf } from './view.ts'

/** Where a day's visits are, by crew; what they drive stands on the route map. */
export const MapTab = ({ range, day, filter }: { range: CalendarRange; day: Day; filter: Filter }) => {
  const linkOf = useVisitLink()
  const go = useNavigate()
  const pins = useMemo(
    () =>
      [
        ...range.crews.map((crew) => ({ ...crew, crewId: crew.id as string | null })),
        { name: 'no crew', color: 'var(--ink-3)', crewId: null },
      ].flatMap(({ name, color, crewId }) =>
        stopsOf(range, day, crewId).flatMap((visit, index): MapPin[] => {
          if (visit.latitude === null || visit.longitude === null || !fits(visit, filter)) return []
          const state = stripState(visit.status)
          return [
            {
              id: visit.id,
              lat: visit.latitude,
              lon: visit.longitude,
              name: `${visit.street}, ${name}`,
              color,
              kind: crewId ? 'stop' : 'customer',
              ...(crewId ? { label: index + 1 } : {}),
              state: state === 'paused' ? 'now' : state,
            },
          ]
        }),
      ),
    [range, day, filter],
  )
  const missing = range.visits.filter((visit) => visit.latitude === null && fits(visit, filter)).length
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
            const href = linkOf?.(id)
            if (href) void go(href)
          }}
        />
      </div>
    </div>
  )
}
