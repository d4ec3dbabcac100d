import { useQuery } from '@tanstack/react-query'
import { addDays, dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { timeZoneLabel } from '../../../../shared/timeZone.ts'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useOwner } from '../../../owner/web/session.ts'
import { agendaQuery } from './data.ts'

/** The calls of today and the next seven days, by day, in the zone of the call hours. */
export const Agenda = () => {
  const { ask } = useOwner()
  const found = useQuery(agendaQuery(ask))
  if (found.isError && !found.data)
    return (
      <ErrorState
        error={found.error}
        title="The calls are not here yet"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  const { calls, timeZone, today } = found.data
  const byDay = Map.groupBy(calls, (call) => dayOf(call.startsAt, timeZone))
  const nameOf = (day: string) => (day === today ? 'Today' : day === addDays(today, 1) ? 'Tomorrow' : formatDay(day))
  if (calls.length === 0)
    return (
      <EmptyState title="No calls in the next seven days">
        What prospects book on the site and what you book for them stands here.
      </EmptyState>
    )
  return (
    <section className="desk-agenda" aria-label="Calls">
      <p className="hint">Times in {timeZoneLabel(timeZone)}.</p>
      {[...byDay].map(([day, own]) => (
        <Card key={day} title={nameOf(day)} hint={`${own.length} ${own.length === 1 ? 'call' : 'calls'}`} as="section">
          <ul className="desk-steps">
            {own.map((call) => (
              <li key={call._id}>
                <span>
                  <b className="num">
                    {formatTime(call.startsAt, timeZone)} to {formatTime(call.endsAt, timeZone)}
                  </b>{' '}
                  {call.title} with <b>{call.name}</b>
                  {call.note ? <span className="hint"> {call.note}</span> : null}
                </span>
                <span className="desk-talk__acts">
                  <LinkTo href={`tel:${call.phone}`}>{call.phone}</LinkTo>
                  <LinkTo href={`mailto:${call.email}`}>{call.email}</LinkTo>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </section>
  )
}
