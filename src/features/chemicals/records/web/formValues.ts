import { type Day, dayOf, instantAt, minuteOfDay } from '../../../../shared/dates.ts'
import type { ChemicalMix, ChemicalProduct } from '../../contract.ts'
import { amountFor, carrierFor, type WeatherSource, type Wind } from '../../rules.ts'
import type { ApplicationDraft } from '../contract.ts'

/** A record as the office types it: days and minutes of the business, amounts that follow the mix and the area. */

export type Values = {
  mixId: string
  areaName: string
  areaSquareFeet: number | null
  day: Day | null
  startMinute: number | null
  endMinute: number | null
  products: { productId: string; rate: number | null; amount: number | null }[]
  carrierGallons: number | null
  target: string
  method: string
  equipment: string
  windMph: number | null
  windFrom: Wind
  temperatureF: number | null
  sky: string
  source: WeatherSource
  soil: string
  applicatorId: string
  supervisorId: string
  signPosted: boolean
  noticeLeft: string
  neighborsTold: string
  incident: string
  disposal: string
  signature: string
  reason: string
}

type Start = {
  areaSquareFeet: number | null
  startedAt: string
  endedAt: string
  applicatorId: string | null
  weather: ApplicationDraft['weather']
}

const weatherValues = (weather: ApplicationDraft['weather']) => ({
  windMph: weather.windMph,
  windFrom: weather.windFrom,
  temperatureF: weather.temperatureF,
  sky: weather.sky,
  source: weather.source,
})

const times = (one: { startedAt: string; endedAt: string }, timeZone: string) => ({
  day: dayOf(one.startedAt, timeZone),
  startMinute: minuteOfDay(one.startedAt, timeZone),
  endMinute: minuteOfDay(one.endedAt, timeZone),
})

/** What a new record begins with, before a mix is chosen. */
export const newValues = (start: Start, timeZone: string, signature: string): Values => ({
  mixId: '',
  areaName: 'Lawn',
  areaSquareFeet: start.areaSquareFeet,
  ...times(start, timeZone),
  products: [],
  carrierGallons: null,
  target: '',
  method: '',
  equipment: '',
  ...weatherValues(start.weather),
  soil: '',
  applicatorId: start.applicatorId ?? '',
  supervisorId: '',
  signPosted: false,
  noticeLeft: '',
  neighborsTold: '',
  incident: '',
  disposal: '',
  signature,
  reason: '',
})

/** A record as it stands, to be put right. */
export const valuesOfDraft = (draft: ApplicationDraft, timeZone: string): Values => ({
  ...draft,
  mixId: '',
  ...times(draft, timeZone),
  ...weatherValues(draft.weather),
  supervisorId: draft.supervisorId ?? '',
  reason: '',
})

/** What of a record that could not be taken a new one goes on from. */
export const typedValues = (draft: Partial<ApplicationDraft> | null, timeZone: string): Partial<Values> => {
  if (!draft) return {}
  const { weather, startedAt, endedAt, supervisorId, mix: _mix, ...rest } = draft
  return {
    ...rest,
    ...(startedAt && endedAt ? times({ startedAt, endedAt }, timeZone) : {}),
    ...(weather ? weatherValues(weather) : {}),
    ...(supervisorId ? { supervisorId } : {}),
  }
}

/** What a mix fills in on an area. */
export const filledBy = (mix: ChemicalMix, areaSquareFeet: number | null) => ({
  products: mix.products.map(({ productId, rate }) => ({
    productId,
    rate,
    amount: areaSquareFeet ? amountFor(rate, areaSquareFeet) : null,
  })),
  carrierGallons: areaSquareFeet ? carrierFor(mix.carrierGallons, areaSquareFeet) : null,
  target: mix.target,
  method: mix.method,
  equipment: mix.equipment,
})

/** What goes to the server. */
export const draftOf = (values: Values, mixName: string, timeZone: string): ApplicationDraft => {
  const {
    day,
    startMinute,
    endMinute,
    mixId: _m,
    reason: _r,
    windMph,
    windFrom,
    temperatureF,
    sky,
    source,
    ...rest
  } = values
  const at = (minute: number | null) => instantAt(day ?? '', minute ?? 0, timeZone)
  // Work over midnight ends on the next day.
  const ends =
    (endMinute ?? 0) < (startMinute ?? 0) && (startMinute ?? 0) - (endMinute ?? 0) > 720
      ? (endMinute ?? 0) + 1440
      : endMinute
  return {
    ...rest,
    mix: mixName,
    areaSquareFeet: values.areaSquareFeet ?? 0,
    startedAt: at(startMinute),
    endedAt: at(ends),
    products: values.products.map(({ productId, rate, amount }) => ({ productId, rate, amount: amount ?? 0 })),
    weather: { windMph, windFrom, temperatureF, sky, source },
    supervisorId: values.supervisorId || null,
  }
}

export const unitOf = (products: readonly ChemicalProduct[], id: string | undefined): string =>
  products.find((one) => one.id === id)?.unit ?? ''
