import { z } from 'zod'
import { config } from '../config.ts'
import { askJson, patiently, ServiceError } from './ask-service.ts'

/** Forecasts by the hour from Open-Meteo and what speaks like it (https://open-meteo.com/en/docs). */

/** An hour from its beginning; null is not known. */
export type ForecastHour = {
  /** ISO instant. */
  at: string
  rainHundredths: number | null
  chancePercent: number | null
  windMph: number | null
  temperatureF: number | null
  humidityPercent: number | null
  /** Where the wind comes from, 0 is north, 90 is east; what was read before we asked has none. */
  windDegrees?: number | null
  cloudPercent?: number | null
}

const values = (least: number, most: number) => z.array(z.number().min(least).max(most).nullable())

const Forecast = z.object({
  // Another unit than the one asked for would be rain in millimeters taken for inches.
  hourly_units: z.object({
    precipitation: z.literal('inch'),
    wind_speed_10m: z.enum(['mp/h', 'mph']),
    temperature_2m: z.literal('°F'),
  }),
  hourly: z.object({
    time: z
      .array(z.number().int())
      .min(24)
      .max(24 * 20),
    precipitation: values(0, 30),
    precipitation_probability: values(0, 100),
    wind_speed_10m: values(0, 300),
    temperature_2m: values(-120, 160),
    relative_humidity_2m: values(0, 110).optional(),
    dew_point_2m: values(-120, 120).optional(),
    wind_direction_10m: values(0, 360).optional(),
    cloud_cover: values(0, 100).optional(),
  }),
})

const celsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9

/** Relative humidity in percent from temperature and dew point, both in °F (Magnus formula). */
export const humidityOf = (temperatureF: number, dewPointF: number): number => {
  const pressure = (c: number): number => Math.exp((17.625 * c) / (243.04 + c))
  return Math.min(100, Math.round((100 * pressure(celsius(dewPointF))) / pressure(celsius(temperatureF))))
}

const hourSeconds = 3600

/**
 * What a service answered as hours. Rain and its chance are told at the end of their hour, everything else at the moment.
 * @throws ServiceError when it can be no forecast: other units, lists of other lengths, hours that are none
 */
export const readForecast = (answer: unknown): ForecastHour[] => {
  const parsed = Forecast.safeParse(answer)
  if (!parsed.success)
    throw new ServiceError('The weather service answered something that is no forecast.', { passing: false })
  const { time, ...lists } = parsed.data.hourly
  if (Object.values(lists).some((list) => list !== undefined && list.length !== time.length))
    throw new ServiceError('The weather service left out some hours.', { passing: false })
  if (time.some((second, i) => second % hourSeconds !== 0 || (i > 0 && second !== time[i - 1]! + hourSeconds)))
    throw new ServiceError('The weather service answered hours that do not follow each other.', { passing: false })
  const rounded = (value: number | null | undefined, times = 1) =>
    value === null || value === undefined ? null : Math.round(value * times)
  return time.map((second, i) => {
    const [temperature, dewPoint] = [lists.temperature_2m[i] ?? null, lists.dew_point_2m?.[i] ?? null]
    const humidity = rounded(lists.relative_humidity_2m?.[i])
    return {
      at: new Date(second * 1000).toISOString(),
      rainHundredths: rounded(lists.precipitation[i + 1], 100),
      chancePercent: rounded(lists.precipitation_probability[i + 1]),
      windMph: rounded(lists.wind_speed_10m[i]),
      temperatureF: rounded(temperature),
      humidityPercent:
        humidity ?? (temperature === null || dewPoint === null ? null : humidityOf(temperature, dewPoint)),
      ...(lists.wind_direction_10m ? { windDegrees: rounded(lists.wind_direction_10m[i]) } : {}),
      ...(lists.cloud_cover ? { cloudPercent: rounded(lists.cloud_cover[i]) } : {}),
    }
  })
}

const tries = 2
const fields =
  'precipitation,precipitation_probability,wind_speed_10m,temperature_2m,relative_humidity_2m,dew_point_2m,wind_direction_10m,cloud_cover'

let url = config.weatherUrl
let timeoutMs = 8_000

/** Whether the environment names a weather service. */
export const hasWeatherService = (): boolean => url !== undefined

/** For tests: another service, or none; without an argument the one of the environment. */
export const configureWeather = (settings?: { url: string | null; timeoutMs?: number }): void => {
  url = settings ? (settings.url ?? undefined) : config.weatherUrl
  timeoutMs = settings?.timeoutMs ?? 8_000
}

/**
 * The forecast of a place: yesterday and nine days. Slow: never inside a transaction.
 * @throws ServiceError when the service does not answer in time, or nonsense
 */
export const askForecast = (place: { latitude: number; longitude: number }): Promise<ForecastHour[]> => {
  const address = new URL(url ?? '')
  if (address.pathname === '/') address.pathname = '/v1/forecast'
  for (const [key, value] of Object.entries({
    latitude: `${place.latitude}`,
    longitude: `${place.longitude}`,
    hourly: fields,
    temperature_unit: 'fahrenheit',
    wind_speed_unit: 'mph',
    precipitation_unit: 'inch',
    timeformat: 'unixtime',
    past_days: '1',
    forecast_days: '9',
  }))
    address.searchParams.set(key, value)
  return patiently(tries, undefined, async () => readForecast(await askJson(address, { timeoutMs })))
}
