import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

const Password = z.string().min(1, 'Enter your password').max(128)

/** What the owner sees before handing the business over or closing it. */
export const Closing = z.object({
  businessName: z.string(),
  /** Whether a subscription still runs; it has to be ended first. */
  subscriptionRuns: z.boolean(),
  /** Active Admins who could become the owner. */
  candidates: z.array(z.object({ id: z.uuid(), name: z.string(), email: z.string().nullable() })),
})
export type Closing = z.output<typeof Closing>

export const closingApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/business/ownership',
    access: 'owner',
    response: Closing,
    summary: 'Who could take the business over, and whether it can be closed',
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/business/ownership',
    access: 'owner',
    idempotent: 'steps',
    body: z.object({ userId: z.uuid(), password: Password }),
    response: z.object({ ownerId: z.uuid() }),
    summary: 'Hand the business to an active Admin; the owner becomes an Admin',
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/business/close',
    access: 'owner',
    body: z.object({ password: Password, businessName: z.string().trim().max(200) }),
    response: z.object({ closed: z.literal(true), deleteAfter: z.string() }),
    summary: 'Close the business; it is deleted after 30 days unless the owner opens it again',
  }),
}
