import { type ReactNode, useEffect, useState } from 'react'
import { formatDay, formatTime } from '../../../../shared/dates.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { Spinner } from '../../../../ui/Spinner.tsx'
import type { Lawn } from '../../requests/web/LawnPrice.tsx'
import type { pageBookingApi } from '../contract.ts'
import { dayPartLabel, everyLabel, holdMinutes } from '../rules.ts'
import { useDays, useHold } from './data.ts'
import './booking.css'

export type Held = ResponseOf<typeof pageBookingApi.hold>
type Address = { street: string; city: string; state: string; zip: string }

/** So many days stand open; the others come by one press. */
const first = 6

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

type Props = {
  slug: string
  bookingKey: string
  address: Address
  lawn: Lawn
  held: Held | null
  onHeld: (held: Held | null) => void
  /** What follows a picked day. */
  children: ReactNode
}

/** The days ahead that suit the routes, the best first; a picked one waits some minutes for the visitor. */
export const PickDay = ({ slug, bookingKey, address, lawn, held, onHeld, children }: Props) => {
  const days = useDays(slug)
  const hold = useHold(slug)
  const [all, setAll] = useState(false)
  const wish = {
    ...address,
    lawn: { squareFeet: lawn.squareFeet, way: lawn.way },
    services: lawn.services,
  }
  const ask = () => days.mutate(wish)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for an address and a lawn; the part is made anew for others
  useEffect(ask, [])
  if (held)
    return (
      <div className="pick-day">
        <div className="pick-day__held" role="status">
          <div>
            <b>
              {formatDay(held.day)}
              {held.part ? `, ${dayPartLabel[held.part]}` : ''}
            </b>
            <p>
              Yours until {formatTime(held.heldUntil, zone())}.{' '}
              {held.asks ? 'The business says yes before it is booked.' : ''}
            </p>
          </div>
          <Button size="s" kind="quiet" onClick={() => onHeld(null)}>
            Another day
          </Button>
        </div>
        <dl className="pick-day__price">
          {held.items.map(({ id, name, frequency, cents }) => (
            <div key={id}>
              <dt>
                {name}, {everyLabel[frequency]}
              </dt>
              <dd>
                <Money cents={cents} /> a visit
              </dd>
            </div>
          ))}
        </dl>
        <p className="hint">
          Without sales tax. If the lawn is larger than you said, you are asked before anything costs more.
        </p>
        {children}
      </div>
    )
  if (days.isError)
    return (
      <Banner tone="error" title="No day can be picked." action={<Button onClick={ask}>Try again</Button>}>
        {days.error.message}
      </Banner>
    )
  if (!days.data)
    return (
      <p className="pick-day__wait" role="status">
        <Spinner /> Looking for days that suit the routes…
      </p>
    )
  if (days.data.days.length === 0)
    return (
      <Banner tone="warn" title="No day is free just now.">
        Every crew is full, or too far away from you. Request a visit instead, and you hear when it goes.
      </Banner>
    )
  const shown = all ? days.data.days : days.data.days.slice(0, first)
  return (
    <div className="pick-day">
      <p id="pick-day-words">
        The days that suit the routes best come first. A picked day waits {holdMinutes} minutes for you.
      </p>
      <ul className="pick-day__days" aria-labelledby="pick-day-words">
        {shown.map(({ day, part, close }) => (
          <li key={day}>
            <button
              type="button"
              disabled={hold.isPending}
              onClick={() =>
                hold.mutate({ ...wish, key: bookingKey, day }, { onSuccess: onHeld, onError: () => days.mutate(wish) })
              }
            >
              <b>{formatDay(day)}</b>
              <span>{part ? dayPartLabel[part] : ' '}</span>
              {close ? <Badge tone="done">A crew is close by</Badge> : null}
            </button>
          </li>
        ))}
      </ul>
      {hold.isError ? <Banner tone="error">{hold.error.message}</Banner> : null}
      {all || days.data.days.length <= first ? null : (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {days.data.days.length - first} more days
        </Button>
      )}
    </div>
  )
}
