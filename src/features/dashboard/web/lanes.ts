import { formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import type { StripLane } from '../../../ui/StripLanes.tsx'
import { skipReasonLabel, statusLabel, stripState } from '../../visits/rules.ts'
import type { Dashboard } from '../contract.ts'

const names = (members: readonly string[]): string => members.join(', ')

/** The crews of the day as lanes of the strip. */
export const lanesOf = (d: Pick<Dashboard, 'crews' | 'today'>): StripLane[] =>
  d.crews.map((crew) => ({
    id: crew.crewId,
    name: crew.name,
    sub: names(crew.members),
    color: crew.color,
    href: linkTo.routeDay(d.today, { crewId: crew.crewId }),
    shift: { startMinute: crew.shiftStartMinute, endMinute: crew.shiftEndMinute },
    stops: crew.stops
      .filter((stop) => stop.state !== 'canceled')
      .map((stop) => ({
        id: stop.visitId,
        label: stop.label,
        minutes: stop.minutes,
        driveMinutesBefore: stop.driveMinutesBefore,
        state: stripState(stop.state),
        detail: [stop.customer, stop.skipReason ? skipReasonLabel(stop.skipReason) : statusLabel(stop.state)].join(
          ' · ',
        ),
        ...(stop.startMinute === null ? {} : { startMinute: stop.startMinute }),
      })),
    right: `${crew.counts.finished} of ${crew.counts.total} stops`,
    rightSub:
      crew.counts.remaining === 0
        ? 'all done'
        : crew.backAtMinute === null
          ? 'not planned yet'
          : `back at ${formatMinute(crew.backAtMinute)}`,
  }))
