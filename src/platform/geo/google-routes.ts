import { z } from 'zod'
import { addDays, instantAt, weekdayOf } from '../../shared/dates.ts'
import { clock } from '../clock.ts'
import { askText } from './ask-service.ts'
import { type Block, type Departure, notAnswered, noWay, type Place, type TravelEngine } from './travel-engine.ts'

/** Google's Routes API, computeRouteMatrix. It streams one element a pair, in any order. */

const Element = z.object({
  // Google leaves out what is 0.
  originIndex: z.int().min(0).default(0),
  destinationIndex: z.int().min(0).default(0),
  status: z.object({ code: z.int().default(0), message: z.string().optional() }).default({ code: 0 }),
  condition: z.enum(['ROUTE_EXISTS', 'ROUTE_NOT_FOUND', 'ROUTE_MATRIX_ELEMENT_CONDITION_UNSPECIFIED']).optional(),
  distanceMeters: z.number().min(0).default(0),
  duration: z
    .string()
    .regex(/^\d+(\.\d{1,9})?s$/)
    .optional(),
})
const Elements = z.array(Element)

/** 625 elements a call; places are given by coordinates. */
const limits = { sources: 25, targets: 25, pairs: 625, places: 50 }

const fieldMask = 'originIndex,destinationIndex,status,condition,distanceMeters,duration'

/** The stream as it comes: one JSON array, or an element a line. */
const parseStream = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  }
}

/**
 * The block in an answer of computeRouteMatrix. A pair that Google had a fault with is `notAnswered`.
 * @throws Error when a pair is missing, comes twice or was never asked for
 */
const blockOf = (text: string, height: number, width: number): Block => {
  const elements = Elements.parse(parseStream(text))
  const seconds = new Int32Array(height * width).fill(notAnswered)
  const meters = new Int32Array(height * width)
  const seen = new Set<number>()
  for (const { originIndex, destinationIndex, status, condition, distanceMeters, duration } of elements) {
    if (originIndex >= height || destinationIndex >= width) throw new Error('Google answered pairs nobody asked for.')
    const cell = originIndex * width + destinationIndex
    if (seen.has(cell)) throw new Error('Google answered a pair twice.')
    seen.add(cell)
    if (status.code !== 0) continue
    if (condition === 'ROUTE_NOT_FOUND') seconds[cell] = noWay
    else if (condition === 'ROUTE_EXISTS' && duration !== undefined) {
      seconds[cell] = Math.round(Number(duration.slice(0, -1)))
      meters[cell] = Math.round(distanceMeters)
    }
  }
  if (seen.size !== height * width) throw new Error(`Google answered ${seen.size} of ${height * width} pairs.`)
  return { seconds, meters }
}

const hours = [0, 6, 9, 15, 18] as const

/** Sunday, Saturday or a working day, times five spans of the day: what traffic is like. */
const bucketOf = ({ day, minute }: Departure): number => {
  const weekday = weekdayOf(day)
  const kind = weekday === 0 ? 0 : weekday === 6 ? 1 : 2
  return 1 + kind * hours.length + hours.findLastIndex((hour) => minute >= hour * 60)
}

/** Google knows traffic of the future only: the next such weekday at that hour. */
const nextDeparture = ({ day, minute, timeZone }: Departure): string => {
  let next = day
  while (instantAt(next, minute, timeZone) <= clock.iso()) next = addDays(next, 7)
  return instantAt(next, minute, timeZone)
}

/**
 * Google Routes as the engine. Every pair costs money, so only what is missing is asked for.
 * @param settings.traffic asks for the usual traffic of that kind of day and hour, at Google's higher price
 */
export const googleEngine = (settings: {
  url: string
  key: string
  traffic: boolean
  timeoutMs?: number
}): TravelEngine => ({
  id: settings.traffic ? 'google:traffic' : 'google',
  limits,
  // What Google's terms let a customer keep.
  keepDays: 30,
  bucketOf: settings.traffic ? bucketOf : () => 0,
  ask: async (sources, targets, { departure, signal }) => {
    const waypoint = ({ lat, lng }: Place) => ({
      waypoint: { location: { latLng: { latitude: Number(lat.toFixed(6)), longitude: Number(lng.toFixed(6)) } } },
    })
    const text = await askText(`${settings.url}/distanceMatrix/v2:computeRouteMatrix`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': settings.key, 'x-goog-fieldmask': fieldMask },
      body: JSON.stringify({
        origins: sources.map(waypoint),
        destinations: targets.map(waypoint),
        travelMode: 'DRIVE',
        routingPreference: settings.traffic ? 'TRAFFIC_AWARE' : 'TRAFFIC_UNAWARE',
        ...(settings.traffic ? { departureTime: nextDeparture(departure) } : {}),
      }),
      timeoutMs: settings.timeoutMs ?? 15_000,
      signal,
    })
    return blockOf(text, sources.length, targets.length)
  },
})
