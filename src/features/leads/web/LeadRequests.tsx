import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Money } from '../../../ui/Money.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { LeadRecord, LeadRequest } from '../contract.ts'
import { sourceLabel } from '../rules.ts'

const Price = ({ low, high }: { low: number; high: number }) => (
  <>
    <Money cents={low} />
    {high > low ? (
      <>
        {' to '}
        <Money cents={high} />
      </>
    ) : null}
  </>
)

const Request = ({ request, timeZone }: { request: LeadRequest; timeZone: string }) => {
  const place = [
    request.street,
    request.unit,
    request.city,
    [request.state, request.zip].filter(Boolean).join(' '),
  ].filter(Boolean)
  const who = [request.name, request.phone ? formatPhone(request.phone) : '', request.email ?? ''].filter(Boolean)
  const lawn = request.lawnSquareFeet === null ? '' : `${request.lawnSquareFeet.toLocaleString('en-US')} sq ft of lawn`
  return (
    <li>
      <span className="lead-past__head">
        <b>{sourceLabel[request.source]}</b>
        <span className="hint">
          {formatDay(dayOf(request.at, timeZone))}, {formatTime(request.at, timeZone)}
        </span>
      </span>
      {request.wants ? <p className="pre-line">{request.wants}</p> : null}
      {who.length > 0 ? <p className="hint">{who.join(' · ')}</p> : null}
      {place.length > 0 || lawn ? <p className="hint">{[place.join(', '), lawn].filter(Boolean).join(' · ')}</p> : null}
      {request.priceLowCents === null || request.priceHighCents === null ? null : (
        <p className="hint">
          Told <Price low={request.priceLowCents} high={request.priceHighCents} /> a visit
        </p>
      )}
    </li>
  )
}

/** Each time that they asked, as they sent it; shown where it was more than once. */
export const LeadRequests = ({ lead }: { lead: LeadRecord }) => {
  const { timeZone } = useUser().business
  if (lead.requests.length === 0) return null
  const older = lead.requestCount - lead.requests.length
  return (
    <section className="panel-section" aria-label="Each request">
      <h3>Each request</h3>
      <ol className="lead-asked">
        {lead.requests.map((request) => (
          <Request key={request.id} request={request} timeZone={timeZone} />
        ))}
      </ol>
      {older > 0 ? <p className="hint">{older === 1 ? '1 more' : `${older} more`} of before.</p> : null}
    </section>
  )
}
