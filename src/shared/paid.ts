/** What of what came of an invoice is money, and what is credit. `paidCents` is both together. */
export const cameOf = ({ paidCents, creditedCents }: { paidCents: number; creditedCents: number }) => ({
  moneyCents: paidCents - creditedCents,
  creditedCents,
})

/** What the office reads of an open invoice that something came of: it is part paid only where money came. */
export const partLabel = (invoice: { paidCents: number; creditedCents: number }): 'Part paid' | 'Part credited' =>
  cameOf(invoice).moneyCents > 0 ? 'Part paid' : 'Part credited'
