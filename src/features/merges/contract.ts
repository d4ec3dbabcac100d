import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

const Side = z.object({ id: z.uuid(), name: z.string(), version: z.number().int(), archived: z.boolean() })

export const MergePreview = z.object({
  kept: Side,
  gone: Side,
  /** Why it cannot be done this way round. */
  refusal: z.string().nullable(),
  /** The other way round would do. */
  turned: z.boolean(),
  /** What else there is to know before. */
  notes: z.array(z.string()),
  moves: z.array(z.object({ label: z.string(), count: z.number().int() })),
  /** What the kept record gets from the other. */
  gets: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Where the kept record's word stays. */
  stays: z.array(z.object({ label: z.string(), kept: z.string(), gone: z.string() })),
})
export type MergePreview = z.output<typeof MergePreview>

export const UndoableMerge = z.object({
  id: z.uuid(),
  gone: z.object({ id: z.uuid(), name: z.string() }),
  at: z.string(),
  byName: z.string().nullable(),
  /** The last day on which it can be taken back. */
  until: z.string(),
  /** Why it cannot be any more, though it is not too long ago. */
  refusal: z.string().nullable(),
})
export type UndoableMerge = z.output<typeof UndoableMerge>

const byId = z.object({ id: z.uuid() })
const look = { access: 'office', permission: 'customers' } as const
const change = { ...look, needsSubscription: true, idempotent: true } as const

export const mergesApi = {
  duplicates: endpoint({
    method: 'GET',
    path: '/api/customers/:id/duplicates',
    ...look,
    params: byId,
    response: z.object({
      items: z.array(
        z.object({
          customerId: z.uuid(),
          name: z.string(),
          street: z.string().nullable(),
          archived: z.boolean(),
          matches: z.array(z.enum(['email', 'phone', 'address'])),
        }),
      ),
    }),
    summary: 'Other records with the same e-mail, phone or address',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/customers/:id/merge/:goneId',
    ...look,
    params: z.object({ id: z.uuid(), goneId: z.uuid() }),
    response: MergePreview,
    summary: 'What would move and which fields win, before two records become one',
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/customers/:id/merge',
    ...change,
    params: byId,
    body: z.object({ goneId: z.uuid(), version: z.number().int(), goneVersion: z.number().int() }),
    response: z.object({
      mergeId: z.uuid(),
      keptId: z.uuid(),
      goneId: z.uuid(),
      /** Work or money moved: it is not taken back. */
      isFinal: z.boolean(),
    }),
    summary: 'Make two records of a customer one: the other is archived, all that hangs on it moves',
  }),
  undoable: endpoint({
    method: 'GET',
    path: '/api/customers/:id/merges',
    ...look,
    params: byId,
    response: z.object({ items: z.array(UndoableMerge) }),
    summary: 'What was merged into a customer lately and can be taken back, or why not',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/customer-merges/:id/undo',
    ...change,
    params: byId,
    response: z.object({
      keptId: z.uuid(),
      goneId: z.uuid(),
      /** False where the kept record was changed since: its fields stay as they are now. */
      fieldsBack: z.boolean(),
    }),
    summary: 'Take a merge back',
  }),
}
