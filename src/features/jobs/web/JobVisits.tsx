import { useState } from 'react'
import { type Day, formatDay } from '#src/shared/dates.ts'
import { Badge, type Tone } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Money } from '#src/ui/Money.tsx'
import { VisitLink } from '../../visits/web/VisitLink.tsx'
import type { JobRecord, JobVisit } from '../contract.ts'
import { spacingProblem } from '../rules.ts'

const stateOf = (visit: JobVisit, today: Day, undated: boolean): { tone: Tone; label: string } => {
  switch (visit.status) {
    case 'completed':
      return visit.invoiced ? { tone: 'done', label: 'Invoiced' } : { tone: 'done', label: 'Finished' }
    case 'skipped':
      return { tone: 'late', label: 'Skipped' }
    case 'missed':
      return { tone: 'late', label: 'Missed' }
    case 'canceled':
      return { tone: 'neutral', label: 'Canceled' }
    case 'unscheduled':
      return { tone: 'wait', label: 'No day' }
    case 'scheduled':
      return visit.day !== null && visit.day < today
        ? { tone: 'late', label: 'Late' }
        : {
            tone: 'neutral',
            label: !visit.handMoved || undated ? 'Scheduled' : visit.day === visit.occurrenceOn ? 'Changed' : 'Moved',
          }
    default:
      return { tone: 'now', label: 'Crew is on it' }
  }
}

/** What a visit breaks of the distances that the rule of its job asks for; of a job with several services no single rule speaks. */
const slipOf = (visit: JobVisit, job: JobRecord): string | null => {
  const rule = job.lines.length === 1 ? job.lines[0]?.recurrence : null
  if (!rule || visit.day === null) return null
  const others = [...job.pastVisits.filter((v) => v.status === 'completed'), ...job.nextVisits]
    .filter((v) => v.id !== visit.id)
    .flatMap((v) => (v.day === null ? [] : [v.day]))
  return spacingProblem(rule, visit.day, visit.occurrenceOn, others)
}

/** What its program still has ahead without a visit, and from when on. */
const aheadWords = (job: JobRecord, today: Day): string | null => {
  const ahead = job.lines.flatMap(({ undated, standing }) =>
    undated?.kind === 'step' && standing?.state === 'upcoming' ? [undated.opensOn] : [],
  )
  const [first] = ahead.sort()
  if (!first) return null
  const rounds = ahead.length === 1 ? '1 round waits' : `${ahead.length} rounds wait`
  const day = formatDay(first, { year: !first.startsWith(today.slice(0, 4)) })
  return `${rounds} for ${ahead.length === 1 ? 'its window' : 'their windows'}, from ${day}.`
}

type RowProps = { visit: JobVisit; today: Day; plain: boolean; undated: boolean; marked: boolean; slip: string | null }

const Row = ({ visit, today, plain, undated, marked, slip }: RowProps) => {
  const { tone, label } = stateOf(visit, today, undated)
  const day = visit.day ?? visit.occurrenceOn
  const said =
    visit.status === 'unscheduled' ? 'Not on a day yet' : formatDay(day, { year: !day.startsWith(today.slice(0, 4)) })
  return (
    <li aria-current={marked || undefined}>
      <span className="job-two">
        <span className="num">
          <VisitLink id={visit.id}>{said}</VisitLink>
        </span>
        {plain ? null : <span className="hint">{visit.services.join(', ')}</span>}
        {slip ? <span className="job-visits__slip">{slip}</span> : null}
      </span>
      <span className="hint job-visits__crew">{visit.crew?.name ?? ''}</span>
      {visit.priceCents === null ? <span /> : <Money cents={visit.priceCents} />}
      <Badge tone={tone}>{label}</Badge>
    </li>
  )
}

type Shown = { job: JobRecord; today: Day; visitId: string | null }

const Rows = ({
  visits,
  job,
  today,
  visitId,
  open = false,
}: Shown & { visits: readonly JobVisit[]; open?: boolean }) => (
  <ul className="job-visits">
    {visits.map((visit) => (
      <Row
        key={visit.id}
        visit={visit}
        today={today}
        plain={job.lines.length === 1}
        // What had no day of its own was given one, not another.
        undated={job.lines.length > 0 && job.lines.every((line) => Boolean(line.undated))}
        marked={visit.id === visitId}
        slip={open ? slipOf(visit, job) : null}
      />
    ))}
  </ul>
)

const firstOpen = 6

/** The next visits, the last ones, and what they come to for who sees money. The visit that a link led to is marked. */
export const JobVisits = ({ job, today, visitId }: Shown) => {
  const [all, setAll] = useState(job.nextVisits.findIndex((visit) => visit.id === visitId) >= firstOpen)
  const next = all ? job.nextVisits : job.nextVisits.slice(0, firstOpen)
  const money = job.totals.doneCents !== null
  const ahead = job.status === 'active' || job.status === 'draft' ? aheadWords(job, today) : null
  return (
    <>
      <section className="job-part">
        <h3>
          Next visits{' '}
          <span className="hint num">
            {job.openVisits > next.length ? `${next.length} of ${job.openVisits}` : job.openVisits}
          </span>
        </h3>
        {job.nextVisits.length === 0 ? (
          <p className="muted">None on the calendar. {ahead}</p>
        ) : (
          <>
            <Rows visits={next} job={job} today={today} visitId={visitId} open />
            {ahead ? <p className="muted">{ahead}</p> : null}
          </>
        )}
        {job.nextVisits.length > firstOpen ? (
          <Button kind="quiet" size="s" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${job.nextVisits.length}`}
          </Button>
        ) : null}
      </section>
      <dl className="job-totals">
        <div>
          <dt>Done so far</dt>
          <dd>
            {money ? <Money cents={job.totals.doneCents} /> : null}
            <span className="hint num">
              {job.totals.doneVisits} {job.totals.doneVisits === 1 ? 'visit' : 'visits'}
            </span>
          </dd>
        </div>
        {money ? (
          <div>
            <dt>Not invoiced yet</dt>
            <dd>
              <Money cents={job.totals.uninvoicedCents} />
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{ahead ? 'Still to do, with a visit' : 'Still to do'}</dt>
          <dd>
            {money ? <Money cents={job.totals.openCents} /> : null}
            <span className="hint num">
              {job.openVisits} {job.openVisits === 1 ? 'visit' : 'visits'}
            </span>
          </dd>
        </div>
      </dl>
      {job.pastVisits.length > 0 ? (
        <section className="job-part">
          <h3>Before</h3>
          <Rows visits={job.pastVisits} job={job} today={today} visitId={visitId} />
        </section>
      ) : null}
    </>
  )
}
