import type { Refusal } from '../../../shared/can.ts'
import { allocateCents, formatCents, roundHalfUp } from '../../../shared/money.ts'

/** What of a payment decides how it can be taken back. */
export type PaymentFacts = {
  method: 'card' | 'ach' | 'check' | 'cash' | 'credit' | 'other'
  provider: string
  status: string
  amountCents: number
  refundedCents: number
  /** A bank holds it until it has decided. */
  disputed: boolean
}

export const paymentActions = ['reverse', 'refund', 'takeOff'] as const
export type PaymentAction = (typeof paymentActions)[number]

/** What of a payment has not gone back, in cents. */
export const refundableCents = ({ amountCents, refundedCents }: Pick<PaymentFacts, 'amountCents' | 'refundedCents'>) =>
  amountCents - refundedCents

/** Whether who took a payment gives it back by itself: what was typed in, or came in at QuickBooks, somebody has to hand over. */
export const goesBackByItself = ({ provider }: Pick<PaymentFacts, 'provider'>): boolean =>
  provider !== 'manual' && provider !== 'quickbooks'

/** Why a payment's state refuses to be taken back. */
export const paymentRefusals = {
  reverse: ({ provider, status, refundedCents }) =>
    status === 'reversed'
      ? 'This was taken back before. Nothing was changed.'
      : goesBackByItself({ provider })
        ? 'This money came through the payment page, so it really came in. Refund it instead.'
        : refundedCents > 0
          ? `${formatCents(refundedCents)} of this payment went back already, so it stays on record.`
          : null,
  refund: (payment) =>
    payment.method === 'credit'
      ? 'A credit is no money that came in, so it cannot be paid out.'
      : payment.status !== 'succeeded'
        ? 'This payment was taken back, so there is nothing to refund.'
        : payment.disputed
          ? 'The customer’s bank holds this payment until it has decided, so it cannot be refunded now. Nothing was changed.'
          : refundableCents(payment) > 0
            ? null
            : 'All of this payment went back already.',
  takeOff: ({ method, status, disputed }) =>
    method === 'credit'
      ? 'A credit pays what it was given for. Take the credit back instead.'
      : status !== 'succeeded'
        ? 'This payment was taken back, so it pays no invoice.'
        : disputed
          ? 'The customer’s bank holds this payment until it has decided, so it stays where it is. Nothing was changed.'
          : null,
} satisfies Record<PaymentAction, Refusal<PaymentFacts>>

export type RefundFacts = { byProvider: boolean; status: 'pending' | 'succeeded' | 'failed' }

/** Why a refund cannot be taken back as never given. */
export const refundRefusals = {
  takeBack: ({ byProvider, status }) =>
    status === 'failed'
      ? 'This refund was taken back before, or did not go. Nothing was changed.'
      : byProvider
        ? 'The card provider gave this money back, so it really went. Record a payment if it comes in again. Nothing was changed.'
        : null,
} satisfies Record<'takeBack', Refusal<RefundFacts>>

/** Money that lies on no invoice and waits for work: for a job, or for a quote with all that it becomes. */
export type BoundCredit = {
  paymentId: string
  restCents: number
  quote: { number: number } | null
  job: { number: number; title: string } | null
  /** The invoice beside which it stands bills that work. */
  own: boolean
}

/** "the deposit of Q-1055", "the deposit for #12 Spring cleanup". */
export const depositName = ({ quote, job }: Pick<BoundCredit, 'quote' | 'job'>): string =>
  quote ? `the deposit of Q-${quote.number}` : job ? `the deposit for #${job.number} ${job.title}` : 'the deposit'

/** Why what concerned an invoice ended with it: it stands as a reason on what the voiding took off, and is known by it. */
export const wasVoided = (invoice: string): string => `${invoice} was voided`

/** What of a customer's money may go on an invoice, and what bounds it: what is free, and of what was paid for work what was chosen. @param chosen ids of payments */
export const mostCredit = (
  {
    balanceCents,
    creditCents,
    boundCredit,
  }: {
    balanceCents: number
    creditCents: number
    boundCredit: readonly Pick<BoundCredit, 'paymentId' | 'restCents'>[]
  },
  chosen: ReadonlySet<string>,
): { cents: number; of: string } => {
  const there = boundCredit.reduce(
    (sum, { paymentId, restCents }) => (chosen.has(paymentId) ? sum + restCents : sum),
    creditCents,
  )
  return there < balanceCents
    ? { cents: there, of: 'so much credit is there' }
    : { cents: balanceCents, of: 'so much is open' }
}

