import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

/** Two properties of one customer at one address. */

const Place = z.object({
  id: z.uuid(),
  street: z.string(),
  unit: z.string(),
  city: z.string(),
  version: z.number().int(),
  lawnSquareFeet: z.number().int().nullable(),
  difficulty: z.number().int(),
  /** Parts of it that were measured. */
  areas: z.number().int(),
  jobs: z.number().int(),
  visits: z.number().int(),
})
export type Place = z.output<typeof Place>

const byId = z.object({ id: z.uuid() })
const look = { access: 'office', permission: 'customers' } as const
const change = { ...look, needsSubscription: true, idempotent: true } as const

export const placeMergesApi = {
  pairs: endpoint({
    method: 'GET',
    path: '/api/customers/:id/same-places',
    ...look,
    params: byId,
    response: z.object({ items: z.array(z.object({ kept: Place, gone: Place })) }),
    summary: 'Properties of a customer that are one address written differently',
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/properties/:id/merge',
    ...change,
    params: byId,
    body: z.object({
      goneId: z.uuid(),
      version: z.number().int(),
      goneVersion: z.number().int(),
      /** Whose lawn size, areas and difficulty stand. */
      measures: z.enum(['kept', 'gone']),
    }),
    response: z.object({ mergeId: z.uuid() }),
    summary: 'Make two properties at one address one: what hangs on the other moves, the other is archived',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/property-merges/:id/undo',
    ...change,
    params: byId,
    response: z.object({
      /** False where the kept property was changed since: its fields stay as they are now. */
      fieldsBack: z.boolean(),
    }),
    summary: 'Take the merge of two properties back',
  }),
}
