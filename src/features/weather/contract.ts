import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Span = z.object({ fromMinute: z.number().int(), toMinute: z.number().int() })
const known = z.number().int().nullable()

/** A day as the office sees its weather; where crews start in several places, the worst of them. */
export const WeatherDay = z.object({
  day: Day,
  /** What matters most of it; null where nothing is known. */
  icon: z.enum(['rain', 'wind', 'heat', 'dry']).nullable(),
  hours: z.array(
    z.object({
      hour: z.number().int(),
      rainHundredths: known,
      chancePercent: known,
      windMph: known,
      heatIndexF: known,
      marked: z.boolean().nullable(),
    }),
  ),
  /** What was marked by hand; null where the forecast counts. Version 0: nothing ever was. */
  mark: z.object({ hours: z.array(z.number().int()).nullable(), version: z.number().int() }),
  work: Span,
  wet: z.array(Span),
  windy: z.array(Span),
  hot: z.array(Span),
  lostMinutes: z.number().int(),
  workMinutes: z.number().int(),
  rainHundredths: known,
  chancePercent: known,
  /** Moving the day is worth a look. */
  suggests: z.boolean(),
  /** Within 48 hours: the figures below are counted. */
  soon: z.boolean(),
  /** Visits that are still open, and those of them in wet hours. */
  openVisits: z.number().int(),
  visits: z.number().int(),
  /** Treatments in windy, and in hot hours. */
  windyTreatments: z.number().int(),
  hotTreatments: z.number().int(),
})
export type WeatherDay = z.output<typeof WeatherDay>

export const Weather = z.object({
  today: Day,
  /** Who says so: a service, or the office by hand. */
  source: z.enum(['service', 'hand']),
  /** When the forecast came; null before the first, and by hand. */
  readAt: z.string().nullable(),
  /** The service did not answer the last time. What stands here is older, or nothing. */
  failed: z.boolean(),
  days: z.array(WeatherDay),
})
export type Weather = z.output<typeof Weather>

export const longestSpanDays = 42

export const weatherApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/weather',
    access: 'office',
    permission: 'schedule',
    query: z.object({ from: Day.optional(), days: z.coerce.number().int().min(1).max(longestSpanDays).default(3) }),
    response: Weather,
    summary: 'Weather of some days: what is lost, and which treatments it speaks against',
  }),
  mark: endpoint({
    method: 'PUT',
    path: '/api/weather/marks',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    body: z.object({
      day: Day,
      /** Wet hours, 0 to 23; none says that it stays dry; null lets the forecast count again. */
      hours: z.array(z.number().int().min(0).max(23)).max(24).nullable(),
      version: z.number().int(),
    }),
    response: Weather,
    summary: 'Mark the wet hours of a day by hand',
  }),
}
