import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import {
  amountFor,
  carrierFor,
  type LicenseVerdict,
  licenseTexts,
  licenseVerdict,
  missingOf,
  type WeatherSource,
  type Wind,
  weatherFrom,
} from '../../chemicals/rules.ts'
import type { RecordField } from '../../chemicals/states/rules.ts'
import type { CrewStop } from '../contract.ts'
import { minuteOfValue } from '../figures/rules.ts'
import { isSignTicked } from '../sign/rules.ts'
import type { CrewChemicals } from './contract.ts'

/** A record as a phone fills it with one tap and a crew types over it; numbers stand as texts until they are read. */

export type TreatForm = {
  mixId: string
  /** What of the property was treated; empty for its lawn. */
  areaName: string
  squareFeet: string
  /** Minutes of the day as "06:05", where they were typed; empty for what the phone knows. */
  startTime: string
  endTime: string
  products: { productId: string; amount: string }[]
  carrierGallons: string
  target: string
  method: string
  equipment: string
  windMph: string
  windFrom: Wind
  temperatureF: string
  sky: string
  source: WeatherSource
  /** The hour of the forecast that filled it; empty without one. */
  weatherAt: string
  soil: string
  applicatorId: string
  supervisorId: string
  signPosted: boolean
  noticeLeft: boolean
  neighborsTold: string
  incident: string
  disposal: string
}

type Mix = CrewChemicals['mixes'][number]

const text = (value: number | null): string => (value === null ? '' : String(value))

/** A number that was typed, with a comma or a point; null for nothing, or for what is none. */
export const numberOf = (typed: string): number | null => {
  const clean = typed
    .trim()
    .replace(/(\d),(?=\d{3}(\D|$))/g, '$1')
    .replace(',', '.')
  const value = Number(clean)
  return clean === '' || !Number.isFinite(value) || value < 0 ? null : value
}

/** A temperature that was typed, also one below zero. */
const degreesOf = (typed: string): number | null => {
  const below = typed.trim().startsWith('-')
  const value = numberOf(typed.replace('-', ''))
  return value === null || !below ? value : -value
}

/** Whether a moment lies in the hour that begins at an instant. */
export const isInHour = (at: string, ms: number): boolean => Date.parse(at) <= ms && ms < Date.parse(at) + 3_600_000

/** The hour of the forecast in which a moment lies. */
const hourAt = (hours: CrewChemicals['hours'], ms: number) => hours.find(({ at }) => isInHour(at, ms))

/** Amounts of a mix on an area, as texts. */
export const amountsOf = (mix: Mix, squareFeet: number | null) => ({
  products: mix.products.map(({ productId, rate }) => ({
    productId,
    amount: squareFeet ? text(amountFor(rate, squareFeet)) : '',
  })),
  carrierGallons: squareFeet ? text(carrierFor(mix.carrierGallons, squareFeet)) : '',
})

export type TreatTimes = {
  startedAt: string
  endedAt: string
  /** Those that we told the phone: they are not put right by how far its clock is off. The others are as the phone shows them. */
  ours: ('startedAt' | 'endedAt')[]
}

type Times = Pick<CrewStop, 'startedAt' | 'finishedAt'>

/** The mixes as a stop asks for them: what its services are usually done with first. */
export const mixesFor = (mixes: readonly Mix[], stop: Pick<CrewStop, 'treatment'>): { usual: Mix[]; others: Mix[] } => {
  const ids = stop.treatment?.mixIds ?? []
  return { usual: mixes.filter(({ id }) => ids.includes(id)), others: mixes.filter(({ id }) => !ids.includes(id)) }
}

/**
 * When a lawn was treated, as far as the phone knows: from start to finish of the stop, else up to now. What the stop has from the server is on our
 * clock, what waits on this phone and the present moment are as the phone shows them, as far as it knows how far its clock is off.
 * @param told the same stop as the server told it last
 */
