import Papa from 'papaparse'
import { z } from 'zod'
import { zip5 } from '../../shared/places.ts'
import { askText } from './ask-service.ts'
import type { FoundAddress, Geocoder } from './geocoder.ts'

/** The US Census Bureau's batch geocoder: a CSV file of up to 10,000 addresses, no key. It places a number along its street. */

const most = 10_000
const coordinates = z
  .string()
  .regex(/^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/)
  .transform((text) => text.split(',').map(Number) as [number, number])
  .refine(([lng, lat]) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180)

const foundIn = (row: readonly string[]): FoundAddress | null => {
  const [, , match, , label = '', place = ''] = row
  if (match === 'No_Match') return null
  // Several streets fit as well; it does not say which.
  if (match === 'Tie') return null
  if (match !== 'Match') throw new Error(`The Census answered "${match}" for an address.`)
  const [lng, lat] = coordinates.parse(place)
  return { lat, lng, quality: 'street', several: false, label: label.slice(0, 300) }
}

export const censusGeocoder = (settings: { url: string; timeoutMs?: number }): Geocoder => ({
  id: 'census',
  name: 'the US Census',
  batch: most,
  everyMs: 1_000,
  keepDays: 365,
  find: async (addresses, signal) => {
    const lines = addresses.map((a, id) => [String(id), a.street, a.city, a.state, zip5(a.zip) ?? ''])
    const form = new FormData()
    form.set('addressFile', new Blob([Papa.unparse(lines, { newline: '\r\n' })], { type: 'text/csv' }), 'addresses.csv')
    form.set('benchmark', 'Public_AR_Current')
    const text = await askText(`${settings.url}/geocoder/locations/addressbatch`, {
      method: 'POST',
      body: form,
      timeoutMs: settings.timeoutMs ?? 300_000,
      signal,
    })
    const { data } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: true })
    const byId = new Map(data.map((row) => [row[0], row]))
    return addresses.map((_, id) => {
      const row = byId.get(String(id))
      if (!row) throw new Error(`The Census answered ${byId.size} of ${addresses.length} addresses.`)
      return foundIn(row)
    })
  },
})
