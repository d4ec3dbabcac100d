import { type Address, isApproximate, type PlaceQuality, stateCodeOf, zip5 } from '../../shared/places.ts'

/** What is believed of an answer to "where is this address". */

export type Point = { lat: number; lng: number }

/** An answer of a service; `several`: it knows more than one such address. */
export type Found = Point & { quality: 'rooftop' | 'street' | 'zip' | 'county'; several: boolean; label: string }

/** Where a property goes: nowhere, or to a place that is as well known as `quality` says. The note tells the office why it is not better. */
export type Verdict = { point: Point | null; quality: PlaceQuality; note: string }

/** What an answer is held against. */
export type Surroundings = {
  /** Middle of the address's ZIP code. */
  zip: Point | null
  /** Middle of the ZIP codes around it, for one that has no area of its own (boxes, companies). */
  area: Point | null
  /** True when the point lies in the state, or so near that the border may be drawn too roughly. */
  isIn: (state: string, point: Point) => boolean
  /** True when it lies in any state. */
  isLand: (point: Point) => boolean
}

const farKm = 60

/** Kilometers between two points, good for hundreds of kilometers. */
export const kmBetween = (a: Point, b: Point): number => {
  const rad = Math.PI / 180
  const x = (b.lng - a.lng) * rad * Math.cos(((a.lat + b.lat) / 2) * rad)
  return Math.hypot(x, (b.lat - a.lat) * rad) * 6371
}

/** One spelling of an address, under which an answer is kept. */
export const addressKeyOf = ({ street, city, state, zip }: Address): string =>
  [street, city, stateCodeOf(state) ?? state, zip5(zip) ?? zip]
    .map((part) =>
      part
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    )
    .join('|')
    .slice(0, 500)

/** True when a service can make something of it. */
export const isFindable = (address: Address): boolean =>
  address.street.trim() !== '' && (zip5(address.zip) !== null || address.city.trim() !== '')

/** Where an address is without any service: the middle of its ZIP code, or of the area around, unless that is in another state than it says. */
export const withoutService = (address: Address, around: Surroundings): Verdict => {
  const zip = zip5(address.zip)
  const state = stateCodeOf(address.state)
  const point = around.zip ?? around.area
  if (!zip)
    return {
      point: null,
      quality: 'none',
      note: 'Without a ZIP code this address cannot be placed. Add one, or set the pin.',
    }
  if (!point) return { point: null, quality: 'none', note: `ZIP code ${zip} is not known. Check it, or set the pin.` }
  if (state && !around.isIn(state, point))
    return {
      point: null,
      quality: 'none',
      note: `ZIP code ${zip} is not in ${state}. Check the address, or set the pin.`,
    }
  return around.zip
    ? { point, quality: 'zip', note: '' }
    : { point, quality: 'county', note: `ZIP code ${zip} has no area of its own; the pin stands in the region.` }
}

/**
 * Judges an answer of a service against the address. What lies in another state, far from the ZIP code or in the water is not believed; what is one
 * of several is kept as approximate. In both cases, and without an answer, the middle of the ZIP code is better than nothing.
 */
export const judge = (address: Address, found: Found | null, around: Surroundings): Verdict => {
  const fallback = (note: string): Verdict => {
    const rough = withoutService(address, around)
    return { ...rough, note: rough.point ? note : rough.note || note }
  }
  if (!found)
    return fallback('The look-up does not know this address. Check the street and its number, or set the pin.')
  const point = { lat: found.lat, lng: found.lng }
  const state = stateCodeOf(address.state)
  if (!around.isLand(point))
    return fallback('The look-up put this address outside of the country. It was not believed.')
  if (state && !around.isIn(state, point))
    return fallback(`The look-up found such an address in another state than ${state}. It was not believed.`)
  if (around.zip && kmBetween(around.zip, point) > farKm)
    return fallback(`The look-up found such an address far from ZIP code ${zip5(address.zip)}. It was not believed.`)
  if (isApproximate(found.quality)) {
    const rough = withoutService(address, around)
    const note = 'The look-up knows only the area of this address, not the house.'
    return rough.point ? { ...rough, note } : { point, quality: found.quality, note }
  }
  if (found.several)
    return { point, quality: 'zip', note: 'Several places have this address. Look whether the pin is right.' }
  return { point, quality: found.quality, note: '' }
}
