import { counted } from '../../../../shared/counted.ts'
import type { CampaignChannel } from '../../rules.ts'
import type { SegmentCount as Counted } from '../contract.ts'

const Reasons = ({ list }: { list: readonly { reason: string; count: number }[] }) => {
  const total = list.reduce((sum, { count }) => sum + count, 0)
  return total === 0 ? null : (
    <details className="sg-reasons">
      <summary>{total === 1 ? '1 customer cannot be reached' : `${total} customers cannot be reached`}</summary>
      <ul>
        {list.map(({ reason, count }) => (
          <li key={reason}>
            {reason} <span className="hint num">{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** How many fit, how many of them can be reached, and why the others cannot; by the way of the campaign. */
export const SegmentCount = ({ seen, channel }: { seen: Counted; channel: CampaignChannel }) => {
  const other = channel === 'email' ? 'sms' : 'email'
  const by = { email: 'by e-mail', sms: 'by text' } as const
  return (
    <div className="sg-count" aria-live="polite">
      <p className="sg-count__line">
        <b className="num">{seen.reached[channel].toLocaleString('en-US')}</b> of {counted(seen.chosen, 'customer')} can
        be reached {by[channel]} now
      </p>
      {seen.looked < seen.chosen ? (
        <p className="hint">
          Looked at the first {seen.looked.toLocaleString('en-US')}; the campaign looks at all of them.
        </p>
      ) : null}
      <p className="hint">
        {by[other].replace('by', 'By')} it would be {seen.reached[other].toLocaleString('en-US')}.
      </p>
      <Reasons list={seen.reasons[channel]} />
    </div>
  )
}
