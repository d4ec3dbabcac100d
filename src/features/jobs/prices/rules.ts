import type { Day } from '../../../shared/dates.ts'
import { lineCents } from '../../../shared/money.ts'
import { type PriceRule, priceFor } from '../../services/rules.ts'
import { paceGaps } from '../cadence/rules.ts'
import type { Recurrence } from '../rules.ts'

/** What booked work costs when the price book changes. */

/** The price of a line of a job: one from now on, and perhaps another from a day on. */
export type LinePrice = { unitPriceCents: number; nextUnitPriceCents?: number | null; nextPriceOn?: Day | null }

/** Cents that one unit of a line costs on a day. */
export const priceOn = (line: LinePrice, day: Day): number =>
  line.nextUnitPriceCents !== undefined &&
  line.nextUnitPriceCents !== null &&
  line.nextPriceOn &&
  line.nextPriceOn <= day
    ? line.nextUnitPriceCents
    : line.unitPriceCents

/** What new work by the book also knows: the price that the book has ahead of it, where it is another. */
export const priceAhead = (
  nowCents: number,
  next: { fromOn: Day; priceRule: PriceRule },
  facts: Parameters<typeof priceFor>[1],
): Pick<LinePrice, 'nextUnitPriceCents' | 'nextPriceOn'> => {
  const { cents } = priceFor(next.priceRule, facts)
  return cents === null || cents === nowCents ? {} : { nextUnitPriceCents: cents, nextPriceOn: next.fromOn }
}

const daysOfMonth = 365.25 / 12

/** Visits a month in season that a rule comes to, by the days between them; work without a rule has none. */
export const visitsPerMonth = (rule: Recurrence | null): number => {
  if (!rule) return 0
  const { shortest, longest } = paceGaps(rule)
  return daysOfMonth / Math.max(1, (shortest + longest) / 2)
}

/** Cents a month in season that a line comes to at a price. */
export const monthlyCents = (line: { quantity: number; recurrence: Recurrence | null }, unitCents: number): number =>
  Math.round(visitsPerMonth(line.recurrence) * lineCents(line.quantity, unitCents))

/** Whether a line costs what the price book said at some time: then it goes along with the book. */
export const followsBook = (unitCents: number, bookCents: readonly (number | null)[]): boolean =>
  bookCents.includes(unitCents)

/** Why a change of prices is not taken back, or null. */
export const undoChangeRefusal = (change: { undoneAt: string | null; newer: boolean }): string | null =>
  change.undoneAt !== null
    ? 'This price change was taken back already. Nothing was changed.'
    : change.newer
      ? 'The prices were changed again since. Undo the newer change first. Nothing was changed.'
      : null
