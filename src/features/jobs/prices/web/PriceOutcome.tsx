import { linkTo } from '#src/shared/links.ts'
import { formatCents } from '#src/shared/money.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { LinkTo } from '#src/ui/LinkTo.tsx'
import { counted } from '../../../../shared/counted.ts'
import type { PriceChangePreview } from '../contract.ts'

const signed = (cents: number): string => `${cents < 0 ? '−' : '+'}${formatCents(Math.abs(cents))}`

type Line = PriceChangePreview['customers'][number]['lines'][number]

/** Rounds of a program cost the same and read the same: each price stands once, with how often. */
const alike = (lines: readonly Line[]): [Line, number][] =>
  [
    ...Map.groupBy(lines, (one) =>
      JSON.stringify([one.serviceName, one.street, one.beforeCents, one.afterCents]),
    ).values(),
  ].flatMap((same): [Line, number][] => (same[0] ? [[same[0], same.length]] : []))

/** What a change of prices would do: how much work, how much money, whose price by how much, and what stays as it is. */
export const PriceOutcome = ({
  preview,
  stale,
  except,
  onExcept,
}: {
  preview: PriceChangePreview
  stale: boolean
  /** Customers that keep their prices. */
  except: ReadonlyMap<string, string>
  onExcept: (customer: { id: string; name: string }, left: boolean) => void
}) => {
  const { customers, customerCount, own, ownCount, ownVisits } = preview
  return (
    <div className="prc-outcome" aria-busy={stale || undefined}>
      <output className="prc-sums" aria-live="polite">
        <dl>
          <div>
            <dt>Changes</dt>
            <dd className="num">{counted(preview.jobs, 'job')}</dd>
            <dd className="hint num">{counted(preview.visits, 'open visit')}</dd>
          </div>
          <div>
            <dt>On the calendar</dt>
            <dd className="num">
              {formatCents(preview.visitsBeforeCents)} → {formatCents(preview.visitsAfterCents)}
            </dd>
            <dd className="hint num">{signed(preview.visitsAfterCents - preview.visitsBeforeCents)}</dd>
          </div>
          <div>
            <dt>A month in season</dt>
            <dd className="num">
              {formatCents(preview.beforeCents)} → {formatCents(preview.afterCents)}
            </dd>
            <dd className="hint num">{signed(preview.afterCents - preview.beforeCents)}</dd>
          </div>
        </dl>
      </output>
      {ownVisits > 0 ? (
        <Banner tone="info" title={`${counted(ownVisits, 'visit')} with a price set by hand`}>
          {ownVisits === 1 ? 'It keeps that price.' : 'They keep that price.'}
        </Banner>
      ) : null}
      {customerCount > 0 || except.size > 0 ? (
        <section>
          <h3>By customer, the largest change first</h3>
          <ul className="prc-rows">
            {customers.map((customer) => (
              <li key={customer.customerId}>
                <label className="ui-check">
                  <input
                    type="checkbox"
                    checked
                    onChange={() => onExcept({ id: customer.customerId, name: customer.name }, true)}
                  />
                  <span>{customer.name}</span>
                </label>
                <span className="num prc-rows__sum">
                  {signed(customer.afterCents - customer.beforeCents)} <span className="hint">a month</span>
                </span>
                <ul>
                  {alike(customer.lines).map(([line, times]) => (
                    <li key={line.lineId} className="hint">
                      {line.serviceName}, {line.street}
                      {times > 1 ? `, ${times} times` : ''}:{' '}
                      <span className="num">
                        {formatCents(line.beforeCents)} → <b>{formatCents(line.afterCents)}</b>
                      </span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
            {[...except].map(([id, name]) => (
              <li key={id}>
                <label className="ui-check">
                  <input type="checkbox" checked={false} onChange={() => onExcept({ id, name }, false)} />
                  <span>{name}</span>
                </label>
                <span className="hint prc-rows__sum">keeps the old price</span>
              </li>
            ))}
          </ul>
          {customerCount > customers.length ? (
            <p className="hint">
              and {counted(customerCount - customers.length, 'more customer')} with smaller changes
            </p>
          ) : null}
        </section>
      ) : null}
      {ownCount > 0 ? (
        <details className="svc-more">
          <summary>{counted(ownCount, 'job')} with a price of its own, left alone</summary>
          <ul className="prc-rows">
            {own.map((line) => (
              <li key={line.lineId}>
                <LinkTo href={linkTo.job(line.jobId)}>{line.customerName}</LinkTo>
                <span className="num prc-rows__sum">{formatCents(line.beforeCents)}</span>
                <span className="hint">
                  {line.serviceName}, {line.street}
                </span>
              </li>
            ))}
          </ul>
          {ownCount > own.length ? (
            <p className="hint">and {(ownCount - own.length).toLocaleString('en-US')} more</p>
          ) : null}
        </details>
      ) : null}
    </div>
  )
}