export const timesOf = (
  stop: Times & Pick<CrewStop, 'budgetMinutes'>,
  told: Times | undefined,
  nowMs: number,
): TreatTimes => {
  const isOurs = (key: keyof Times) => stop[key] !== null && told?.[key] === stop[key]
  const endedAt = stop.finishedAt ?? new Date(nowMs).toISOString()
  const endIsOurs = isOurs('finishedAt')
  const startedAt = stop.startedAt ?? new Date(Date.parse(endedAt) - stop.budgetMinutes * 60_000).toISOString()
  const startIsOurs = stop.startedAt === null ? endIsOurs : isOurs('startedAt')
  return {
    startedAt,
    endedAt,
    ours: [...(startIsOurs ? (['startedAt'] as const) : []), ...(endIsOurs ? (['endedAt'] as const) : [])],
  }
}

const longestMs = 24 * 3_600_000

/**
 * When a lawn was treated, with the times that were typed over what the phone knows: on the day of the start, and an end before the start is one after
 * midnight. What was typed is meant as the form shows times: as our time, as far as the phone knows it.
 * @returns null for times that cannot be: an end before the start or to come, or longer than a day
 */
export const typedTimes = (
  times: TreatTimes,
  { startTime, endTime }: Pick<TreatForm, 'startTime' | 'endTime'>,
  timeZone: string,
  nowMs: number,
): TreatTimes | null => {
  if (startTime === '' && endTime === '') return times
  const day = dayOf(times.startedAt, timeZone)
  const at = (typed: string, known: string, on: Day): string | null => {
    if (typed === '') return known
    const minute = minuteOfValue(typed)
    return minute === null ? null : instantAt(on, minute, timeZone)
  }
  const startedAt = at(startTime, times.startedAt, day)
  const sameDay = at(endTime, times.endedAt, day)
  if (startedAt === null || sameDay === null) return null
  const pastMidnight = endTime !== '' && Date.parse(sameDay) < Date.parse(startedAt)
  const endedAt = pastMidnight ? (at(endTime, times.endedAt, addDays(day, 1)) ?? sameDay) : sameDay
  const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)]
  if (to < from || to > nowMs + 60_000 || to - from > longestMs) return null
  const ours = times.ours.filter((key) => (key === 'startedAt' ? startTime : endTime) === '')
  return { startedAt, endedAt, ours }
}

/**
 * The times as the command carries them. Those that are not from us are put right on the server by as much as the tap itself: what was shown or typed
 * on our clock goes back to the phone's own, or it would be put right twice.
 * @param shownAheadMs how far what the phone shows is ahead of its own clock; 0 where it does not know its offset
 */
export const carriedTimes = ({ startedAt, endedAt, ours }: TreatTimes, shownAheadMs: number): TreatTimes => {
  const carried = (key: 'startedAt' | 'endedAt', instant: string): string =>
    ours.includes(key) || shownAheadMs === 0 ? instant : new Date(Date.parse(instant) - shownAheadMs).toISOString()
  return { startedAt: carried('startedAt', startedAt), endedAt: carried('endedAt', endedAt), ours }
}

/** One tap: everything that is known of an application of a mix at a stop. @param appliedMs when it was: its weather is that hour's */
export const filledForm = (
  chemicals: CrewChemicals,
  stop: Pick<CrewStop, 'treatment'> & Partial<Pick<CrewStop, 'checked'>>,
  mix: Mix,
  { userId, appliedMs }: { userId: string; appliedMs: number },
): TreatForm => {
  const squareFeet = stop.treatment?.squareFeet ?? null
  const hour = hourAt(chemicals.hours, appliedMs)
  const weather = weatherFrom(hour)
  return {
    mixId: mix.id,
    areaName: '',
    squareFeet: text(squareFeet),
    startTime: '',
    endTime: '',
    ...amountsOf(mix, squareFeet),
    target: mix.target,
    method: mix.method,
    equipment: mix.equipment,
    windMph: text(weather.windMph),
    windFrom: weather.windFrom,
    temperatureF: text(weather.temperatureF),
    sky: weather.sky,
    source: weather.source,
    weatherAt: hour?.at ?? '',
    soil: '',
    applicatorId: chemicals.people.some(({ id }) => id === userId) ? userId : (chemicals.people[0]?.id ?? userId),
    supervisorId: '',
    signPosted: isSignTicked(stop),
    noticeLeft: false,
    neighborsTold: '',
    incident: '',
    disposal: '',
  }
}

