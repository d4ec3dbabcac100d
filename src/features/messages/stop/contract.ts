import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Message } from '../contract.ts'

export const stopApi = {
  // without a plan, too: a no is obeyed whenever it is said
  settle: endpoint({
    method: 'POST',
    path: '/api/messages/:id/stop-doubt',
    access: 'office',
    permission: 'customers',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ meant: z.enum(['stop', 'fine']) }),
    response: Message,
    summary: 'Say whether a text that may ask for no more texts did; a STOP ends them at once',
  }),
}
