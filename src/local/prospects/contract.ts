import { z } from 'zod'
import { largestUpload } from '../../features/files/rules.ts'
import { type BinaryBody, endpoint } from '../../shared/endpoint.ts'

const Medium = z.object({ ref: z.string().max(300), mime: z.string().max(100) })

/** The mail and the phone of a prospect, played on this computer. */
export const localProspectsApi = {
  webhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/local-prospects',
    access: 'webhook',
    response: z.object({ received: z.literal(true) }),
    summary: 'Status and inbound texts of the local phone of a prospect, signed',
  }),
  outbox: endpoint({
    method: 'GET',
    path: '/api/local/prospects',
    access: 'public',
    response: z.object({
      mailLeaves: z.boolean(),
      items: z.array(
        z.object({
          id: z.uuid(),
          /** Null for what went to ourselves. */
          leadId: z.uuid().nullable(),
          name: z.string().nullable(),
          channel: z.enum(['email', 'sms']),
          direction: z.enum(['inbound', 'outbound']),
          address: z.string(),
          subject: z.string(),
          text: z.string(),
          html: z.string().nullable(),
          status: z.string(),
          createdAt: z.string(),
          files: z.array(z.object({ name: z.string(), content: z.string() })),
        }),
      ),
    }),
    summary: 'The newest mail and texts with prospects, as they left; not there in production',
  }),
  addMedium: endpoint({
    method: 'POST',
    path: '/api/local/prospects/photos',
    access: 'productOwner',
    bodyLimitBytes: largestUpload,
    /** What the phone says that it is. */
    query: z.object({ mime: z.string().max(100).default('image/jpeg') }),
    body: z.any() as z.ZodType<BinaryBody>,
    response: Medium,
    summary: 'The phone of a prospect: keeps a photo as a provider would, to be sent with a text',
  }),
  act: endpoint({
    method: 'POST',
    path: '/api/local/prospects',
    access: 'productOwner',
    body: z.discriminatedUnion('kind', [
      z
        .object({
          kind: z.literal('text'),
          leadId: z.uuid(),
          text: z.string().trim().max(640),
          media: z.array(Medium).max(10).default([]),
        })
        .refine(({ text, media }) => text !== '' || media.length > 0, {
          path: ['text'],
          error: 'Write something first',
        }),
      z.object({ kind: z.literal('status'), messageId: z.uuid(), status: z.enum(['delivered', 'failed', 'read']) }),
      z.object({
        kind: z.literal('mail'),
        messageId: z.uuid(),
        text: z.string().trim().min(1).max(10_000),
        from: z.email().optional(),
      }),
      z.object({ kind: z.literal('bounce'), messageId: z.uuid() }),
    ]),
    response: z.object({ posted: z.literal(true) }),
    summary: 'Plays the prospect: posts what a provider or a mail server would, by the same way',
  }),
}