export type TreatCheck = {
  license: LicenseVerdict
  missing: RecordField[]
  /** Nothing can be written down without an area and what was used. */
  unread: ('area' | 'amount')[]
}

/** Whether the record may be saved, and what it lacks. */
export const checkForm = (
  chemicals: CrewChemicals,
  form: TreatForm,
  { state, day, startedAt }: { state: string; day: string; startedAt: string },
): TreatCheck => {
  const mix = chemicals.mixes.find(({ id }) => id === form.mixId)
  const personOf = (id: string) => chemicals.people.find((one) => one.id === id)
  const [applicator, supervisor] = [personOf(form.applicatorId), personOf(form.supervisorId)]
  const products = (mix?.products ?? []).map((one) => ({
    ...one,
    amount: numberOf(form.products.find(({ productId }) => productId === one.productId)?.amount ?? '') ?? 0,
  }))
  const where = { state: state.toUpperCase(), day }
  const area = numberOf(form.squareFeet)
  const numbers = [applicator, supervisor].flatMap((one) => licenseTexts(products, one?.licenses ?? [], where))
  const license = licenseVerdict(products, applicator?.licenses ?? [], supervisor?.licenses ?? null, where)
  return {
    license,
    missing: missingOf({
      state,
      areaSquareFeet: area ?? 0,
      startedAt,
      products,
      target: form.target,
      method: form.method,
      equipment: form.equipment,
      windMph: numberOf(form.windMph),
      windFrom: form.windFrom,
      temperatureF: degreesOf(form.temperatureF),
      applicator: applicator?.name ?? '',
      licenseNumber: numbers.join(', '),
      license,
      signPosted: form.signPosted,
      noticeLeft: form.noticeLeft ? 'left' : '',
      disposal: form.disposal,
    }),
    unread: [
      ...(area === null || area < 1 ? (['area'] as const) : []),
      ...(products.length === 0 || products.some(({ amount }) => amount <= 0) ? (['amount'] as const) : []),
    ],
  }
}

/** What of the weather and the sign is empty: not every state asks for it, and once the record is saved nobody adds it. */
export const leftEmpty = ({
  windMph,
  temperatureF,
  signPosted,
}: Pick<TreatForm, 'windMph' | 'temperatureF' | 'signPosted'>): ('wind' | 'temperature' | 'signPosted')[] => [
  ...(numberOf(windMph) === null ? (['wind'] as const) : []),
  ...(degreesOf(temperatureF) === null ? (['temperature'] as const) : []),
  ...(signPosted ? [] : (['signPosted'] as const)),
]

/** What the command carries: the record by the contract of the office's own form. */
export const recordOf = (
  chemicals: CrewChemicals,
  form: TreatForm,
  {
    startedAt,
    endedAt,
    notice,
    signedBy,
  }: {
    startedAt: string
    endedAt: string
    notice: string
    /** Who saves it on their phone, and is told that this signs it. */
    signedBy: string
  },
) => {
  const mix = chemicals.mixes.find(({ id }) => id === form.mixId)
  return {
    mix: mix?.name ?? '',
    areaName: form.areaName,
    areaSquareFeet: Math.round(numberOf(form.squareFeet) ?? 0),
    startedAt,
    endedAt,
    products: form.products.map(({ productId, amount }) => ({
      productId,
      rate: mix?.products.find((one) => one.productId === productId)?.rate ?? null,
      amount: numberOf(amount) ?? 0,
    })),
    carrierGallons: numberOf(form.carrierGallons),
    target: form.target,
    method: form.method,
    equipment: form.equipment,
    weather: {
      windMph: numberOf(form.windMph),
      windFrom: form.windFrom,
      temperatureF: degreesOf(form.temperatureF),
      sky: form.sky,
      source: form.source,
    },
    soil: form.soil,
    applicatorId: form.applicatorId,
    supervisorId: form.supervisorId || null,
    signPosted: form.signPosted,
    noticeLeft: form.noticeLeft ? notice : '',
    neighborsTold: form.neighborsTold,
    incident: form.incident,
    disposal: form.disposal,
    signature: signedBy,
  }
}
