import type { Day } from '../../../shared/dates.ts'
import { lineCents } from '../../../shared/money.ts'
import { type PriceRule, priceFor } from '../../services/rules.ts'
import { paceGaps } from '../cadence/rules.ts'
import type { Recurrence } from '../rules.ts'

/** What booked work costs when the price book changes. */

/** A price from a day on. */
export type PriceStep = { on: Day; cents: number }

/** The price of a line of a job: one from now on, and perhaps others from days on, those after the first one by day. */
export type LinePrice = {
  unitPriceCents: number
  nextUnitPriceCents?: number | null
  nextPriceOn?: Day | null
  laterPrices?: PriceStep[]
}

/** The days from which a line costs another price, by day; those that have begun too, as long as they are kept. */
export const stepsOf = ({ nextUnitPriceCents, nextPriceOn, laterPrices = [] }: LinePrice): PriceStep[] =>
  nextPriceOn && nextUnitPriceCents !== undefined && nextUnitPriceCents !== null
    ? [{ on: nextPriceOn, cents: nextUnitPriceCents }, ...laterPrices]
    : []

/** A price with steps, as a line is written. */
export const linePrice = (unitPriceCents: number, steps: readonly PriceStep[] = []): Required<LinePrice> => {
  const [next, ...laterPrices] = steps.toSorted((a, b) => (a.on < b.on ? -1 : 1))
  return {
    unitPriceCents,
    nextUnitPriceCents: next?.cents ?? null,
    nextPriceOn: next?.on ?? null,
    laterPrices: laterPrices.map(({ on, cents }) => ({ on, cents })),
  }
}

/** Cents that one unit of a line costs on a day. */
export const priceOn = (line: LinePrice, day: Day): number =>
  stepsOf(line).findLast(({ on }) => on <= day)?.cents ?? line.unitPriceCents

/** The first day after one from which a line costs another price, or null. */
export const nextStepAfter = (line: LinePrice, day: Day): Day | null =>
  stepsOf(line).find(({ on }) => on > day)?.on ?? null

/** A line that costs a price from a day on until its next one: what comes later stays. */
export const withStep = (line: LinePrice, step: PriceStep, today: Day): Required<LinePrice> =>
  step.on <= today
    ? linePrice(
        step.cents,
        stepsOf(line).filter(({ on }) => on > today),
      )
    : linePrice(line.unitPriceCents, [...stepsOf(line).filter(({ on }) => on !== step.on), step])

/**
 * A line without a price that a change gave it from a day on: it goes on with what it cost before, until its next one.
 * @returns null when it does not cost that any more
 */
export const withoutStep = (
  line: LinePrice,
  { on, cents, before }: PriceStep & { before: number },
  today: Day,
): Required<LinePrice> | null => {
  const steps = stepsOf(line)
  if (steps.some((step) => step.on === on && step.cents === cents))
    return linePrice(
      line.unitPriceCents,
      steps.filter((step) => step.on !== on),
    )
  return on <= today && line.unitPriceCents === cents ? linePrice(before, steps) : null
}

/** What new work by the book also knows: the prices that the book has ahead of it, where they are others. */
export const pricesAhead = (
  nowCents: number,
  ahead: readonly { fromOn: Day; priceRule: PriceRule }[],
  facts: Parameters<typeof priceFor>[1],
): Omit<LinePrice, 'unitPriceCents'> => {
  const steps: PriceStep[] = []
  for (const { fromOn, priceRule } of ahead) {
    const { cents } = priceFor(priceRule, facts)
    if (cents !== null && cents !== (steps.at(-1)?.cents ?? nowCents)) steps.push({ on: fromOn, cents })
  }
  const { unitPriceCents: _now, ...rest } = linePrice(nowCents, steps)
  return steps.length > 0 ? rest : {}
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

/** Why a change of prices is not taken back, or null; `newer` is one that holds over it by now. */
export const undoChangeRefusal = (change: { undoneAt: string | null; newer: boolean }): string | null =>
  change.undoneAt !== null
    ? 'This price change was taken back already. Nothing was changed.'
    : change.newer
      ? 'The prices were changed again since. Undo the newer change first. Nothing was changed.'
      : null

/** Why a notice of new prices that waited does not leave. */
export const overtakenWords = 'The work ended or got another price before it left'
