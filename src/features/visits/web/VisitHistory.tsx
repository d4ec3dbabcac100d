import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { statusOf } from '../../messages/rules.ts'
import type { Visit } from '../contract.ts'

type Shown = { visit: Visit; timeZone: string }
type Line = { id: string; at: string; text: string; from: string }

const moment = (at: string, zone: string): string => `${formatDay(dayOf(at, zone))}, ${formatTime(at, zone)}`

const Lines = ({ lines, timeZone, none }: { lines: readonly Line[]; timeZone: string; none: string }) =>
  lines.length === 0 ? (
    <p className="muted">{none}</p>
  ) : (
    <ul className="visit-rows">
      {lines.map(({ id, at, text, from }) => (
        <li key={id}>
          <span>
            <span>{text}</span>
            <span className="hint">{from}</span>
          </span>
          <span className="hint num">{moment(at, timeZone)}</span>
        </li>
      ))}
    </ul>
  )

type Written = NonNullable<Visit['messages']>[number]

/** From whom and how, and what became of ours: one that never left must not read as if it had. */
const fateOf = (message: Written, customer: string, timeZone: string): string => {
  const way = message.channel === 'sms' ? 'text' : 'mail'
  if (message.direction === 'inbound') return `from ${customer}, ${way}`
  const { label, tone } = statusOf(message, timeZone)
  return [`from you, ${way}`, label, tone === 'bad' ? message.reason : null].filter(Boolean).join(' · ')
}

/** What was written with the customer about the visit or around its day. */
export const VisitMessages = ({ visit, timeZone }: Shown) =>
  visit.messages === null ? null : (
    <section className="visit-part">
      <h3>
        Messages around it <LinkTo href={linkTo.customer(visit.customerId, { part: 'messages' })}>Write to them</LinkTo>
      </h3>
      <Lines
        timeZone={timeZone}
        none="None about this visit or in the days around it."
        lines={visit.messages.map((one) => ({ ...one, from: fateOf(one, visit.customerName, timeZone) }))}
      />
    </section>
  )

/** Who did what when. */
export const VisitHistory = ({ visit, timeZone }: Shown) => (
  <section className="visit-part">
    <h3>History</h3>
    <Lines
      timeZone={timeZone}
      none="Nothing was done to it since it was booked."
      lines={visit.history.map(({ by, fromPhone, ...one }) => ({
        ...one,
        from: `${by ?? 'Swath'}${fromPhone ? ', by phone' : ''}`,
      }))}
    />
  </section>
)
