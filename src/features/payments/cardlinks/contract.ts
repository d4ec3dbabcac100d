import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

const Token = z.object({ token: z.string().max(100) })

/** By what a customer gets the link; `hand` is nothing of ours. */
export type LinkWay = 'email' | 'sms' | 'hand'

/** The address at which a customer leaves a card without paying, and until when it is good. */
export const CardLink = z.object({
  url: z.string(),
  expiresAt: z.string(),
  /** Where it was sent, or null where the office hands it on. */
  address: z.string().nullable(),
  /** Quiet hours hold the text until then. */
  waitsUntil: z.string().nullable(),
})
export type CardLink = z.output<typeof CardLink>

export const cardLinksApi = {
  send: endpoint({
    method: 'POST',
    path: '/api/customers/:id/card/link',
    access: 'office',
    permission: 'money',
    needsSubscription: true,
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({ by: z.enum(['email', 'sms', 'hand']) }),
    response: CardLink,
    summary: 'A link at which the customer leaves a card without paying; mailed, texted, or to hand on',
  }),
  /** A page of its own, whole without a script. */
  page: endpoint({
    method: 'GET',
    path: '/card/:token',
    access: 'public',
    params: Token,
    query: z.object({ done: z.string().max(1).optional().catch(undefined) }),
    response: z.any(),
    summary: 'What a customer agrees to who leaves a card, as a page',
  }),
  leave: endpoint({
    method: 'POST',
    path: '/card/:token/leave',
    access: 'public',
    form: true,
    params: Token,
    /** The words that were read. */
    body: z.object({ mandate: z.string().max(2000) }),
    response: z.any(),
    summary: 'The provider’s page on which the card is typed in; nothing is charged',
  }),
  ofStatement: endpoint({
    method: 'POST',
    path: '/s/:token/card',
    access: 'public',
    form: true,
    params: Token,
    response: z.any(),
    summary: 'The same, from the customer’s statement',
  }),
}
