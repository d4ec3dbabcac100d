import { useState } from 'react'
import { counted } from '../../../shared/counted.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { DryRun } from '../contract.ts'
import { dryRunDays, wouldWords } from '../rules.ts'

/** A list of hundreds opens by this many, so that what stands below it is not far away. */
const step = 8

const ways = { sms: 'text', email: 'e-mail' } as const

/**
 * What would have left in the last month, by which way, and what would not and why.
 * @param asOf what of it is taken as it is today, as a sentence
 */
export const DryRunResult = ({
  asOf = 'With who agreed to what, what is owed, and what is switched off, as it is today.',
  ...found
}: DryRun & { asOf?: string | undefined }) => {
  const { sent, texts, mails, segments, notSent, notSentCount, reasons, tooMany, assumes } = found
  const { timeZone } = useUser().business
  const [shownSent, setShownSent] = useState(step)
  const [shownNot, setShownNot] = useState(step)
  const all = texts + mails
  const looked = all + notSentCount
  return (
    <div className="au-part" role="status">
      {assumes ? <Banner>{assumes}</Banner> : null}
      <p className="au-sum">
        {all === 0
          ? `This would have sent nothing in the last ${dryRunDays} days.`
          : `This would have sent ${wouldWords(found)}, in the last ${dryRunDays} days.`}
      </p>
      <p className="hint">
        {[
          texts > 0 ? `The texts count as ${counted(segments, 'segment')} of your plan.` : '',
          mails > 0 ? 'E-mails count as none.' : '',
          tooMany ? `More began it than are looked at: these are the newest ${counted(looked, 'one')}.` : '',
          asOf,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {sent.length > 0 ? (
        <>
          {sent.length < all ? <p className="hint">The newest {counted(sent.length, 'message')} by name:</p> : null}
          <ul className="au-who" aria-label="Would have got it">
            {sent.slice(0, shownSent).map(({ customer, channel, leavesAt, subject, text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one customer may stand there several times, and nothing of it moves
              <li key={`${customer.id} ${at}`}>
                <LinkTo href={linkTo.customer(customer.id)}>{customer.name}</LinkTo>
                <span className="hint">
                  {formatDay(dayOf(leavesAt, timeZone))}, {formatTime(leavesAt, timeZone)} by {ways[channel]}
                </span>
                {subject ? <b className="hint">{subject}</b> : null}
                <span className="hint">{text}</span>
              </li>
            ))}
          </ul>
          {sent.length > shownSent ? (
            <Button onClick={() => setShownSent(shownSent + step * 4)}>Show more</Button>
          ) : null}
        </>
      ) : null}
      {notSentCount > 0 ? (
        <>
          <h3>{counted(notSentCount, 'time')} nothing would have left</h3>
          <ul className="au-reasons">
            {reasons.map(({ reason, count }) => (
              <li key={reason}>
                {reason}: {count.toLocaleString('en-US')}
              </li>
            ))}
          </ul>
          {notSent.length < notSentCount ? (
            <p className="hint">The newest {counted(notSent.length, 'one')} by name:</p>
          ) : null}
          <ul className="au-who" aria-label="Would not have got it">
            {notSent.slice(0, shownNot).map(({ customer, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one customer may stand there several times, and nothing of it moves
              <li key={`${customer.id} ${at}`}>
                <LinkTo href={linkTo.customer(customer.id)}>{customer.name}</LinkTo>
                <span className="hint">{reason}</span>
              </li>
            ))}
          </ul>
          {notSent.length > shownNot ? (
            <Button onClick={() => setShownNot(shownNot + step * 4)}>Show more</Button>
          ) : null}
        </>
      ) : null}
    </div>
  )
}
