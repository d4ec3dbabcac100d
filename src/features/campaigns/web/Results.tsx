import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Stat } from '../../../ui/Stat.tsx'
import { StatRow } from '../../../ui/StatRow.tsx'
import type { CampaignBilled, CampaignResults } from '../results/contract.ts'
import { type CampaignChannel, opensNote, shareLabel } from '../rules.ts'

const number = (count: number): string => count.toLocaleString('en-US')

/** What became of it, from leaving to a click. */
export const Figures = ({ found, channel }: { found: CampaignResults; channel: CampaignChannel }) => (
  <Card title="What became of it">
    <StatRow>
      <Stat
        label="Sent"
        value={number(found.sent)}
        note={found.waiting + found.onTheWay > 0 ? `${number(found.waiting + found.onTheWay)} wait` : undefined}
      />
      <Stat label="Delivered" value={number(found.delivered)} note={shareLabel(found.delivered, found.sent)} />
      {channel === 'email' ? (
        <>
          <Stat label="Opened (about)" value={number(found.opened)} note={shareLabel(found.opened, found.sent)} />
          <Stat label="Clicked" value={number(found.clicked)} note={shareLabel(found.clicked, found.sent)} />
        </>
      ) : null}
    </StatRow>
    <StatRow>
      <Stat
        label="Unsubscribed"
        value={number(found.unsubscribed)}
        note={found.complained > 0 ? `${number(found.complained)} called it spam` : undefined}
        tone={found.complained > 0 ? 'bad' : 'plain'}
      />
      <Stat label="Came back" value={number(found.bounced)} note={shareLabel(found.bounced, found.sent)} />
      <Stat label="Failed" value={number(found.failed)} />
      <Stat label="Held out" value={number(found.heldOut)} />
    </StatRow>
    <p className="hint cp-note">
      {channel === 'email'
        ? opensNote
        : 'Links in a text leave as you typed them, so clicks are not counted. An answer stands in the conversation of its customer.'}
    </p>
  </Card>
)

/** Who got nothing, by why. */
export const NotSent = ({ found }: { found: CampaignResults }) =>
  found.notSent.length === 0 ? null : (
    <Card title="Not sent">
      <ul className="cp-why">
        {found.notSent.map(({ reason, count }) => (
          <li key={reason}>
            <span>{reason}</span> <b className="num">{number(count)}</b>
          </li>
        ))}
      </ul>
    </Card>
  )

/** What those it was sent to were billed, against those who were held out, in the same days. */
export const Billed = ({ found }: { found: CampaignBilled }) => {
  if (!found.billed) return null
  const { sent, heldOut, morePerCustomerCents: more, untilOn, days, daysSoFar } = found.billed
  const isOver = daysSoFar === days && more !== null
  return (
    <Card
      title={`Billed within ${days} days`}
      hint={daysSoFar < days ? `So far, ${daysSoFar} of ${days} days` : `Counted until ${formatDay(untilOn)}`}
    >
      <StatRow>
        <Stat
          label="Who it was for"
          value={formatCents(sent.perCustomerCents)}
          note={`a customer; ${formatCents(sent.totalCents)} of ${number(sent.customers)}`}
        />
        {heldOut.customers > 0 ? (
          <Stat
            label="Who was held out"
            value={formatCents(heldOut.perCustomerCents)}
            note={`a customer; ${formatCents(heldOut.totalCents)} of ${number(heldOut.customers)}`}
          />
        ) : null}
        {more !== null ? (
          <Stat
            label="Difference"
            value={`${more < 0 ? '−' : '+'}${formatCents(Math.abs(more))}`}
            note="a customer"
            tone={more > 0 ? 'good' : 'plain'}
          />
        ) : null}
      </StatRow>
      <p className="hint cp-note">
        Invoices without tax, less credits, made after it left to each customer. Whom it did not reach counts, too, from
        when half of it had left.{' '}
        {heldOut.customers === 0
          ? 'Nobody was held out, so this says what they were billed, not what the campaign brought.'
          : !isOver
            ? `What it brought is said once the ${days} days are over.`
            : heldOut.customers < 30
              ? 'The held-out group is small: take the difference as a hint.'
              : 'The difference is what the campaign brought, as far as such groups can say.'}
      </p>
    </Card>
  )
}

/** The two subjects side by side. */
export const Tested = ({ found }: { found: CampaignResults }) => {
  if (!found.test) return null
  const { a, b, winner, by } = found.test
  return (
    <Card title="Two subjects" hint={winner ? undefined : `The one with more ${by} goes to the rest.`}>
      <div className="cp-scroll">
        <table className="cp-table">
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">Sent</th>
              <th scope="col">Opened</th>
              <th scope="col">Clicked</th>
              <th scope="col">Unsubscribed</th>
            </tr>
          </thead>
          <tbody>
            {([['a', a] as const, ['b', b] as const] as const).map(([key, one]) => (
              <tr key={key}>
                <th scope="row">
                  {key.toUpperCase()}: {one.subject} {winner === key ? <Badge tone="done">Better</Badge> : null}
                </th>
                <td className="num">{number(one.sent)}</td>
                <td className="num">{shareLabel(one.opened, one.sent)}</td>
                <td className="num">{shareLabel(one.clicked, one.sent)}</td>
                <td className="num">{number(one.unsubscribed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
