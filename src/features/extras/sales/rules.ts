import { lineCents } from '../../../shared/money.ts'
import type { Stroke } from '../../../shared/strokes.ts'
import type { Measure } from '../../services/measures/rules.ts'
import { budgetMinutesFor, type PriceRule, type ServiceUnit, type TimeRule } from '../../services/rules.ts'

/** Further work that a crew sells at a stop, and what its customer says to it. */

export const sellDays = ['today', 'later'] as const
export type SellDay = (typeof sellDays)[number]

/** `signature`: with a finger on the phone; `link`: the customer is sent a page to answer on; `none`: nobody knows the price yet, so nobody is asked. */
export const consentWays = ['signature', 'link', 'none'] as const
export type ConsentWay = (typeof consentWays)[number]

export const mostQuantity = 999

/** What a phone says of a sale. */
export type CrewSale = {
  serviceId: string
  quantity: number
  note: string
  photoIds: string[]
  planned: SellDay
  way: ConsentWay
  /** What the customer was shown for one unit; null where nobody knows. */
  unitCents: number | null
  signer: string
  strokes: Stroke[]
  position: { latitude: number; longitude: number; accuracyMeters: number } | null
}

/** What so much of it costs; null where no rule says. */
export const saleCents = (quantity: number, unitCents: number | null): number | null =>
  unitCents === null ? null : lineCents(quantity, unitCents)

const unitWords = {
  en: { hour: ['hour', 'hours'], yard: ['yard', 'yards'] },
  es: { hour: ['hora', 'horas'], yard: ['yarda', 'yardas'] },
} as const

/** A service by its name for who reads which language; where nobody wrote a Spanish one it is the name itself. */
export const saleName = (service: { name: string; nameEs?: string | undefined }, language: 'en' | 'es'): string =>
  (language === 'es' && service.nameEs) || service.name

/** What a line of it is called: "Hedge trimming, 2 hours", "Sprinkler head × 2". Whoever signs reads what the number counts. */
export const saleTitle = (name: string, quantity: number, unit: ServiceUnit, language: 'en' | 'es' = 'en'): string => {
  if (unit === 'hour' || unit === 'yard')
    return `${name}, ${quantity} ${unitWords[language][unit][quantity === 1 ? 0 : 1]}`
  if (unit === 'ksqft')
    return `${name}, ${(quantity * 1000).toLocaleString('en-US')} ${language === 'es' ? 'pies²' : 'sq ft'}`
  return quantity === 1 ? name : `${name} × ${quantity}`
}

/** Labor minutes that so much of a service adds to a visit: work by the hour takes the hours that were sold, work by area the area that was. */
export const saleMinutes = (
  service: { unit: ServiceUnit; timeRule: TimeRule; priceRule: PriceRule | null },
  facts: Measure & { difficulty: number; quantity: number },
): number => {
  const { unit, timeRule } = service
  if (unit === 'hour' && timeRule.minutesPerUnit === 0) return Math.round(timeRule.fixedMinutes + facts.quantity * 60)
  return budgetMinutesFor(service, unit === 'ksqft' ? { ...facts, size: facts.quantity * 1000 } : facts)
}

export type SaleWords = {
  language: 'en' | 'es'
  business: string
  street: string
  title: string
  priceCents: number
  planned: SellDay
}

const dollars = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

/** What a customer reads before they say yes, word for word: kept with the answer. */
export const saleWords = ({ language, business, street, title, priceCents, planned }: SaleWords): string =>
  language === 'es'
    ? `Acepto que ${business} haga este trabajo en ${street} ${planned === 'today' ? 'hoy' : 'otro día que acordemos'}: ${title}, por ${dollars(priceCents)} más el impuesto sobre las ventas donde corresponda. Se factura con la visita.`
    : `I agree that ${business} does this work at ${street} ${planned === 'today' ? 'today' : 'on another day that we agree on'}: ${title}, for ${dollars(priceCents)} plus sales tax where it applies. It is invoiced with the visit.`

/**
 * What becomes of work that the customer agreed to. It stands on the visit only where it is done today, at the price that was shown, and the visit
 * is billed by itself; else the office decides.
 */
export const agreedState = (sale: {
  planned: SellDay
  priceCents: number | null
  /** By the rule as it is now. */
  ruleCents: number | null
  fits: boolean
}): 'added' | 'waiting' =>
  sale.planned === 'today' && sale.fits && sale.priceCents !== null && sale.priceCents === sale.ruleCents
    ? 'added'
    : 'waiting'
