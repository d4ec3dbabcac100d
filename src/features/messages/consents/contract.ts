import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { consentHows, standings } from './rules.ts'

const Channel = z.enum(['email', 'sms'])
const Action = z.enum(['grant', 'revoke'])

export const CustomerConsents = z.object({
  customerId: z.uuid(),
  /** Each number and address of the customer and their contacts, and whether offers may go there. */
  addresses: z.array(
    z.object({
      channel: Channel,
      address: z.string(),
      /** Whose it is: the customer or a contact. */
      name: z.string(),
      standing: z.enum(standings),
      /** Why nothing, or no offer, goes there any more; null where it was only said to the office, or never asked. */
      reason: z.string().nullable(),
      can: z.object({ agree: z.boolean(), takeBack: z.boolean() }),
    }),
  ),
  /** The newest 50 words about them; nothing here is ever changed. */
  items: z.array(
    z.object({
      id: z.uuid(),
      channel: Channel,
      address: z.string(),
      purpose: z.enum(['transactional', 'marketing']),
      action: Action,
      source: z.string(),
      wording: z.string(),
      /** Who of the business wrote it down. */
      byName: z.string().nullable(),
      /** The day on which it was said. */
      day: z.string(),
      at: z.string(),
    }),
  ),
})
export type CustomerConsents = z.output<typeof CustomerConsents>

const ofCustomer = {
  path: '/api/customers/:id/consents',
  access: 'office',
  permission: 'customers',
  params: z.object({ id: z.uuid() }),
  response: CustomerConsents,
} as const

export const consentsApi = {
  list: endpoint({
    method: 'GET',
    ...ofCustomer,
    summary: 'Who of a customer agreed to offers, where, and what they said of it',
  }),
  // without a plan, too: a no is written down whenever it is said
  record: endpoint({
    method: 'POST',
    ...ofCustomer,
    idempotent: true,
    body: z.object({
      channel: Channel,
      address: z.string().trim().min(3).max(254),
      action: Action,
      how: z.enum(consentHows),
      on: z.string().refine(isDay, 'Not a day of the calendar'),
      note: z.string().trim().max(500).default(''),
    }),
    summary: 'Write down that somebody agreed to offers, or took it back; a STOP stays theirs',
  }),
}
