import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
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

const onDay = z.object({ day: z.string().refine(isDay, 'Choose a day.') })

/** What a crew's day can still take. */
export const CrewRoom = z.object({
  id: z.uuid(),
  name: z.string(),
  color: z.string(),
  stops: z.number().int(),
  /** By the clock, with the people who are there. */
  freeMinutes: z.number().int(),
})
export type CrewRoom = z.output<typeof CrewRoom>

/** Somebody near the stops of a crew for whom nothing is booked. */
export const NearPerson = Door.omit({ kind: true, meters: true, name: true }).extend({
  kind: z.enum(['past', 'lead']),
  name: z.string(),
  meters: z.number().int(),
  customerId: z.uuid().nullable(),
  leadId: z.uuid().nullable(),
  archived: z.boolean(),
  /** Of the stop that is nearest. */
  stopStreet: z.string(),
})
export type NearPerson = z.output<typeof NearPerson>

export const CrewNeighbors = z.object({
  /** The properties of its stops, in their order, each once. */
  stops: z.array(z.object({ id: z.uuid(), street: z.string() })),
  people: z.array(NearPerson),
})
export type CrewNeighbors = z.output<typeof CrewNeighbors>

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
  rooms: endpoint({
    method: 'GET',
    path: '/api/neighbors/crews',
    ...office,
    query: onDay,
    response: z.object({ crews: z.array(CrewRoom) }),
    summary: 'Crews that work on a day, with the time that they have left',
  }),
  ofCrew: endpoint({
    method: 'GET',
    path: '/api/crews/:id/neighbors',
    ...office,
    params: byId,
    query: onDay,
    response: CrewNeighbors,
    summary: "People near the stops of a crew's day for whom nothing is booked",
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
