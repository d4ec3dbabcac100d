import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { messageStatuses } from '../rules.ts'
import { outcomes } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const LogRow = z.object({
  id: z.uuid(),
  channel: z.enum(['email', 'sms']),
  purpose: z.enum(['transactional', 'marketing', 'reply']),
  customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  address: z.string(),
  /** A mail's subject, the beginning of a text. */
  text: z.string(),
  status: z.enum(messageStatuses),
  runAfter: z.string().nullable(),
  createdAt: z.string(),
  /** "Invoice reminder": what it is about. */
  cause: z.string(),
  /** Why it was sent or was not, in sentences, the outcome first. */
  why: z.array(z.string()),
})
export type LogRow = z.output<typeof LogRow>

export const messageLogApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/messages/log',
    access: 'office',
    permission: 'customers',
    query: z.object({
      ...page(50),
      customerId: z.uuid().optional(),
      channel: z.enum(['email', 'sms']).optional(),
      outcome: z.enum(outcomes).optional(),
      /** The last day that is shown; older ones follow. */
      until: Day.optional(),
    }),
    response: z.object({ items: z.array(LogRow), nextCursor: z.string().nullable() }),
    summary: 'What went to customers and what did not, newest first, and why in sentences',
  }),
}
