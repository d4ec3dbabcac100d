import { formatCents } from '../../../shared/money.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { paidRows } from '../corrections/rules.ts'
import { taxLabel } from '../papers/rules.ts'
import { dayIn } from '../words/rules.ts'
import { pageTexts } from './pageTexts.ts'
import './invoicelines.css'

type Line = {
  serviceOn: string | null
  place: string | null
  description: string
  quantity: number
  unitPriceCents: number
  totalCents: number
}
type Of = {
  lines: readonly Line[]
  taxes: readonly { name: string; ratePercent: number; baseCents: number; taxCents: number }[]
  subtotalCents: number
  discountCents: number
  totalCents: number
  paidCents: number
  /** What of that is credit, no money. */
  creditedCents: number
  /** What was let go of it. */
  writtenOffCents: number
  /** What of the money that came went back. */
  gaveBack: readonly { amountCents: number }[]
  balanceCents: number
}

const Sum = ({ label, cents, strong }: { label: string; cents: number; strong?: boolean }) => (
  <div className={strong ? 'is-strong' : undefined}>
    <dt>{label}</dt>
    <dd className="num">{formatCents(cents)}</dd>
  </div>
)

/** What an invoice is for and what it comes to; the office and the customer see the same. */
export const InvoiceLines = ({ invoice, language = 'en' }: { invoice: Of; language?: Language }) => {
  const t = pageTexts[language]
  const plain = invoice.taxes.length === 0 && invoice.discountCents === 0
  return (
    <div className="inv-lines">
      <ul>
        {invoice.lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move, and the customer's have no id
          <li key={at}>
            <span className="inv-lines__what">
              <b>{line.description}</b>
              <span className="hint">
                {[
                  line.serviceOn ? dayIn(language, line.serviceOn) : '',
                  line.place ?? '',
                  line.quantity === 1
                    ? ''
                    : `${line.quantity.toLocaleString('en-US')} × ${formatCents(line.unitPriceCents)}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className="num">{formatCents(line.totalCents)}</span>
          </li>
        ))}
      </ul>
      <dl>
        {plain ? null : <Sum label={t.subtotal} cents={invoice.subtotalCents} />}
        {invoice.discountCents > 0 ? <Sum label={t.discount} cents={-invoice.discountCents} /> : null}
        {invoice.taxes.map((tax) => (
          <Sum key={`${tax.name}${tax.ratePercent}`} label={taxLabel(tax, language)} cents={tax.taxCents} />
        ))}
        <Sum label={t.total} cents={invoice.totalCents} strong />
        {invoice.paidCents > 0 || invoice.writtenOffCents > 0 ? (
          <>
            {paidRows(invoice, t).map((row) => (
              <Sum key={row.label} {...row} />
            ))}
            <Sum label={t.balance} cents={invoice.balanceCents} strong />
          </>
        ) : null}
      </dl>
    </div>
  )
}
