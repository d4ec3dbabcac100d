import { z } from 'zod'
import { largestUpload } from '../../features/files/rules.ts'
import { type BinaryBody, endpoint } from '../../shared/endpoint.ts'

const Medium = z.object({ ref: z.string().max(300), mime: z.string().max(100) })

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
  addMedium: endpoint({
    method: 'POST',
    path: '/api/local/phone/photos',
    access: 'office',
    bodyLimitBytes: largestUpload,
    /** What the phone says that it is. */
    query: z.object({ mime: z.string().max(100).default('image/jpeg') }),
    body: z.any() as z.ZodType<BinaryBody>,
    response: Medium,
    summary: 'The phone simulator: keeps a photo as a provider would, to be sent with a text',
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/local/phone',
    access: 'office',
    body: z.discriminatedUnion('kind', [
      z
        .object({
          kind: z.literal('reply'),
          from: z.string().max(20),
          text: z.string().trim().max(640),
          media: z.array(Medium).max(10).default([]),
        })
        .refine(({ text, media }) => text !== '' || media.length > 0, {
          path: ['text'],
          error: 'Write something first',
        }),
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
