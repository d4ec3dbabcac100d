import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Stroke } from '../../../shared/strokeShape.ts'

/** `counts`: the work is applied after all; `stands`: the visit stays as the office had it. */
export const decisions = ['counts', 'stands'] as const
export type Decision = (typeof decisions)[number]

/** What became of something that the server did not apply. `seen`: an answer of old that some phones still show; nobody decides so any more. */
export const ConflictAnswer = z.object({
  commandId: z.uuid(),
  decision: z.enum([...decisions, 'seen']),
  note: z.string(),
  /** First name of who decided. */
  by: z.string(),
})
export type ConflictAnswer = z.output<typeof ConflictAnswer>

/** What a customer signed at the door, of a sale that waits for the office. */
export const ConflictSignature = z.object({ signer: z.string(), strokes: z.array(Stroke) })
export type ConflictSignature = z.output<typeof ConflictSignature>

/** The most things that a phone asks about at once; what it holds beyond them it asks next. */
export const mostAsked = 200

export const conflictsApi = {
  answers: endpoint({
    method: 'POST',
    path: '/api/crew/answers',
    access: 'member',
    body: z.object({ commandIds: z.array(z.uuid()).min(1).max(mostAsked) }),
    response: z.object({ answers: z.array(ConflictAnswer) }),
    summary: 'What the office has decided about what a phone still holds, however long ago; it changes nothing',
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/crew-conflicts/:id/decide',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({
      decision: z.enum(decisions, { error: 'Say whether it counts.' }),
      /** The crew reads it on the phone. */
      note: z.string().trim().max(300, 'At most 300 characters.').default(''),
      /** Whose money it is that counts, where it was taken at a visit that is deleted. */
      customerId: z.uuid().optional(),
    }),
    response: z.object({ decision: z.enum(decisions), commandIds: z.array(z.uuid()) }),
    summary:
      'Decide about what a phone reported and the visit does not have: work, a skip, money or a treatment, each by itself; its crew is told',
  }),
}
