import { z } from 'zod'
import { type BinaryBody, endpoint } from '../../../shared/endpoint.ts'
import { largestUpload } from '../../files/rules.ts'

/** A photo that can go with a message. */
export const MessagePhoto = z.object({ id: z.uuid(), url: z.string(), smallUrl: z.string() })
export type MessagePhoto = z.output<typeof MessagePhoto>

export const CustomerPhoto = MessagePhoto.extend({
  /** Where it is from. */
  from: z.enum(['visit', 'message']),
  at: z.string(),
})
export type CustomerPhoto = z.output<typeof CustomerPhoto>

const office = { access: 'office', permission: 'customers' } as const

export const messagePhotosApi = {
  add: endpoint({
    method: 'POST',
    path: '/api/messages/photos',
    ...office,
    needsSubscription: true,
    idempotent: 'steps',
    bodyLimitBytes: largestUpload,
    body: z.any() as z.ZodType<BinaryBody>,
    response: MessagePhoto,
    summary: 'A photo that is to go with a message',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/customers/:id/photos',
    ...office,
    params: z.object({ id: z.uuid() }),
    response: z.object({ items: z.array(CustomerPhoto) }),
    summary: 'The newest photos of a customer: of their visits, and of what was written with them by text or mail',
  }),
}