/** What a sum leaves open of an invoice, in words; nothing for more than is open. */
export const leftAfter = (cents: number, balanceCents: number): string | undefined =>
  cents === balanceCents
    ? 'Pays it in full.'
    : cents < balanceCents
      ? `${formatCents(balanceCents - cents)} stays open.`
      : undefined

/** "$300.00 of the deposit of Q-1055 is for that work". */
export const boundWords = ({ restCents, own, ...of }: BoundCredit): string =>
  `${formatCents(restCents)} of ${depositName(of)} is for ${own ? 'this' : 'that'} work`

export type NoteShares = { netCents: number; taxCents: number }

/**
 * How a credit note of an amount divides into work and tax: as its invoice does. The notes of an invoice together never credit more tax than it
 * charged, and the one that credits the last cent of it credits the last cent of tax.
 * @param totalCents what the note is over
 * @param invoice what its invoice came to, tax included
 * @param credited what notes before it are over
 */
export const noteShares = (
  totalCents: number,
  invoice: { totalCents: number; taxCents: number },
  credited: { totalCents: number; taxCents: number },
): NoteShares => {
  const taxTo =
    invoice.totalCents === 0
      ? 0
      : roundHalfUp(((credited.totalCents + totalCents) * invoice.taxCents) / invoice.totalCents)
  const taxCents = Math.min(totalCents, Math.max(0, taxTo - credited.taxCents))
  return { netCents: totalCents - taxCents, taxCents }
}

/** What of a note's tax is over which of its invoices, in proportion, to the cent. */
export const spreadNote = <P extends { cents: number }>(
  taxCents: number,
  parts: readonly P[],
): (P & { taxCents: number })[] => {
  const shares = allocateCents(
    taxCents,
    parts.map(({ cents }) => cents),
  )
  return parts.map((part, at) => ({ ...part, taxCents: shares[at] ?? 0 }))
}

/** "CN-7". */
export const creditNoteName = (number: number): string => `CN-${number}`

/** More than this cannot be taken: said beside the amount. */
export const tooMuch = (mostCents: number, of: string): string => `At most ${formatCents(mostCents)}: ${of}.`

type Part = { cents: number }

/**
 * Takes an amount out of parts, the first ones first, each as far as it goes.
 * @returns what is taken of each, without the parts that nothing is taken of; what no part could give is left out
 */
export const takeFrom = <P extends Part>(parts: readonly P[], wantedCents: number): { part: P; cents: number }[] => {
  let left = wantedCents
  return parts.flatMap((part) => {
    // a part that is below zero gives nothing, and takes nothing from the others
    const cents = Math.max(0, Math.min(part.cents, left))
    left -= cents
    return cents > 0 ? [{ part, cents }] : []
  })
}

type Came = { id: string; allocatedCents: number }

/** What of a payment came for an invoice: what lies on it, and what refunds gave back of it since. */
export const cameFor = (payment: Came, gaveBack: readonly { paymentId: string; amountCents: number }[]): number =>
  gaveBack.reduce(
    (sum, { paymentId, amountCents }) => (paymentId === payment.id ? sum + amountCents : sum),
    payment.allocatedCents,
  )

/** What an invoice has brought as it stands under its total: money that came, what of it went back, what was credited, and what was let go. */
export const paidRows = (
  {
    paidCents,
    creditedCents = 0,
    writtenOffCents = 0,
    gaveBack = [],
  }: {
    paidCents: number
    creditedCents?: number
    writtenOffCents?: number
    gaveBack?: readonly { amountCents: number }[]
  },
  {
    paid,
    credited = 'Credited',
    writtenOff = 'Written off',
    givenBack = 'Given back',
  }: { paid: string; credited?: string; writtenOff?: string; givenBack?: string },
): { label: string; cents: number }[] => {
  const backCents = gaveBack.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return [
    { label: paid, cents: -(paidCents - creditedCents + backCents) },
    { label: givenBack, cents: backCents },
    { label: credited, cents: -creditedCents },
    { label: writtenOff, cents: -writtenOffCents },
  ].filter(({ cents }) => cents !== 0)
}
