import { addDays, type Day, weekdayOf } from '../../shared/dates.ts'
import { neededIn, type RecordField } from './states/rules.ts'

/** Amounts, who may apply, what a record lacks. The office, the phone and the server ask the same functions. */

export const productUnits = ['fl oz', 'oz', 'lb', 'gal', 'ml', 'g'] as const
export type ProductUnit = (typeof productUnits)[number]

export const signalWords = ['', 'caution', 'warning', 'danger'] as const
export type SignalWord = (typeof signalWords)[number]
export const signalLabel: Readonly<Record<SignalWord, string>> = {
  '': 'None on the label',
  caution: 'Caution',
  warning: 'Warning',
  danger: 'Danger',
}

/** Where what a record says of the weather is from. */
export const weatherSources = ['forecast', 'typed', 'none'] as const
export type WeatherSource = (typeof weatherSources)[number]

export const winds = ['', 'N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const
export type Wind = (typeof winds)[number]

const round = (value: number, digits: number): number => {
  const factor = 10 ** digits
  return Math.round((value + Number.EPSILON) * factor) / factor
}

/**
 * What of a product goes on an area.
 * @param rate units for 1,000 square feet
 * @returns units, to the hundredth; never nothing for something
 */
export const amountFor = (rate: number, squareFeet: number): number => {
  const exact = (rate * squareFeet) / 1000
  return exact > 0 ? Math.max(0.01, round(exact, 2)) : 0
}

/** Gallons of water for an area, to the tenth; null for what is spread dry. */
export const carrierFor = (perThousand: number | null, squareFeet: number): number | null =>
  perThousand === null ? null : round((perThousand * squareFeet) / 1000, 1)

/** What of a product is in a gallon of the mix; null for what is spread dry. */
export const dilutionOf = (amount: number, carrierGallons: number | null): number | null =>
  carrierGallons === null || carrierGallons <= 0 ? null : round(amount / carrierGallons, 3)

/** A number as a person reads it: no zeros behind. */
export const plainNumber = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 })

/** Why a rate is more than a product's label allows for 1,000 square feet, or null; nothing is known where the label is not typed. */
export const rateProblem = (
  product: { name: string; unit: string; labelHigh: number | null },
  rate: number,
): string | null =>
  product.labelHigh !== null && rate > product.labelHigh
    ? `The label of ${product.name} allows at most ${plainNumber(product.labelHigh)} ${product.unit} for 1,000 sq ft.`
    : null

/** From which of eight directions the wind comes. @param degrees 0 is north, 90 is east */
export const windOf = (degrees: number): Wind => winds[1 + (Math.round((((degrees % 360) + 360) % 360) / 45) % 8)] ?? ''

/** What an hour of a forecast says for a record. */
export const weatherFrom = (
  hour:
    | {
        windMph: number | null
        windDegrees: number | null
        temperatureF: number | null
        cloudPercent: number | null
        rainHundredths: number | null
      }
    | undefined,
): { windMph: number | null; windFrom: Wind; temperatureF: number | null; sky: string; source: WeatherSource } =>
  hour
    ? {
        windMph: hour.windMph,
        windFrom: hour.windDegrees === null ? '' : windOf(hour.windDegrees),
        temperatureF: hour.temperatureF,
        sky: skyOf(hour),
        source: 'forecast',
      }
    : { windMph: null, windFrom: '', temperatureF: null, sky: '', source: 'none' }

const skyOf = ({
  cloudPercent,
  rainHundredths,
}: {
  cloudPercent: number | null
  rainHundredths: number | null
}): string =>
  (rainHundredths ?? 0) > 0
    ? 'Rain'
    : cloudPercent === null
      ? ''
      : cloudPercent <= 25
        ? 'Clear'
        : cloudPercent <= 70
          ? 'Partly cloudy'
          : 'Cloudy'

export type HeldLicense = { skill: string; state: string; number: string; validFrom: Day | null; expiresOn: Day }

const sameSkill = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** The license of a category that is valid in a state on a day, the one that is valid longest; null without one. */
export const licenseFor = (
  licenses: readonly HeldLicense[],
  { skill, state, day }: { skill: string; state: string; day: Day },
): HeldLicense | null =>
  licenses
    .filter(
      (one) =>
        sameSkill(one.skill, skill) &&
        one.state === state &&
        (one.validFrom === null || one.validFrom <= day) &&
        one.expiresOn >= day,
    )
    .sort((a, b) => b.expiresOn.localeCompare(a.expiresOn))[0] ?? null

export const licenseVerdicts = ['notNeeded', 'own', 'supervised', 'missing', 'refused'] as const
export type LicenseVerdict = (typeof licenseVerdicts)[number]

export type ForLicense = { licenseSkill: string; restricted: boolean }

/** A product that only somebody with a license puts down. */
const asksLicense = (one: ForLicense): boolean => one.licenseSkill.trim() !== '' || one.restricted

/**
 * Whether somebody may put products on a lawn: with a valid license of each category that they ask for, or under somebody who has it.
 * Without one it is refused where a product is restricted, which always takes one, and else only marked.
 */
