/** Kinds of the ledger by what a person calls them: the sums of a month and the lists that they open are of the same rows. */
export const movementKinds = {
  received: ['payment'],
  invoiced: ['invoice'],
  credited: ['credit'],
  refunded: ['refund'],
  disputed: ['dispute'],
  tips: ['tip'],
  other: ['void', 'write_off', 'adjustment'],
} as const
export type MovementName = keyof typeof movementKinds
/** What a list of movements shows; `all` is every one. */
export const movementViews = [
  'received',
  'invoiced',
  'credited',
  'refunded',
  'disputed',
  'tips',
  'other',
  'all',
] as const
export type MovementView = (typeof movementViews)[number]

export const movementLabels: Record<MovementView, string> = {
  received: 'Payments',
  invoiced: 'Invoiced',
  credited: 'Credited',
  refunded: 'Refunded',
  disputed: 'Taken back by banks',
  tips: 'Tips for crews',
  other: 'Voided, written off, corrected',
  all: 'All of the ledger',
}

/** What came in lowers what is owed, and is read as what came in: "$50.00", not less of something. */
export const shownCents = (view: MovementView, cents: number): number =>
  view === 'received' || view === 'credited' ? 0 - cents : cents
