import type { ProgramRecord } from '../../../jobs/programs/contract.ts'
import { windowsOf } from '../../../jobs/programs/rules.ts'
import type { ServiceRecord } from '../../../services/contract.ts'
import { measureOf, type Sizes } from '../../../services/measures/rules.ts'
import { budgetMinutesFor, type Frequency, priceFor, priceNeedsSize } from '../../../services/rules.ts'
import type { QuoteContent, QuoteRecord } from '../../contract.ts'
import type { QuoteLine } from '../../rules.ts'
import { inputsAt, measureOfInputs, visitsIn } from '../../rules.ts'

/** Where a quote is for, as far as its prices care. */
export type Place = Sizes & { difficulty: number }

/** The days of a season from 'MM-DD' to 'MM-DD', over new year too. */
export const seasonDays = (from: string, to: string): number => {
  const day = (text: string) => Date.parse(`2025-${text}T00:00:00Z`) / 86_400_000
  const days = day(to) - day(from) + 1
  return days > 0 ? days : days + 365
}

/** A short id of a row that is only on the screen until it is saved. */
export const rowId = (): string => crypto.randomUUID().slice(0, 18)

/** How often a service usually comes back. */
const usualFrequency = ({ category }: Pick<ServiceRecord, 'category'>): Frequency =>
  category === 'mow' ? 'weekly' : 'once'

/** What the price book says for a line now; null where it cannot say. */
export const priceOf = (line: QuoteLine, service: ServiceRecord | undefined): number | null =>
  service?.priceRule && line.inputs && !line.round
    ? priceFor(service.priceRule, {
        ...line.inputs,
        ...measureOfInputs(service, line.inputs),
        frequency: line.frequency,
      }).cents
    : null

/** Labor minutes of one visit by the service's rule. */
export const minutesOf = (line: QuoteLine, service: ServiceRecord | undefined): number =>
  service && line.inputs
    ? budgetMinutesFor(service, {
        ...measureOfInputs(service, line.inputs),
        difficulty: line.inputs.difficulty,
        quantity: line.quantity,
      })
    : line.minutes

/** A line for a service at a place, priced and timed by its rules. @param frequency what its customer chose, else the usual one */
export const lineFor = (
  service: ServiceRecord,
  place: Place,
  season: number,
  frequency: Frequency = usualFrequency(service),
): QuoteLine => {
  const line: QuoteLine = {
    id: rowId(),
    serviceId: service.id,
    name: service.name,
    description: '',
    quantity: 1,
    unit: service.unit,
    frequency,
    visits: frequency === 'once' ? 1 : visitsIn(frequency, season),
    unitPriceCents: null,
    ruleCents: null,
    inputs: inputsAt(service, place),
    costCents: 0,
    minutes: 0,
    taxCategory: service.taxCategory,
    optional: false,
    preselected: false,
    packageIds: [],
    round: null,
  }
  const cents = priceOf(line, service)
  return { ...line, unitPriceCents: cents, ruleCents: cents, minutes: minutesOf(line, service) }
}

/**
 * A line after what its price depends on was changed: it follows the rule, unless somebody typed another price; minutes do the same.
 */
export const reprice = (
  before: QuoteLine,
  change: Partial<QuoteLine>,
  service: ServiceRecord | undefined,
  season: number,
): QuoteLine => {
  const visits =
    change.frequency && change.frequency !== before.frequency
      ? change.frequency === 'once'
        ? 1
        : visitsIn(change.frequency, season)
      : before.visits
  const line = { ...before, visits, ...change }
  const follows = before.unitPriceCents === before.ruleCents
  const ruleCents = priceOf(line, service)
  const byRule = before.minutes === minutesOf(before, service)
  return {
    ...line,
    ruleCents,
    unitPriceCents: follows ? ruleCents : line.unitPriceCents,
    minutes: byRule ? minutesOf(line, service) : line.minutes,
  }
}

/** The rounds of a program that can still be done in a year, each priced as the program has it, else by the book. */
export const programLines = (
  program: ProgramRecord,
  services: readonly ServiceRecord[],
  place: Place,
  { year, today }: { year: number; today: string },
): QuoteLine[] =>
  windowsOf(program.steps, year).flatMap((round, at) => {
    const step = program.steps[at]
    const service = services.find(({ id }) => id === step?.serviceId)
    if (!step || !service || round.closesOn < today) return []
    const line = { ...lineFor(service, place, 0), frequency: 'once' as const, visits: 1 }
    const cents = step.priceCents ?? priceOf(line, service)
    return [
      {
        ...line,
        name: step.name,
        description: service.name === step.name ? '' : service.name,
        unitPriceCents: cents,
        ruleCents: null,
        minutes: step.minutes ?? minutesOf(line, service),
        round: { programId: program.id, year, ...round, minGapDays: step.minGapDays },
      },
    ]
  })

/** What of a quote is on the builder's screen until it is saved. */
export type Draft = {
  title: string
  note: string
  validUntil: string | null
  content: QuoteContent
}

export const draftOf = ({ title, note, validUntil, content }: QuoteRecord): Draft => ({
  title,
  note,
  validUntil,
  content,
})

export const isSame = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Lines that lacked the size of their place take it, as soon as it is measured; what has a size or a price keeps it. */
export const measuredLines = (
  lines: readonly QuoteLine[],
  services: readonly ServiceRecord[],
  place: Place,
  season: number,
): QuoteLine[] =>
  lines.map((line) => {
    const service = services.find(({ id }) => id === line.serviceId)
    if (!service?.priceRule || line.round || line.unitPriceCents !== null || !priceNeedsSize(service.priceRule))
      return line
    const used = line.inputs ? measureOfInputs(service, line.inputs).size : null
    if (used !== null || measureOf(service, place).size === null) return line
    return reprice(line, { inputs: inputsAt(service, place, line.inputs?.firstCut) }, service, season)
  })
