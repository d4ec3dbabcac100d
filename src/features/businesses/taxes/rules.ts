import type { Day } from '../../../shared/dates.ts'
import { zip5 } from '../../../shared/places.ts'

/** Which rates of sales tax are charged on work: by what it is, where it is done, and on which day. */

/** Where work is done, as far as it is known. */
export type TaxPlace = { state?: string | null; city?: string | null; zip?: string | null }

export type TaxRule = {
  name: string
  ratePercent: number
  taxCategory: string
  /** Only on work in this state; null is everywhere. */
  state?: string | null
  /** Only in these ZIP codes and cities of its state; empty is in all of it. */
  places?: readonly string[]
  /** It is charged beside the nearest other rate, not in its place. */
  onTop?: boolean
  /** First and last day of work on which it is charged; null is without an end. */
  validFrom?: Day | null
  validTo?: Day | null
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '')

/** A place of a rate as it is compared: the five digits of a ZIP code, or the letters of a city. */
const keyOf = (place: string): string => zip5(place) ?? letters(place)

/** Whether a place that somebody typed for a rate is a ZIP code; else it is the name of a city. */
export const isZipPlace = (place: string): boolean => zip5(place) !== null

/** How near a rate is to a place: 3 its ZIP code, 2 its city, 1 its state, 0 everywhere; null where it does not hold. */
const nearness = ({ state, places = [] }: TaxRule, at: TaxPlace): 0 | 1 | 2 | 3 | null => {
  if (state && state !== at.state) return null
  if (places.length === 0) return state ? 1 : 0
  const keys = new Set(places.map(keyOf))
  if (at.zip && keys.has(zip5(at.zip) ?? '')) return 3
  return at.city && keys.has(letters(at.city)) ? 2 : null
}

/** Whether a rate is charged on a day of work; of a day that nobody knows those that have not ended are. */
const holdsOn = ({ validFrom, validTo }: TaxRule, day: Day | null): boolean =>
  day === null ? !validTo : (!validFrom || validFrom <= day) && (!validTo || day <= validTo)

/**
 * The rates that are charged on work: the nearest one to its place (its ZIP code before its city, its city before its state), and all that
 * come on top. Two that are as near as each other are never both charged: `rateClash` refuses the second one.
 * @param work.day the day of the work, or null where it is not known
 */
export const ratesFor = <R extends TaxRule>(
  rates: readonly R[],
  work: { taxCategory: string; place: TaxPlace; day: Day | null },
): R[] => {
  const fit = rates.filter(
    (rate) => rate.taxCategory === work.taxCategory && holdsOn(rate, work.day) && nearness(rate, work.place) !== null,
  )
  const near = (rate: R): number => nearness(rate, work.place) ?? -1
  const nearest = fit
    .filter(({ onTop }) => !onTop)
    .reduce<R | null>((best, rate) => (best === null || near(rate) > near(best) ? rate : best), null)
  return fit.filter((rate) => rate.onTop || rate === nearest)
}

const share = <T>(one: readonly T[], other: readonly T[]): boolean => one.some((item) => other.includes(item))

/** Whether two rates hold at the same place at the same nearness, so that nobody could tell which of them is meant. */
const meet = (one: TaxRule, other: TaxRule): boolean => {
  const [mine, theirs] = [(one.places ?? []).map(keyOf), (other.places ?? []).map(keyOf)]
  if (mine.length === 0 || theirs.length === 0)
    return mine.length === theirs.length && (one.state ?? null) === (other.state ?? null)
  return share(mine, theirs) && (!one.state || !other.state || one.state === other.state)
}

const overlap = (one: TaxRule, other: TaxRule): boolean =>
  (!one.validTo || !other.validFrom || other.validFrom <= one.validTo) &&
  (!other.validTo || !one.validFrom || one.validFrom <= other.validTo)

/** "Ohio", "43201, Columbus in OH", "everywhere". */
export const taxPlaceLabel = ({ state, places = [] }: Pick<TaxRule, 'state' | 'places'>): string =>
  places.length > 0 ? `${places.join(', ')}${state ? ` in ${state}` : ''}` : (state ?? 'everywhere')

/** What is wrong with a rate beside those there are, as a sentence that says what to do, or null: the same work is never taxed twice unmeant. */
export const rateClash = (draft: TaxRule, rates: readonly TaxRule[]): string | null => {
  const other = rates.find(
    (rate) =>
      rate.taxCategory === draft.taxCategory &&
      Boolean(rate.onTop) === Boolean(draft.onTop) &&
      overlap(rate, draft) &&
      meet(rate, draft) &&
      (!draft.onTop || (letters(rate.name) === letters(draft.name) && rate.ratePercent === draft.ratePercent)),
  )
  if (!other) return null
  const said = `${other.name} (${other.ratePercent}%) is charged there already on what is taxed as ${other.taxCategory}`
  return draft.onTop
    ? `${said}, on top, so it would be charged twice.`
    : `${said}. Name the ZIP codes or cities of each, let one end before the other begins, or say that this one comes on top.`
}
