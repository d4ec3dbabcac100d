import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { headerLine } from '../../../shared/headerLine.ts'

export const leadAccountApi = {
  invite: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/account',
    access: 'productOwner',
    params: z.object({ leadId: z.uuid() }),
    body: z.object({
      name: headerLine(120).min(1, 'Enter a name'),
      businessName: headerLine(120).min(1, 'What is the business called?'),
    }),
    response: z.object({
      email: z.string(),
      /** Opened now; or opened before and the link mailed again, or mailed minutes ago and left at that. */
      state: z.enum(['invited', 'sent_again', 'sent_already']),
    }),
    summary: 'Opens an account for the person and company of a lead, and mails them a link to set a password',
  }),
}
