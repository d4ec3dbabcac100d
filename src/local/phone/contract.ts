import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

/** The mail and the phone of a business's customers, played on this computer. */
export const localPhoneApi = {
  webhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/local-sms',
    access: 'webhook',
    response: z.object({ received: z.literal(true) }),
    summary: 'Status and inbound texts of the local phone, signed',
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/local/state',
    access: 'office',
    response: z.object({ mailLeaves: z.boolean() }),
    summary: 'What the simulators do; not there in production',
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/local/phone',
    access: 'office',
    body: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('reply'), from: z.string().max(20), text: z.string().trim().min(1).max(640) }),
      z.object({
        kind: z.literal('call'),
        from: z.string().max(20),
        status: z.enum(['no-answer', 'busy', 'completed']),
      }),
      z.object({ kind: z.literal('status'), messageId: z.uuid(), status: z.enum(['delivered', 'failed']) }),
    ]),
    response: z.object({ posted: z.literal(true) }),
    summary: 'The phone simulator: signs and posts the same webhooks a provider would',
  }),
}
