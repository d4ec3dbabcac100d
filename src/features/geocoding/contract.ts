import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { placeQualities } from '../../shared/places.ts'

const part = (max: number) => z.string().trim().max(max).default('')

export const PlaceFound = z.object({
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  quality: z.enum(placeQualities),
  /** Why it is not better, for the person who asked. */
  note: z.string(),
})
export type PlaceFound = z.output<typeof PlaceFound>

export const geocodingApi = {
  find: endpoint({
    method: 'POST',
    path: '/api/geocoding/find',
    access: 'office',
    body: z
      .object({ street: part(200), city: part(100), state: part(40), zip: part(12) })
      .refine((a) => a.street + a.city + a.zip !== '', { path: ['street'], message: 'Type an address first.' }),
    response: PlaceFound,
    summary: 'Where an address is; nothing is kept on a customer',
  }),
  again: endpoint({
    method: 'POST',
    path: '/api/geocoding/again',
    access: 'office',
    permission: 'customers',
    needsSubscription: true,
    response: z.object({ waiting: z.number().int() }),
    summary: 'Look up again every address that has no good place; pins set by hand stay',
  }),
}
