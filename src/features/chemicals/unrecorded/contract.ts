import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { ApplicationDraft } from '../records/contract.ts'

/** What was put on lawns and is on no record yet: a record of a phone that could not be taken, a stop that was finished without one. */

export const unrecordedKinds = ['refused', 'without'] as const

export const Unrecorded = z.object({
  id: z.uuid(),
  visitId: z.uuid().nullable(),
  jobId: z.uuid().nullable(),
  /** refused: what the phone sent does not fit; without: the stop was finished without a complete record. */
  kind: z.enum(unrecordedKinds),
  at: z.string(),
  by: z.string().nullable(),
  street: z.string().nullable(),
  /** Why it was not taken, or why the crew left without it. */
  reason: z.string(),
  /** Everything that was typed, as it reads. */
  typed: z.array(z.object({ label: z.string(), text: z.string() })),
  /** What of it fits into a record, to go on from; null where nothing was typed. */
  draft: ApplicationDraft.partial().nullable(),
  settledAt: z.string().nullable(),
})
export type Unrecorded = z.output<typeof Unrecorded>

export const unrecordedApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/chemicals/unrecorded',
    access: 'office',
    permission: 'schedule',
    query: z.object({ visitId: z.uuid().optional() }),
    response: z.object({ items: z.array(Unrecorded) }),
    summary: 'Applications that wait to be recorded, the newest first, 50 at most',
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/chemicals/unrecorded/:id/settle',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ note: z.string().trim().min(1, 'Say why nothing is recorded.').max(500) }),
    response: Unrecorded,
    summary: 'Nothing is to be recorded for it; why is kept',
  }),
}
