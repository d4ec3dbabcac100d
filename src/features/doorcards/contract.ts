import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { doorKinds, mostDoors } from './rules.ts'

export const Door = z.object({
  /** The address of the building in one form, without a unit, to choose it by. */
  key: z.string(),
  kind: z.enum(doorKinds),
  /** Who lives there, as far as we know them. */
  name: z.string().nullable(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  meters: z.number().int().nullable(),
  /** It got a card so short ago that it is left in peace. */
  askedAt: z.string().nullable(),
})
export type Door = z.output<typeof Door>

export const Neighbors = z.object({
  street: z.string(),
  /** Without a pin only the house numbers beside are known. */
  pinned: z.boolean(),
  /** The business's page takes requests; without it a card leads nowhere. */
  hasPage: z.boolean(),
  doors: z.array(Door),
})
export type Neighbors = z.output<typeof Neighbors>

export const CardBatch = z.object({
  id: z.uuid(),
  /** Of the stop that they were made around. */
  street: z.string(),
  language: z.enum(['en', 'es']),
  offer: z.string(),
  doors: z.number().int(),
  byName: z.string().nullable(),
  createdAt: z.string(),
  undoneAt: z.string().nullable(),
  can: z.object({ undo: z.boolean(), print: z.boolean() }),
})
export type CardBatch = z.output<typeof CardBatch>

const office = { access: 'office', permission: 'customers' } as const
const byId = z.object({ id: z.uuid() })

export const doorcardsApi = {
  near: endpoint({
    method: 'GET',
    path: '/api/properties/:id/neighbors',
    ...office,
    params: byId,
    response: Neighbors,
    summary: 'Doors near a stop that could get a card',
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/properties/:id/door-cards',
    ...office,
    needsSubscription: true,
    idempotent: true,
    params: byId,
    body: z.object({
      keys: z
        .array(z.string().max(300))
        .min(1, 'Choose at least one door.')
        .max(mostDoors, `At most ${mostDoors} doors at once.`),
      language: z.enum(['en', 'es']),
      offer: z.string().trim().max(120, 'At most 120 characters.'),
    }),
    response: z.object({ id: z.uuid(), doors: z.number().int() }),
    summary: 'Cards for chosen doors; they are left in peace for a while then',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/door-cards',
    ...office,
    query: z.object(page(10)),
    response: z.object({ items: z.array(CardBatch), nextCursor: z.string().nullable() }),
    summary: 'Cards that were made, the newest first',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/door-cards/:id/undo',
    ...office,
    idempotent: true,
    params: byId,
    response: CardBatch,
    summary: 'Cards that were never hung: their doors may get another one',
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/door-cards/:id/pdf',
    ...office,
    params: byId,
    response: z.any(),
    summary: 'The cards to print and cut, four on a page',
  }),
}
