import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import type { Visit } from '../contract.ts'

type Shown = { visit: Visit; timeZone: string }

const moment = (at: string, zone: string): string => `${formatDay(dayOf(at, zone))}, ${formatTime(at, zone)}`

/** What was written with the customer about the visit or around its day. */
export const VisitMessages = ({ visit, timeZone }: Shown) =>
  visit.messages === null ? null : (
    <section className="visit-part">
      <h3>
        Messages around it <LinkTo href={linkTo.customer(visit.customerId, { part: 'messages' })}>Write to them</LinkTo>
      </h3>
      {visit.messages.length === 0 ? (
        <p className="muted">None about this visit or in the days around it.</p>
      ) : (
        <ul className="visit-rows">
          {visit.messages.map((one) => (
            <li key={one.id}>
              <span>
                <span>{one.text}</span>
                <span className="hint">
                  {one.direction === 'inbound' ? `from ${visit.customerName}` : 'from you'},{' '}
                  {one.channel === 'sms' ? 'text' : 'mail'}
                </span>
              </span>
              <span className="hint num">{moment(one.at, timeZone)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )

/** Who did what when. */
export const VisitHistory = ({ visit, timeZone }: Shown) => (
  <section className="visit-part">
    <h3>History</h3>
    {visit.history.length === 0 ? (
      <p className="muted">Nothing was done to it since it was booked.</p>
    ) : (
      <ul className="visit-rows">
        {visit.history.map((one) => (
          <li key={one.id}>
            <span>
              <span>{one.text}</span>
              <span className="hint">
                {one.by ?? 'Swath'}
                {one.fromPhone ? ', by phone' : ''}
              </span>
            </span>
            <span className="hint num">{moment(one.at, timeZone)}</span>
          </li>
        ))}
      </ul>
    )}
  </section>
)
