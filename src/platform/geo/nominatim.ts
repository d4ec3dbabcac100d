import { z } from 'zod'
import { zip5 } from '../../shared/places.ts'
import { askJson } from './ask-service.ts'
import type { FoundAddress, Geocoder } from './geocoder.ts'

/** Nominatim and what speaks like it. The public server's usage policy: one request a second, a name and contact, results kept. */

const number = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .transform(Number)
const Place = z.object({
  lat: number.refine((lat) => Math.abs(lat) <= 90),
  lon: number.refine((lon) => Math.abs(lon) <= 180),
  display_name: z.string().default(''),
  place_rank: z.number().default(0),
  addresstype: z.string().default(''),
  address: z.object({ house_number: z.string().optional(), road: z.string().optional() }).default({}),
})
const Places = z.array(Place)

/** Ranks of Nominatim: 30 a house, 26 and 27 streets, 21 to 25 postal codes and blocks. */
const qualityOf = ({ place_rank: rank, addresstype, address }: z.output<typeof Place>): FoundAddress['quality'] =>
  address.house_number !== undefined && rank >= 28
    ? 'rooftop'
    : rank >= 26 || address.road !== undefined
      ? 'street'
      : addresstype === 'postcode' || rank >= 21
        ? 'zip'
        : 'county'

const farDegrees = 0.02

/**
 * @param settings.url as `https://nominatim.example.com`
 * @param settings.contact e-mail address that the usage policy asks for
 * @param settings.everyMs least time between two requests; 1,000 for the public server
 */
export const nominatimGeocoder = (settings: {
  url: string
  contact: string
  everyMs: number
  timeoutMs?: number
}): Geocoder => ({
  id: 'nominatim',
  name: 'Nominatim',
  batch: 1,
  everyMs: settings.everyMs,
  keepDays: 365,
  find: async ([address], signal) => {
    if (!address) return []
    const url = new URL(`${settings.url}/search`)
    const zip = zip5(address.zip)
    for (const [key, value] of Object.entries({
      format: 'jsonv2',
      addressdetails: '1',
      limit: '3',
      countrycodes: 'us',
      street: address.street,
      city: address.city,
      state: address.state,
      postalcode: zip ?? '',
      email: settings.contact,
    }))
      if (value) url.searchParams.set(key, value)
    const places = Places.parse(
      await askJson(url, {
        headers: { 'user-agent': `Swath (${settings.contact})`, 'accept-language': 'en' },
        timeoutMs: settings.timeoutMs ?? 15_000,
        signal,
      }),
    )
    const [best] = places
    if (!best) return [null]
    const quality = qualityOf(best)
    const several = places.some(
      (other) =>
        qualityOf(other) === quality &&
        (Math.abs(other.lat - best.lat) > farDegrees || Math.abs(other.lon - best.lon) > farDegrees),
    )
    return [{ lat: best.lat, lng: best.lon, quality, several, label: best.display_name.slice(0, 300) }]
  },
})
