import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { frequencyLabel, type QuoteLine } from '../rules.ts'

/** How a line reads under its name: "every week, $55.00 a visit, 32 visits". */
export const lineHint = (line: QuoteLine): string => {
  const price = line.unitPriceCents === null ? null : formatCents(line.unitPriceCents)
  const each = line.quantity === 1 ? price : `${line.quantity.toLocaleString('en-US')} × ${price ?? 'no price'}`
  if (line.round) return `between ${formatDay(line.round.opensOn)} and ${formatDay(line.round.closesOn)}`
  if (line.frequency === 'once') return [line.quantity === 1 ? null : each, line.description].filter(Boolean).join(', ')
  return [
    frequencyLabel[line.frequency],
    each === null ? null : line.quantity === 1 ? `${each} a visit` : each,
    `${line.visits} ${line.visits === 1 ? 'visit' : 'visits'}`,
  ]
    .filter(Boolean)
    .join(', ')
}
