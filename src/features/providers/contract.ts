import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

const mailBytes = 10 * 1024 * 1024

export const providersApi = {
  twilioStatus: endpoint({
    method: 'POST',
    path: '/api/webhooks/twilio/status',
    access: 'webhook',
    query: z.object({ m: z.string().max(60).default(''), b: z.string().max(60).default('') }),
    response: z.any(),
    summary: 'What became of a text, signed by the SMS provider',
  }),
  twilioInbound: endpoint({
    method: 'POST',
    path: '/api/webhooks/twilio/inbound',
    access: 'webhook',
    response: z.any(),
    summary: 'A text that came in, signed by the SMS provider',
  }),
  mail: endpoint({
    method: 'POST',
    path: '/api/webhooks/mail',
    access: 'webhook',
    bodyLimitBytes: mailBytes,
    /** The address it came to: the envelope's, not the header's. */
    query: z.object({ to: z.string().max(320).default('') }),
    response: z.object({ received: z.boolean() }),
    summary: 'A mail that came in, as it came from the wire, from our own mail server',
  }),
}
