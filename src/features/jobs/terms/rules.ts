import { addDays, type Day } from '../../../shared/dates.ts'
import { type LinePrice, type PriceStep, priceOn, stepsOf } from '../prices/rules.ts'
import type { Recurrence } from '../rules.ts'
import type { Undated } from '../undated/rules.ts'

/** What a job does, for how much, when and by whom: its terms. A change from a later day on leaves those that hold until then. */

export type TermLine = Required<Omit<LinePrice, 'laterPrices'>> & {
  /** Left out of terms from before a line could have several. */
  laterPrices?: PriceStep[]
  id: string
  serviceId: string
  description: string
  quantity: number
  budgetMinutes: number
  recurrence: Recurrence | null
  onceOn: Day | null
  undated: Undated | null
  position: number
}
export type Terms<L = TermLine> = { crewId: string | null; billing: string; lines: L[] }
/** Terms that hold up to the day before `until`. */
export type EarlierTerms<L = TermLine> = Terms<L> & { until: Day }

const priceFields = ['unitPriceCents', 'nextUnitPriceCents', 'nextPriceOn', 'laterPrices'] as const
const workFields = ['serviceId', 'description', 'quantity', 'budgetMinutes', 'recurrence', 'onceOn', 'undated'] as const

/** Values as JSON keeps them, whatever the order of their keys. */
const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : value !== null && typeof value === 'object'
      ? Object.entries(value)
          .filter(([, part]) => part !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, part]) => [key, canonical(part)])
      : value
const same = (a: unknown, b: unknown): boolean => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))

/** Two prices that no day of `from` to `to` tells apart. */
const samePrice = (a: LinePrice, b: LinePrice, from: Day, to: Day): boolean =>
  [from, ...[a, b].flatMap((line) => stepsOf(line).flatMap(({ on }) => (on > from && on <= to ? [on] : [])))].every(
    (day) => priceOn(a, day) === priceOn(b, day),
  )

/** Whether work of the days from `from` to `to` is the same by both. */
const sameTerms = (a: Terms, b: Terms, from: Day, to: Day): boolean =>
  a.crewId === b.crewId &&
  a.billing === b.billing &&
  a.lines.length === b.lines.length &&
  a.lines.every((line) => {
    const other = b.lines.find((one) => one.id === line.id)
    return (
      other !== undefined &&
      workFields.every((field) => same(line[field], other[field])) &&
      samePrice(line, other, from, to)
    )
  })

/** A line with the fields that a change made different; a price is one thing. */
const patchedLine = (line: TermLine, before: TermLine, after: TermLine): TermLine => {
  const work = workFields.filter((field) => !same(before[field], after[field]))
  const price = priceFields.some((field) => !same(before[field] ?? [], after[field] ?? [])) ? priceFields : []
  return {
    ...line,
    ...Object.fromEntries([...work, ...price].map((field) => [field, after[field]])),
    position: after.position,
  }
}

const patched = (terms: EarlierTerms, before: Terms, after: Terms): EarlierTerms => ({
  until: terms.until,
  crewId: before.crewId === after.crewId ? terms.crewId : after.crewId,
  billing: before.billing === after.billing ? terms.billing : after.billing,
  lines: [
    ...terms.lines.flatMap((line) => {
      const [was, is] = [before, after].map(({ lines }) => lines.find((one) => one.id === line.id))
      // What the job did no more from a later day on is not asked about.
      return was && is ? [patchedLine(line, was, is)] : was ? [] : [line]
    }),
    ...after.lines.filter((line) => !before.lines.some((one) => one.id === line.id)),
  ],
})

/**
 * The terms that hold before the job's own do, after a change of these from a day on. What stood ahead before that day stays; what was ahead later
 * takes on what the change made different and keeps the rest.
 * @param earlier as they were
 * @param before the job's own terms before the change
 * @param after the same after it
 * @param fromOn the first day that the change counts for, today or later
 */
export const termsAfter = (
  earlier: readonly EarlierTerms[],
  before: Terms,
  after: Terms,
  fromOn: Day,
  today: Day,
): EarlierTerms[] => {
  const ahead = earlier.filter(({ until }) => until > today)
  const kept = ahead.filter(({ until }) => until <= fromOn)
  const later = ahead.filter(({ until }) => until > fromOn)
  const start = kept.at(-1)?.until ?? today
  const cut = later[0] ?? { ...before, until: fromOn }
  const held = start < fromOn ? [{ ...cut, until: fromOn }] : []
  const all = [...kept, ...held, ...later.map((terms) => patched(terms, before, after))]
  // What differs from what follows on no day of its own is nothing to keep.
  const told: EarlierTerms[] = []
  for (const [at, terms] of [...all.entries()].reverse()) {
    const from = all[at - 1]?.until ?? today
    if (!sameTerms(terms, told[0] ?? after, from, addDays(terms.until, -1))) told.unshift(terms)
  }
  return told
}

/** A job with the terms that it has, and those that hold before. */
type InTerms<L> = Terms<L> & { earlier: EarlierTerms<L>[] }

const inTerms = <L, J extends InTerms<L>>(job: J, terms: EarlierTerms<L> | undefined): J =>
  terms ? { ...job, crewId: terms.crewId, billing: terms.billing, lines: terms.lines } : job

/** A job as it is on a day. */
export const jobOn = <L, J extends InTerms<L>>(job: J & InTerms<L>, day: Day): J =>
  inTerms<L, J>(
    job,
    job.earlier.find(({ until }) => day < until),
  )

/** The days from `from` to `to`, cut where the terms of a job change, each part with the job as it is then; one part at least. */
export const termParts = <L, J extends InTerms<L>>(
  job: J & InTerms<L>,
  from: Day,
  to: Day,
): { job: J; from: Day; to: Day }[] => {
  const parts: { job: J; from: Day; to: Day }[] = []
  let start = from
  for (const terms of job.earlier.filter(({ until }) => until > from && until <= to)) {
    parts.push({ job: inTerms<L, J>(job, terms), from: start, to: addDays(terms.until, -1) })
    start = terms.until
  }
  return [...parts, { job: jobOn<L, J>(job, start), from: start, to }]
}
