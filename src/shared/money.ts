/** Money is integer cents. Only what a person reads or types is in dollars. */

let dollars: Intl.NumberFormat | undefined

/** Cents as a person reads them: 115000 -> "$1,150.00". */
export const formatCents = (cents: number): string => {
  // made with the first amount: it costs a phone 10 ms, also where no screen shows one
  dollars ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return dollars.format(cents / 100)
}

/** A percentage with one decimal; changes carry their sign: 12.4 -> "+12.4%". */
export const formatPercent = (percent: number, options: { signed?: boolean } = {}): string =>
  `${options.signed && percent >= 0 ? '+' : ''}${percent.toFixed(1)}%`

/** Half away from zero, on values that may carry binary dust (1.005 * 100). */
export const roundHalfUp = (value: number): number => Math.sign(value) * Math.round(Math.abs(value) + 1e-9)

/** quantity × unit price in cents, rounded half up. */
export const lineCents = (quantity: number, unitCents: number): number => roundHalfUp(quantity * unitCents)

/**
 * Spreads an amount over weights so that the parts add up to the cent (largest remainder, ties to the first).
 * @param totalCents integer cents, may be negative
 * @param weights non-negative; all zero spreads evenly
 */
export const allocateCents = (totalCents: number, weights: readonly number[]): number[] => {
  if (weights.length === 0) return []
  const sum = weights.reduce((a, b) => a + b, 0)
  const shares = weights.map((w) => (sum === 0 ? totalCents / weights.length : (totalCents * w) / sum))
  const floors = shares.map(Math.floor)
  let rest = totalCents - floors.reduce((a, b) => a + b, 0)
  const order = shares.map((s, i) => ({ i, rest: s - Math.floor(s) })).sort((a, b) => b.rest - a.rest || a.i - b.i)
  for (const { i } of order) {
    if (rest <= 0) break
    floors[i] = (floors[i] ?? 0) + 1
    rest -= 1
  }
  return floors
}

/**
 * Reads what a person typed as dollars into cents. Accepts "$1,234.5", "45", " 45.00 ".
 * @returns integer cents, or null when it is not an amount with at most two decimals
 */
export const parseDollars = (text: string): number | null => {
  const match = /^\s*(-)?\s*\$?\s*(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?\s*$/.exec(text)
  if (!match) return null
  const cents = Number((match[2] ?? '').replaceAll(',', '')) * 100 + Number((match[3] ?? '').padEnd(2, '0') || 0)
  return Number.isSafeInteger(cents) ? (match[1] ? -cents : cents) : null
}
