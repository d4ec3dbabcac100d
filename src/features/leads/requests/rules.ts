import { squareFeetPerAcre } from '../../../shared/numbers.ts'
import { toE164 } from '../../../shared/phone.ts'
import {
  type Corner,
  crossingOf,
  isInside,
  metersBetween,
  type Ring,
  squareFeetOf,
} from '../../customers/areas/rules.ts'
import { type MeasuredBy, measureOf, unmeasured } from '../../services/measures/rules.ts'
import { type Frequency, type PriceRule, priceFor, priceNeedsSize } from '../../services/rules.ts'

/** What strangers send: the form of a business's own website and the request of its public page. */

/** The line that stands at the box, and is kept as it was shown. */
export const consentLine = (businessName: string): string =>
  `${businessName} may text me about my request at this number. Message and data rates may apply. Reply STOP to opt out.`

/**
 * The line at the box for offers, never checked beforehand, and kept as it was shown: who writes, to what, that nothing depends on it, and how it ends,
 * as the law wants it in writing before an offer goes by text.
 */
export const offersLine = (businessName: string): string =>
  `Send me offers and seasonal reminders by text and e-mail. I agree that ${businessName} may send me these, also automatically, to the phone number and e-mail given here. I do not have to agree to buy anything. Message and data rates may apply. Reply STOP to end texts; each e-mail has a link that ends e-mails.`

export const usualReply =
  'Thanks for asking! We have your request and will get back to you soon. Reply STOP to opt out.'

/** Nobody opens a page, reads and fills a form in less. */
export const leastFillMs = 2_500

export type RequestForm = {
  name: string
  phone: string
  email: string
  street: string
  city: string
  state: string
  zip: string
  wants: string
  /** A field that no person sees: what stands in it was filled by a machine. */
  company: string
  /** How long its page was open; empty where no script counts. */
  ms: string
  consent: string
  /** "yes" where the box for offers was checked. */
  offers?: string
}

/** Whether a machine sent it. It gets the answer of any other, and nothing comes of it. */
export const isMachine = ({
  company,
  ms,
  name,
  wants,
}: Pick<RequestForm, 'company' | 'ms' | 'name' | 'wants'>): boolean => {
  const open = Number(ms)
  return (
    company.trim() !== '' ||
    (ms !== '' && Number.isFinite(open) && open < leastFillMs) ||
    /https?:\/\//i.test(name) ||
    (wants.match(/https?:\/\//gi) ?? []).length > 2
  )
}

export type RequestProblem = { path: 'name' | 'phone' | 'email' | 'zip'; message: string }

/** What a person has to put right, in their words; empty when it can be taken. */
export const requestProblems = (form: RequestForm): RequestProblem[] => {
  const problems: RequestProblem[] = []
  const [name, phone, email, zip] = [form.name.trim(), form.phone.trim(), form.email.trim(), form.zip.trim()]
  if (!name) problems.push({ path: 'name', message: 'Please tell us your name.' })
  else if (name.length > 120) problems.push({ path: 'name', message: 'Please use a shorter name.' })
  if (!phone && !email) problems.push({ path: 'phone', message: 'Please leave a phone number or an e-mail.' })
  if (phone && !toE164(phone)) problems.push({ path: 'phone', message: 'A phone number has ten digits.' })
  if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email))
    problems.push({ path: 'email', message: 'This is not an e-mail address.' })
  if (zip && !/^\d{5}(-\d{4})?$/.test(zip)) problems.push({ path: 'zip', message: 'A ZIP code has five digits.' })
  return problems
}

export const areaKinds = ['anywhere', 'zips', 'drawn'] as const
export type ServiceArea = { kind: (typeof areaKinds)[number]; zips: readonly string[]; ring: Ring | null }

/** Whether a place is served; null where that cannot be told: nobody knows where the address is. */
export const isServed = (
  area: ServiceArea,
  place: { zip: string; point: { lat: number; lng: number } | null },
): boolean | null => {
  if (area.kind === 'anywhere') return true
  if (area.kind === 'zips') {
    const zip = place.zip.trim().slice(0, 5)
    return zip.length === 5 ? area.zips.includes(zip) : null
  }
  if (!area.ring || area.ring.length < 3) return true
  const { point } = place
  return point ? isInside([point.lat, point.lng] as Corner, area.ring) : null
}

/** ZIP codes out of what somebody typed, each once, in order. */
export const zipsOf = (text: string): string[] => [...new Set(text.match(/\b\d{5}\b/g) ?? [])].sort()

/** What stands among ZIP codes and is none, as it was typed. */
export const notZipsIn = (text: string): string[] =>
  text.split(/[\s,;]+/).filter((part) => part && !/^\d{5}$/.test(part))

