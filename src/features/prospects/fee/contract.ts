import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Application } from '../application/contract.ts'
import { LeadSprint } from '../sprint/contract.ts'

const Token = z.object({ token: z.string().max(100) })

export const feeApi = {
  pay: endpoint({
    method: 'POST',
    path: '/api/leads/application/:token/fee',
    access: 'public',
    params: Token,
    response: z.object({ url: z.string() }),
    summary:
      'The hosted checkout of a confirmed onboarding fee; an open one is used again. Only for a link from our mail',
  }),
  sync: endpoint({
    method: 'POST',
    path: '/api/leads/application/:token/fee/sync',
    access: 'public',
    params: Token,
    response: Application,
    summary: 'Back from the checkout: asks the provider what happened',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/sprint/fee/send',
    access: 'productOwner',
    idempotent: true,
    params: z.object({ leadId: z.uuid() }),
    response: LeadSprint,
    summary: 'Mails the checkout link of a confirmed onboarding fee, once a day at most',
  }),
}
