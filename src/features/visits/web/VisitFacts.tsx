import { formatDay, formatDuration, formatMinute, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { markColor } from '../../../ui/markColor.ts'
import type { Visit } from '../contract.ts'
import { skipReasonLabel } from '../rules.ts'
import { VisitLink } from './VisitLink.tsx'

const windowOf = ({ windowStartMinute: from, windowEndMinute: to }: Visit): string | null =>
  from !== null && to !== null
    ? `${formatMinute(from)} to ${formatMinute(to)}`
    : from !== null
      ? `from ${formatMinute(from)}`
      : to !== null
        ? `until ${formatMinute(to)}`
        : null

/** Where, when, by whom and what to know there. */
export const VisitFacts = ({ visit }: { visit: Visit }) => {
  const { place } = visit
  return (
    <KeyValue
      items={[
        {
          label: 'When',
          value: visit.day ? (
            <LinkTo
              href={linkTo.routeDay(visit.day, {
                ...(visit.crewId ? { crewId: visit.crewId } : {}),
                visitId: visit.id,
              })}
            >
              {formatDay(visit.day, { year: true })}
              {visit.plannedStartMinute === null ? '' : `, ${formatMinute(visit.plannedStartMinute)} planned`}
            </LinkTo>
          ) : (
            'No day yet'
          ),
        },
        { label: 'Window', value: windowOf(visit) },
        {
          label: 'Moved from',
          value: visit.movedFrom && visit.movedFrom !== visit.day ? formatDay(visit.movedFrom) : null,
        },
        visit.rebookedFrom && {
          label: 'In place of',
          value: (
            <VisitLink id={visit.rebookedFrom.id}>
              {visit.rebookedFrom.day ? formatDay(visit.rebookedFrom.day) : 'another visit'}
            </VisitLink>
          ),
        },
        {
          label: 'Crew',
          value: visit.crew ? (
            <span className="visit-crew">
              <i style={{ background: markColor(visit.crew.color) }} aria-hidden="true" />
              {visit.crew.name} · {visit.crew.people === 1 ? '1 person' : `${visit.crew.people} people`}
              {visit.crewId ? (
                <LinkTo href={linkTo.chat(visit.crewId, { about: visit.id })}>Write to the crew</LinkTo>
              ) : null}
            </span>
          ) : (
            'No crew yet'
          ),
        },
        {
          label: 'Job',
          value: (
            <LinkTo href={linkTo.job(visit.jobId)}>
              J-{visit.jobNumber} {visit.title}
            </LinkTo>
          ),
        },
        {
          label: 'Where',
          value: `${[visit.street, place.unit].filter(Boolean).join(' ')}, ${visit.city} ${place.state} ${place.zip}`,
        },
        place.hasGateCode && {
          label: 'Gate code',
          value: <LinkTo href={linkTo.customer(visit.customerId)}>on file, shown with the property</LinkTo>,
        },
        { label: 'Dog', value: place.dog },
        { label: 'Parking', value: place.parking },
        { label: 'Keep off', value: place.noGo },
        { label: 'Property', value: place.notes },
        { label: 'Phone', value: visit.phone && <a href={`tel:${visit.phone}`}>{formatPhone(visit.phone)}</a> },
        { label: 'E-mail', value: visit.email && <a href={`mailto:${visit.email}`}>{visit.email}</a> },
        {
          label: 'Skipped',
          value: visit.skipReason
            ? [skipReasonLabel(visit.skipReason), visit.skipNote].filter(Boolean).join(': ')
            : null,
        },
        {
          label: 'Charged',
          value:
            visit.skipChargeCents === null
              ? null
              : `${formatCents(visit.skipChargeCents)}${visit.invoice ? '' : visit.billable ? ', waits to be invoiced' : ', let go'}`,
        },
      ]}
    />
  )
}

/** What the clock says, beside what was planned. */
export const VisitTimes = ({ visit, timeZone }: { visit: Visit; timeZone: string }) => {
  const time = (at: string | null) => (at ? formatTime(at, timeZone) : '–')
  const over = Math.round(visit.workedSeconds / 60) - visit.plannedMinutes
  const people = visit.crew?.people ?? 1
  return (
    <section className="visit-part">
      <h3>Times</h3>
      <dl className="visit-times">
        {visit.enRouteAt ? (
          <div>
            <dt>On the way</dt>
            <dd className="num">{time(visit.enRouteAt)}</dd>
          </div>
        ) : null}
        <div>
          <dt>Started</dt>
          <dd className="num">{time(visit.startedAt)}</dd>
        </div>
        <div>
          <dt>{visit.status === 'skipped' ? 'Skipped' : 'Finished'}</dt>
          <dd className="num">
            {time(visit.finishedAt)}
            {visit.finishedByName ? <span className="hint">{visit.finishedByName}</span> : null}
          </dd>
        </div>
        <div>
          <dt>On site</dt>
          <dd className="num">
            {visit.workedSeconds > 0 ? formatDuration(visit.workedSeconds) : '–'}
            <span className="hint">
              {formatDuration(visit.plannedMinutes * 60)} planned{people > 1 ? ` for ${people} people` : ''}
              {visit.status === 'completed' && over !== 0
                ? `, ${Math.abs(over)} min ${over > 0 ? 'longer' : 'less'}`
                : ''}
            </span>
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** What is done there, for how much, and the invoice that it stands on. */
export const VisitLines = ({ visit }: { visit: Visit }) => (
  <section className="visit-part">
    <h3>Services</h3>
    <ul className="visit-rows">
      {visit.lines.map((line) => (
        <li key={line.id}>
          <span>
            <b>
              {line.name}
              {line.quantity === 1 ? '' : ` × ${line.quantity}`}
            </b>
            {line.description && line.description !== line.name ? (
              <span className="muted">{line.description}</span>
            ) : null}
          </span>
          <span>
            {line.totalCents === null ? null : <Money cents={line.totalCents} />}
            <span className="hint visit-minutes">{formatDuration(line.budgetMinutes * 60)}</span>
          </span>
        </li>
      ))}
    </ul>
    {/* Services are budgeted in labor; a crew shares it, so its clock says less. */}
    {(visit.crew?.people ?? 1) > 1 && visit.budgetMinutes > 0 ? (
      <p className="muted">
        {formatDuration(visit.budgetMinutes * 60)} of labor: {formatDuration(visit.plannedMinutes * 60)} on site for{' '}
        {visit.crew?.people} people.
      </p>
    ) : null}
    {visit.invoice && visit.priceCents !== null ? (
      <p>
        Billed on <LinkTo href={linkTo.invoice(visit.invoice.id)}>INV-{visit.invoice.number}</LinkTo>,{' '}
        {visit.invoice.status.replaceAll('_', ' ')}.
      </p>
    ) : visit.billable ? null : (
      <p className="muted">Nobody is billed for it by the visit.</p>
    )}
    {visit.checked.length > 0 ? <p className="muted">Checked: {visit.checked.join(', ')}</p> : null}
  </section>
)
