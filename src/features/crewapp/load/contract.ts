import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { packages } from '../../materials/rules.ts'

/** What is loaded in whole packages: what one is, how much of the unit is in it, and its pounds where somebody knows them. */
const LoadPack = z.object({ of: z.enum(packages), size: z.number(), pounds: z.number().nullable() })

export const loadKinds = ['product', 'water', 'material', 'unset'] as const

/** What a stop's work takes along: products and water of the usual mixes, what is sold by the yard or the piece, and a treatment without a usual mix. */
export const StopLoad = z.array(
  z.object({
    kind: z.enum(loadKinds),
    /** Empty for water. */
    name: z.string(),
    unit: z.string(),
    /** Null where the lawn was not measured. */
    amount: z.number().nullable(),
    /** Only of a material that the calculator put there. */
    pack: LoadPack.optional(),
  }),
)
export type StopLoad = z.output<typeof StopLoad>

const LoadLine = z.object({
  name: z.string(),
  unit: z.string(),
  amount: z.number(),
  stops: z.number().int(),
  pack: LoadPack.optional(),
})

/** What goes on a truck for a day. */
const DayLoadFacts = z.object({
  work: z.array(z.object({ name: z.string(), stops: z.number().int(), withoutMix: z.boolean() })),
  products: z.array(LoadLine),
  waterGallons: z.number(),
  materials: z.array(LoadLine),
  /** Of packages and water together; `isLeast` where something is loaded besides that nobody has weighed. Null where nothing of it is known. */
  weight: z.object({ pounds: z.number(), isLeast: z.boolean() }).nullable(),
  unmeasured: z.array(z.object({ street: z.string(), names: z.array(z.string()) })),
  equipment: z.array(z.object({ name: z.string(), out: z.string().nullable() })),
})

export const CrewLoad = z.object({
  crewId: z.uuid(),
  name: z.string(),
  people: z.array(z.string()),
  stops: z.number().int(),
  /** The crew was sent this day. */
  published: z.boolean(),
  /** The day was changed after it was sent: the list is still the one that was sent. */
  changed: z.boolean(),
  load: DayLoadFacts,
})
export type CrewLoad = z.output<typeof CrewLoad>

export const loadApi = {
  day: endpoint({
    method: 'GET',
    path: '/api/load-lists',
    access: 'office',
    permission: 'schedule',
    query: z.object({ day: z.iso.date('Use a day like 2026-06-12.') }),
    response: z.object({ day: z.string(), crews: z.array(CrewLoad) }),
    summary: 'What each crew’s truck takes along on a day, of the stops that are still to be worked',
  }),
}
