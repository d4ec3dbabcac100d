import type { Refusal } from '../../../shared/can.ts'
import { formatCents } from '../../../shared/money.ts'
import { type QuoteStatus, quoteName } from '../rules.ts'

/** What is known of a quote's deposit. */
export type DepositFacts = {
  number: number
  status: QuoteStatus
  signed: boolean
  depositCents: number
  paidCents: number
  jobId: string | null
  /** What of it lies on no invoice and did not go back, and whether the office keeps it as credit. */
  restCents: number
  kept: boolean
  /** It became jobs, and none of them brings an invoice any more. */
  workIsOver: boolean
  /** It was invoiced as a whole: the invoice asks for all of it. */
  invoice: { number: number } | null
}

/** A quote of which nothing comes any more. */
export const cameToNothing = (status: QuoteStatus): boolean =>
  status === 'declined' || status === 'expired' || status === 'archived'

/** Its quote came to nothing, or all work that it became is over, and it is still here: it goes back, or is kept as credit. */
export const isLeftOver = ({ status, jobId, restCents, kept, workIsOver }: DepositFacts): boolean =>
  ((cameToNothing(status) && jobId === null) || workIsOver) && restCents > 0 && !kept

/** Signed for and not paid. */
export const isUnpaid = ({ status, signed, depositCents, paidCents, invoice }: DepositFacts): boolean =>
  signed && depositCents > 0 && paidCents === 0 && !cameToNothing(status) && invoice === null

export const depositActions = ['record', 'keep', 'refund'] as const
export type DepositAction = (typeof depositActions)[number]

const leftOnly =
  (what: string): Refusal<DepositFacts> =>
  (facts) =>
    isLeftOver(facts)
      ? null
      : `No deposit of ${quoteName(facts.number)} is left over that could be ${what}. Nothing was changed.`

export const depositRefusals: Record<DepositAction, Refusal<DepositFacts>> = {
  record: (facts) => {
    const { number, depositCents, paidCents, signed, invoice } = facts
    if (isUnpaid(facts)) return null
    if (paidCents > 0)
      return `The deposit of ${quoteName(number)} is paid already: ${formatCents(paidCents)}. Nothing was booked.`
    if (!signed) return `${quoteName(number)} is not signed, so no deposit is due on it. Nothing was booked.`
    if (invoice)
      return `${quoteName(number)} was invoiced as INV-${invoice.number}, which asks for all of it. Nothing was booked: record the money at that invoice.`
    return depositCents === 0
      ? `${quoteName(number)} asks for no deposit. Nothing was booked.`
      : `${quoteName(number)} came to nothing, so no deposit is due on it. Record the money at the customer.`
  },
  keep: leftOnly('kept as credit'),
  refund: leftOnly('given back'),
}
