import type { Refusal } from '../../../shared/can.ts'
import { type Choice, isChosen, type QuoteLine, type QuoteStatus, type QuoteTotals, quoteName } from '../rules.ts'

export type BillingFacts = {
  number: number
  status: QuoteStatus
  /** It is the next season of a job: that is billed by its visits. */
  isRenewal: boolean
  /** The invoice that was made from it and counts. */
  invoice: { number: number } | null
}

/** Why no invoice is made from a quote as a whole. */
export const billRefusal: Refusal<BillingFacts> = ({ number, status, isRenewal, invoice }) =>
  invoice
    ? `${quoteName(number)} was invoiced as INV-${invoice.number} already. Nothing was changed.`
    : status === 'converted' || isRenewal
      ? `${quoteName(number)} is work of a job, which is invoiced by its visits. Nothing was changed.`
      : status === 'approved'
        ? null
        : `${quoteName(number)} is not signed, so there is nothing to invoice yet. Nothing was changed.`

/** Why work that was invoiced as a whole does not become a job: its visits would bill it once more. */
export const billedRefusal = (
  number: number,
  invoice: { number: number; isCredited: boolean } | null,
): string | null =>
  invoice && !invoice.isCredited
    ? `${quoteName(number)} was invoiced as INV-${invoice.number}. Void that invoice or credit all of it first, or its work would be billed twice. Nothing was changed.`
    : null

/** What was signed, as lines of an invoice: each comes to what it came to on the quote, to the cent. */
export const linesOfQuote = (lines: readonly QuoteLine[], choice: Choice, totals: QuoteTotals) => {
  const priced = new Map(totals.lines.map((line) => [line.id, line]))
  return lines.flatMap((line) => {
    const price = priced.get(line.id)
    if (!price || !isChosen(line, choice)) return []
    const quantity = Math.round(line.quantity * line.visits * 1000) / 1000
    // a discount in dollars, or cents that are rounded a visit, do not divide by the quantity
    const isWhole = price.totalCents !== Math.round(quantity * price.unitCents)
    const count = [
      isWhole && line.quantity !== 1 ? `${line.quantity} × ` : '',
      line.name,
      line.visits > 1 ? ` (${line.visits} visits)` : '',
    ].join('')
    return [
      {
        serviceId: line.serviceId,
        serviceOn: null,
        description: [count, line.description].filter(Boolean).join(': ').slice(0, 300),
        quantity: isWhole ? 1 : quantity,
        unitPriceCents: isWhole ? price.totalCents : price.unitCents,
        taxCategory: line.taxCategory,
      },
    ]
  })
}
