import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { positionsApi } from '../../positions/contract.ts'
import { accuracyIn } from '../../positions/rules.ts'
import type { Employee } from '../contract.ts'

/** Where somebody was last on the clock, of who shares it on their phone. Of anybody else there is nothing to say. */
export const Whereabouts = ({ person }: { person: Employee }) => {
  const may = useMay()(positionsApi.list)
  const { timeZone } = useUser().business
  const { data } = useQuery({
    queryKey: ['positions', 'team'],
    queryFn: ({ signal }) => call(positionsApi.list, {}, { signal }),
    refetchInterval: 60_000,
    enabled: may,
  })
  const found = may ? data?.items.find(({ userId }) => userId === person.id) : undefined
  if (!found) return null
  const { last } = found
  const day = (at: string) => formatDay(dayOf(at, timeZone))
  return (
    <section className="people-signin" aria-labelledby={`whereabouts-${person.id}`}>
      <h3 id={`whereabouts-${person.id}`}>
        Position{' '}
        {found.onClock ? <Badge tone="now">on the clock</Badge> : <Badge tone="neutral">not on the clock</Badge>}
      </h3>
      {last ? (
        <p>
          Seen {formatTime(last.at, timeZone)}, {day(last.at)}, {accuracyIn(last.accuracyMeters)}.{' '}
          <LinkTo
            target="_blank"
            rel="noreferrer"
            href={`https://www.openstreetmap.org/?mlat=${last.latitude}&mlon=${last.longitude}&zoom=17`}
          >
            Show on a map
          </LinkTo>
        </p>
      ) : (
        <p>Nothing was taken in the last 14 days.</p>
      )}
      <p className="hint">
        Shared by {person.name.split(' ')[0]} since {day(found.since)}, on the clock only, kept for 14 days.
      </p>
    </section>
  )
}
