import { formatCents } from '../../../shared/money.ts'
import type { Invoice } from '../contract.ts'

type Draft = Pick<Invoice, 'atIssue' | 'totalCents'>

/** What its customer is asked for when a draft is issued, in cents. */
export const toPayAtIssue = ({ atIssue, totalCents }: Draft): number =>
  totalCents - (atIssue?.depositCents ?? 0) - (atIssue?.creditCents ?? 0)

/** What is taken off a draft when it is issued. */
export const AtIssue = ({ invoice }: { invoice: Draft }) => {
  const { depositCents = 0, creditCents = 0 } = invoice.atIssue ?? {}
  const toPayCents = toPayAtIssue(invoice)
  const what = [
    ...(depositCents > 0 ? [`the deposit of ${formatCents(depositCents)}`] : []),
    ...(creditCents > 0 ? [`${formatCents(creditCents)} of their credit`] : []),
  ]
  return what.length === 0 ? null : (
    <p className="hint">
      When it is issued, {what.join(' and ')} {what.length > 1 ? 'are' : 'is'} taken off:{' '}
      {toPayCents > 0 ? `${formatCents(toPayCents)} is left to pay.` : 'nothing is left to pay.'}
    </p>
  )
}
