import { formatCents } from '../../../shared/money.ts'

/** Where a payout is. */
export const payoutStates = ['on_its_way', 'paid', 'failed', 'canceled'] as const
export type PayoutState = (typeof payoutStates)[number]

export const stateLabels: Record<PayoutState, string> = {
  on_its_way: 'On its way',
  paid: 'Paid out',
  failed: 'Sent back',
  canceled: 'Canceled',
}

const rank: Record<PayoutState, number> = { on_its_way: 0, canceled: 1, paid: 1, failed: 2 }

/** Whether a payout may go from what is known to what was seen now: only forward, and one that was paid may still come back. */
export const movesOn = (known: PayoutState, seen: PayoutState): boolean => rank[seen] > rank[known]

/** What a payout can be made of; `returned` is an earlier one that a bank sent back. */
export const lineKinds = ['payment', 'refund', 'dispute', 'fee', 'returned', 'other'] as const
export type LineKind = (typeof lineKinds)[number]

export const lineLabels: Record<LineKind, { one: string; many: string }> = {
  payment: { one: 'Payment', many: 'Payments' },
  refund: { one: 'Refund', many: 'Refunds' },
  dispute: { one: 'Dispute', many: 'Disputes' },
  fee: { one: 'Fee', many: 'Fees of their own' },
  returned: { one: 'Payout sent back', many: 'Payouts sent back' },
  other: { one: 'Other', many: 'Other' },
}

type Told = { amountCents: number; linesCents: number; linesTold: 'coming' | 'all' | 'never' }

/** What a payout comes to beyond its lines, in cents; 0 while they are not all told. */
export const differenceOf = ({ amountCents, linesCents, linesTold }: Told): number =>
  linesTold === 'all' ? amountCents - linesCents : 0

/** A payout that does not add up, in words; null where it does. */
export const differenceWords = (differenceCents: number): string | null =>
  differenceCents === 0
    ? null
    : `${formatCents(Math.abs(differenceCents))} ${differenceCents > 0 ? 'more' : 'less'} than what it is made of. Ask the card provider what it is; your invoices are as they were.`

/** What to do about a payout that did not reach the bank. */
export const failedWords = (amountCents: number, failure: string | null): string =>
  `${failure ?? 'Your bank sent it back.'} The ${formatCents(amountCents)} is in your card account again and goes out with a later payout. Check the bank account that stands there, or nothing more reaches you.`
