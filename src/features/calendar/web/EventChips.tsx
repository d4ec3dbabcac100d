import { type Day, formatMinute } from '../../../shared/dates.ts'
import type { CalendarEvent } from '../events/contract.ts'
import { eventKindLabel } from '../events/rules.ts'

type Props = { events: readonly CalendarEvent[]; day: Day; onOpen: (id: string) => void }

const hoursOf = ({ startMinute, endMinute }: CalendarEvent): string =>
  [startMinute, endMinute].flatMap((minute) => (minute === null ? [] : [formatMinute(minute)])).join(' to ')

/** The office's own entries of a day. */
export const EventChips = ({ events, day, onOpen }: Props) => {
  const own = events.filter((event) => event.firstDay <= day && day <= event.lastDay)
  return own.length > 0 ? (
    <ul className="cal-events" aria-label="Events">
      {own.map((event) => (
        <li key={event.id}>
          <button type="button" className={`cal-event is-${event.kind}`} onClick={() => onOpen(event.id)}>
            {event.startMinute === null ? null : <span className="num">{hoursOf(event)} </span>}
            {event.title}
            <span className="ui-hidden">, {eventKindLabel(event.kind)}</span>
          </button>
        </li>
      ))}
    </ul>
  ) : null
}
