import type { Day } from '../../shared/dates.ts'
import { nthWeekday } from '../../shared/holidays.ts'
import { formatPhone } from '../../shared/phone.ts'

/** A business as the sender of a mail. */
export type Sender = {
  name: string
  phone: string | null
  email: string | null
  brandColor: string
  /** Where its customers sign in; none where it has no portal, or a letter is not to lead there. */
  portalUrl?: string | null
}

/** How a business is reached, in one line for the foot of a mail; empty where nothing is known. */
export const contactOf = ({ phone, email }: Pick<Sender, 'phone' | 'email'>): string =>
  [phone ? formatPhone(phone) : null, email].filter(Boolean).join(' · ')

/** What the estimator takes for usual roads, in seconds for the first kilometer by the crow. */
export const usualDriveFactor = 180
/** How much longer roads are than the crow flies. */
const circuity = 1.4
const kmPerMile = 1.609_344

/** What a drive over so many road miles counts as, in minutes; the same curve as the route engine's estimate. */
export const driveExampleMinutes = (roadMiles: number, factorSeconds: number, exponent: number): number =>
  Math.round((factorSeconds * ((roadMiles * kmPerMile) / circuity) ** exponent) / 60)

const usualExponent = 0.66

/** The estimate's exponent from how much longer twice the distance takes, within the limits of the setting. */
export const exponentOf = (twice: number | null): number =>
  twice === null || twice <= 0 ? usualExponent : Math.min(1.2, Math.max(0.3, Math.round(Math.log2(twice) * 100) / 100))

/** The holidays on which most US crews stay home. */
export const usualHolidays = (year: number): { day: Day; name: string }[] => [
  { day: `${year}-01-01`, name: "New Year's Day" },
  { day: nthWeekday(year, 5, 1, -1), name: 'Memorial Day' },
  { day: `${year}-07-04`, name: 'Independence Day' },
  { day: nthWeekday(year, 9, 1, 1), name: 'Labor Day' },
  { day: nthWeekday(year, 11, 4, 4), name: 'Thanksgiving' },
  { day: `${year}-12-25`, name: 'Christmas Day' },
]

/** What is wrong with an address of a public page, in words, or null. */
export const slugProblem = (text: string): string | null => {
  const slug = text.trim().toLowerCase()
  if (slug.length < 3 || slug.length > 50) return 'Three to 50 characters'
  if (!/^[a-z0-9-]+$/.test(slug)) return 'Small letters, digits and dashes only'
  return /^-|-$/.test(slug) ? 'It begins and ends with a letter or digit' : null
}

/** What an hour of one person really costs: wage and what is paid on top. Cents. */
export const loadedWageCents = (wageCents: number, burdenPercent: number): number =>
  Math.round((wageCents * (100 + burdenPercent)) / 100)

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Whether dark or light text reads better on a color of a business (WCAG contrast of the two). */
export const isLight = (hex: string): boolean => {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return false
  const luminance = 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05)
}