/** A lot that is said in acres, in whole square feet. */
export const lotSquareFeet = (acres: number): number => Math.round(acres * squareFeetPerAcre)

/** Part of a lot that is lawn: house, drive and beds take the rest. */
const lawnOfLotPercent = { low: 45, high: 70 }

/** How well a lawn is known decides how far the range reaches. */
export const lawnWays = ['drawn', 'typed', 'lot'] as const
export type LawnWay = (typeof lawnWays)[number]

/** How far a lawn may be from its address, in meters: from the house, and from the middle of a ZIP code. */
const reach = { house: 1_000, zip: 40_000 }

/** Why a drawn lawn cannot be taken, for who drew it; null when it can. @param near where the address is, null where nobody knows */
export const drawnProblem = (ring: Ring, near: { lat: number; lng: number; exact: boolean } | null): string | null => {
  if (ring.length < 3) return 'Tap around your lawn: at least three corners.'
  if (ring.length > 200) return 'Your line has more than 200 corners. Leave some out.'
  if (crossingOf(ring)) return 'The line around your lawn crosses itself. Move a corner, or undo, then ask again.'
  const most = near?.exact ? reach.house : reach.zip
  if (near && ring.some((corner) => metersBetween(corner, [near.lat, near.lng]) > most))
    return 'The lawn you drew is far from your address. Draw it at your house, or correct the address.'
  return null
}

/** What a drawn lawn measures: as the page said where that is within 2 % of the line, else what the line encloses. */
export const drawnSquareFeet = (ring: Ring, told: number): number => {
  const measured = squareFeetOf([ring])
  return Math.abs(measured - told) * 50 <= measured ? told : measured
}

/** The lawn in square feet, at least and at most. @param squareFeet of the lawn, of the whole lot where `way` is `lot` */
export const lawnBetween = (squareFeet: number, way: LawnWay): { low: number; high: number } => {
  if (way === 'lot')
    return {
      low: Math.round((squareFeet * lawnOfLotPercent.low) / 100),
      high: Math.round((squareFeet * lawnOfLotPercent.high) / 100),
    }
  const off = way === 'drawn' ? 5 : 15
  return { low: Math.round((squareFeet * (100 - off)) / 100), high: Math.round((squareFeet * (100 + off)) / 100) }
}

/**
 * What a visit costs at least and at most by the business's own rule: the smallest lawn it may be and easy, the largest and a bit harder.
 * @param service goes by the lawn, which a visitor knows; one that goes by beds or edges has a price only after a look
 * @returns null where the rule cannot say
 */
export const priceBetween = (
  service: { measuredBy: MeasuredBy },
  rule: PriceRule,
  lawn: { low: number; high: number },
  frequency: Frequency,
): { lowCents: number; highCents: number } | null => {
  const at = (squareFeet: number) => measureOf(service, { ...unmeasured, lawnSquareFeet: squareFeet })
  const low = priceFor(rule, { ...at(lawn.low), difficulty: 1, frequency })
  const high = priceFor(rule, { ...at(lawn.high), difficulty: 2, frequency })
  if (low.cents === null || high.cents === null) return null
  return { lowCents: Math.min(low.cents, high.cents), highCents: Math.max(low.cents, high.cents) }
}

/** Whether a visitor hears a price only after somebody looked: it goes by beds or edges, and they know their lawn at the most. */
export const pricedAfterLook = (service: { measuredBy: MeasuredBy; priceRule: PriceRule }): boolean =>
  service.measuredBy !== 'lawn' && priceNeedsSize(service.priceRule)

type Told = { name: string; lowCents: number | null; highCents: number | null }

/**
 * What a visit with all of it comes to, in cents, as far as it has a price, with what is in the sum and what is left out of it. Null where there is
 * nothing to say beside the prices themselves: nothing has one, or one thing alone was asked for.
 */
export const sumOf = (
  items: readonly Told[],
): { names: string[]; left: string[]; lowCents: number; highCents: number } | null => {
  const priced = items.filter(({ lowCents, highCents }) => lowCents !== null && highCents !== null)
  if (priced.length === 0 || items.length < 2) return null
  return {
    names: priced.map(({ name }) => name),
    left: items.filter((one) => !priced.includes(one)).map(({ name }) => name),
    lowCents: priced.reduce((sum, { lowCents }) => sum + (lowCents ?? 0), 0),
    highCents: priced.reduce((sum, { highCents }) => sum + (highCents ?? 0), 0),
  }
}

/** What sending a neighbor is worth to both, in cents of credit. */
export type RewardTerms = { referralOn: boolean; referralGiverCents: number; referralFriendCents: number }
