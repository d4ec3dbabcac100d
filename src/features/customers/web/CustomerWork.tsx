import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { skipReasonLabel } from '../../visits/rules.ts'
import { VisitLink } from '../../visits/web/VisitLink.tsx'
import type { CustomerRecord, VisitLine } from '../contract.ts'

const visitStates: Record<string, [Tone, string]> = {
  scheduled: ['neutral', 'Booked'],
  en_route: ['now', 'On the way'],
  in_progress: ['now', 'Working'],
  paused: ['wait', 'Paused'],
  completed: ['done', 'Done'],
  skipped: ['late', 'Skipped'],
  missed: ['late', 'Missed'],
}
const jobStates: Record<string, [Tone, string]> = {
  draft: ['neutral', 'Draft'],
  active: ['done', 'Active'],
  paused: ['wait', 'Paused'],
  completed: ['neutral', 'Finished'],
  canceled: ['neutral', 'Canceled'],
}
const stateOf = (states: Record<string, [Tone, string]>, status: string): [Tone, string] =>
  states[status] ?? ['neutral', status]

const Visits = ({ title, visits }: { title: string; visits: readonly VisitLine[] }) =>
  visits.length === 0 ? null : (
    <section className="panel-section">
      <h3>{title}</h3>
      <ul className="panel-rows">
        {visits.map((visit) => {
          const [tone, label] = stateOf(visitStates, visit.status)
          return (
            <li key={visit.id}>
              <span className="panel-rows__main">
                <VisitLink id={visit.id}>{visit.day ? formatDay(visit.day) : 'No day yet'}</VisitLink>
                <span className="muted">{[visit.title, visit.street, visit.crewName].filter(Boolean).join(' · ')}</span>
                {visit.skipReason ? <span className="muted">Reason: {skipReasonLabel(visit.skipReason)}</span> : null}
              </span>
              <span className="panel-rows__side">
                <Badge tone={tone}>{label}</Badge>
                {visit.priceCents === null ? null : <Money cents={visit.priceCents} />}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )

/** "2 of 6 rounds done · Round 3 is due · 1 missed" */
const roundsText = ({ total, done, missed, open }: NonNullable<CustomerRecord['jobs'][number]['rounds']>): string =>
  [
    `${done} of ${total} ${total === 1 ? 'round' : 'rounds'} done`,
    open ? `${open} is due` : '',
    missed ? `${missed} missed` : '',
  ]
    .filter(Boolean)
    .join(' · ')

/** Jobs, and the visits before and behind today. */
export const CustomerWork = ({ record }: { record: CustomerRecord }) => {
  if (record.jobs.length === 0 && record.lastVisits.length === 0)
    return (
      <EmptyState
        compact
        title="No work yet"
        action={
          record.can.book ? (
            <Button href={linkTo.newJob({ customerId: record.id })}>Book a job for {record.name}</Button>
          ) : undefined
        }
      >
        Book a weekly mowing or one visit; its days appear here.
      </EmptyState>
    )
  return (
    <div className="panel-stack">
      {record.jobs.length > 0 ? (
        <section className="panel-section">
          <h3>Jobs</h3>
          <ul className="panel-rows">
            {record.jobs.map((job) => {
              const [tone, label] = stateOf(jobStates, job.status)
              return (
                <li key={job.id}>
                  <span className="panel-rows__main">
                    <LinkTo href={linkTo.job(job.id)}>
                      #{job.number} {job.title}
                    </LinkTo>
                    <span className="muted">
                      {job.street} · from {formatDay(job.startOn)}
                      {job.endOn ? ` to ${formatDay(job.endOn)}` : ''}
                    </span>
                    {job.rounds ? <span className="muted">{roundsText(job.rounds)}</span> : null}
                  </span>
                  <span className="panel-rows__side">
                    <Badge tone={tone}>{label}</Badge>
                  </span>
                </li>
              )
            })}
          </ul>
        </section>
      ) : null}
      <Visits title="Coming up" visits={record.nextVisits} />
      <Visits title="Past visits" visits={record.lastVisits} />
    </div>
  )
}
