import { z } from 'zod'
import { addressLine } from '../../shared/places.ts'
import { askJson, ServiceError } from './ask-service.ts'
import type { FoundAddress, Geocoder } from './geocoder.ts'

/** Google's Geocoding API. */

const Result = z.object({
  formatted_address: z.string().default(''),
  partial_match: z.boolean().default(false),
  types: z.array(z.string()).default([]),
  geometry: z.object({
    location: z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }),
    location_type: z.enum(['ROOFTOP', 'RANGE_INTERPOLATED', 'GEOMETRIC_CENTER', 'APPROXIMATE']),
  }),
})
const Answer = z.object({
  status: z.string(),
  error_message: z.string().optional(),
  results: z.array(Result).default([]),
})

/** Google says in the body, under status 200, that it does not answer. */
const passing = new Set(['OVER_QUERY_LIMIT', 'UNKNOWN_ERROR'])

const qualityOf = ({ geometry, types }: z.output<typeof Result>): FoundAddress['quality'] => {
  switch (geometry.location_type) {
    case 'ROOFTOP':
      return 'rooftop'
    case 'RANGE_INTERPOLATED':
      return 'street'
    case 'GEOMETRIC_CENTER':
      return types.includes('route') || types.includes('intersection') ? 'street' : 'zip'
    case 'APPROXIMATE':
      return types.includes('postal_code') ? 'zip' : 'county'
  }
}

export const googleGeocoder = (settings: { url: string; key: string; timeoutMs?: number }): Geocoder => ({
  id: 'google',
  name: 'Google',
  batch: 1,
  everyMs: 25,
  // What Google's terms let a customer keep.
  keepDays: 30,
  find: async ([address], signal) => {
    if (!address) return []
    const url = new URL(`${settings.url}/maps/api/geocode/json`)
    url.searchParams.set('address', addressLine(address))
    url.searchParams.set('components', 'country:US')
    url.searchParams.set('key', settings.key)
    const answer = Answer.parse(await askJson(url, { timeoutMs: settings.timeoutMs ?? 15_000, signal }))
    if (answer.status === 'ZERO_RESULTS') return [null]
    const [best, ...others] = answer.results
    if (answer.status !== 'OK' || !best)
      throw new ServiceError(`Google answered ${answer.status}: ${answer.error_message ?? ''}`, {
        passing: passing.has(answer.status),
      })
    const quality = qualityOf(best)
    return [
      {
        ...best.geometry.location,
        // Part of the address is not as it was asked: the street is there, the house may not be.
        quality: best.partial_match && quality === 'rooftop' ? 'street' : quality,
        several: others.some((other) => qualityOf(other) === quality),
        label: best.formatted_address.slice(0, 300),
      },
    ]
  },
})