export const licenseVerdict = (
  products: readonly ForLicense[],
  applicator: readonly HeldLicense[],
  supervisor: readonly HeldLicense[] | null,
  where: { state: string; day: Day },
): LicenseVerdict => {
  const asking = products.filter(asksLicense)
  if (asking.length === 0) return 'notNeeded'
  const holds = (licenses: readonly HeldLicense[], one: ForLicense) =>
    licenseFor(licenses, { skill: one.licenseSkill || defaultSkill, ...where }) !== null
  const lacking = asking.filter((one) => !holds(applicator, one))
  if (lacking.length === 0) return 'own'
  const left = lacking.filter((one) => !(supervisor && holds(supervisor, one)))
  if (left.length === 0) return 'supervised'
  return left.some((one) => one.restricted) ? 'refused' : 'missing'
}

/** What a license is called where a product says nothing else. */
export const defaultSkill = 'Applicator'

const isValidThere = (one: HeldLicense, { state, day }: { state: string; day: Day }): boolean =>
  one.state === state && (one.validFrom === null || one.validFrom <= day) && one.expiresOn >= day

/**
 * The licenses by which somebody put products on a lawn, as a record has them ("GA GA-1234"), each once: of the category that a product asks for,
 * and for one with a registration number that asks for none any that was valid there. A license without a number says nothing.
 */
export const licenseTexts = (
  products: readonly { licenseSkill: string; restricted: boolean; epaNumber: string }[],
  licenses: readonly HeldLicense[],
  where: { state: string; day: Day },
): string[] => [
  ...new Set(
    products.filter(isPesticide).flatMap((one) => {
      const license = asksLicense(one)
        ? licenseFor(licenses, { skill: one.licenseSkill || defaultSkill, ...where })
        : licenses.find((held) => isValidThere(held, where) && held.number.trim() !== '')
      return license && license.number.trim() !== '' ? [`${license.state} ${license.number}`.trim()] : []
    }),
  ),
]

/** What of a record decides whether it is complete. */
export type ForCompleteness = {
  state: string
  areaSquareFeet: number
  startedAt: string | null
  products: readonly {
    epaNumber: string
    licenseSkill: string
    restricted: boolean
    amount: number
    rate: number | null
  }[]
  target: string
  method: string
  equipment: string
  windMph: number | null
  windFrom: string
  temperatureF: number | null
  applicator: string
  licenseNumber: string
  /** Whether each product that asks for a license was put down by or under somebody who has one. */
  license: LicenseVerdict
  signPosted: boolean
  noticeLeft: string
  disposal: string
}

/** A pesticide; plain fertilizer has no registration and asks for none. */
const isPesticide = (one: { licenseSkill: string; restricted: boolean; epaNumber: string }): boolean =>
  one.restricted || one.licenseSkill.trim() !== '' || one.epaNumber.trim() !== ''

const lacks: Readonly<Record<RecordField, (one: ForCompleteness) => boolean>> = {
  area: (one) => one.areaSquareFeet <= 0,
  time: (one) => one.startedAt === null,
  products: (one) => one.products.length === 0,
  epaNumber: (one) => one.products.some((product) => isPesticide(product) && product.epaNumber.trim() === ''),
  amount: (one) => one.products.some((product) => product.amount <= 0),
  rate: (one) => one.products.some((product) => !product.rate),
  target: (one) => one.target.trim() === '',
  method: (one) => one.method.trim() === '',
  equipment: (one) => one.equipment.trim() === '',
  wind: (one) => one.windMph === null,
  temperature: (one) => one.temperatureF === null,
  applicator: (one) => one.applicator.trim() === '',
  // for each product, not for one of them; what asks for no license is complete without
  license: (one) =>
    one.products.some(asksLicense) &&
    (one.license === 'missing' || one.license === 'refused' || one.licenseNumber.trim() === ''),
  signPosted: (one) => !one.signPosted,
  notice: (one) => one.noticeLeft.trim() === '',
  disposal: (one) => one.disposal.trim() === '',
}

/** What a record still lacks that the law of its state asks for. */
export const missingOf = (record: ForCompleteness): RecordField[] =>
  neededIn(record.state).filter((field) => lacks[field](record))

export const fieldLabel: Readonly<Record<RecordField, string>> = {
  area: 'area treated',
  time: 'date and time',
  products: 'a product',
  epaNumber: 'EPA registration number',
  amount: 'total amount',
  rate: 'rate',
  target: 'target pest',
  method: 'method',
  equipment: 'equipment',
  wind: 'wind',
  temperature: 'temperature',
  applicator: 'who applied it',
  license: 'license number',
  signPosted: 'sign posted',
  notice: 'notice left with the customer',
  disposal: 'what was done with the rest',
}

/** Until when nobody goes on the lawn: the longest of its products, from the end of the work; null where none asks for it. */
export const keepOffUntil = (products: readonly { reentryHours: number }[], endedAt: string): string | null => {
  const hours = Math.max(0, ...products.map((one) => one.reentryHours))
  return hours === 0 ? null : new Date(Date.parse(endedAt) + hours * 3_600_000).toISOString()
}

const lateMs = 24 * 3_600_000

/** Whether a record came more than 24 hours after the work. */
export const isLate = ({ endedAt, enteredAt }: { endedAt: string; enteredAt: string }): boolean =>
  Date.parse(enteredAt) - Date.parse(endedAt) > lateMs

/** The last working day before a day: so early at least a neighbor who asked is told. */
export const businessDayBefore = (day: Day, isHoliday: (day: Day) => boolean): Day => {
  let before = addDays(day, -1)
  while (weekdayOf(before) === 0 || weekdayOf(before) === 6 || isHoliday(before)) before = addDays(before, -1)
  return before
}
