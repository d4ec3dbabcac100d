import { useState } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { Card } from '../../../../ui/Card.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import type { QuoteContent } from '../../contract.ts'
import { firstChoice, marginOf, type QuoteTaxes, quoteTotals } from '../../rules.ts'
import { TotalsList } from '../TotalsList.tsx'

type Props = { content: QuoteContent; tax: QuoteTaxes; laborCents: number | null }

const hours = (minutes: number): string => `${(minutes / 60).toLocaleString('en-US', { maximumFractionDigits: 1 })} h`

/** What it comes to while it is built: the customer's sums, and what is left of them. */
export const SidePart = ({ content, tax, laborCents }: Props) => {
  const first = firstChoice(content)
  const [packageId, setPackageId] = useState<string | null>(null)
  const shown = content.packages.some(({ id }) => id === packageId) ? packageId : first.packageId
  const totals = quoteTotals(content, { ...first, packageId: shown }, tax)
  const margin = marginOf(totals, laborCents)
  return (
    <Card title="What it comes to" as="section">
      {content.packages.length > 0 ? (
        <RadioField
          label="Package"
          row
          value={shown}
          onChange={setPackageId}
          options={content.packages.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <TotalsList totals={totals} />
      <dl className="qb-margin num" aria-label="What is left of it">
        <div>
          <dt>Labor</dt>
          <dd>{hours(totals.minutes)}</dd>
        </div>
        <div>
          <dt>Earned an hour of labor</dt>
          <dd>{margin.perHourCents === null ? '–' : formatCents(margin.perHourCents)}</dd>
        </div>
        {laborCents === null ? null : (
          <>
            <div className={(margin.marginCents ?? 0) < 0 ? 'is-bad' : 'is-good'}>
              <dt>Left after labor, material</dt>
              <dd>{margin.marginCents === null ? '–' : formatCents(margin.marginCents)}</dd>
            </div>
            <div className={(margin.marginCents ?? 0) < 0 ? 'is-bad' : 'is-good'}>
              <dt>Margin</dt>
              <dd>{margin.percent === null ? '–' : `${margin.percent}%`}</dd>
            </div>
          </>
        )}
      </dl>
      {laborCents === null ? null : (
        <p className="hint">
          An hour of one person is counted with {formatCents(laborCents)}, wage and what is on top.
        </p>
      )}
    </Card>
  )
}
