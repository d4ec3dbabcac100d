import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { paperWayNames } from '../../../shared/paper-ways.ts'
import { email, phone } from '../fields/contract.ts'
import { required, text } from '../properties/contract.ts'
import { contactRoles } from './rules.ts'

const way = z.enum(paperWayNames).nullable()

export const CustomerContact = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(contactRoles),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  note: z.string(),
  /** How each kind of news reaches them; null where they do not get it. */
  invoicesBy: way,
  quotesBy: way,
  visitsBy: way,
  marketingBy: way,
  /** Why no text goes to their phone, as "Replied STOP". */
  noTexts: z.string().nullable(),
  /** Why no mail goes to their address. */
  noMail: z.string().nullable(),
  version: z.number().int(),
})
export type CustomerContact = z.output<typeof CustomerContact>

export const CustomerContacts = z.object({
  customerId: z.uuid(),
  items: z.array(CustomerContact),
})
export type CustomerContacts = z.output<typeof CustomerContacts>

const fields = z.object({
  name: required(120, 'The name'),
  role: z.enum(contactRoles),
  email,
  phone,
  note: text(500, 'The note'),
  invoicesBy: way,
  quotesBy: way,
  visitsBy: way,
  marketingBy: way,
})

export const NewContact = fields.partial().extend({ name: fields.shape.name })
export type NewContact = z.output<typeof NewContact>

export const ContactChanges = fields.partial().extend({ version: z.number().int() })
export type ContactChanges = z.output<typeof ContactChanges>

const byId = z.object({ id: z.uuid() })
const change = {
  access: 'office',
  permission: 'customers',
  needsSubscription: true,
  idempotent: true,
  response: CustomerContacts,
} as const

export const contactsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/customers/:id/contacts',
    access: 'office',
    params: byId,
    response: CustomerContacts,
    summary: 'Who else belongs to a customer, and what each gets',
  }),
  add: endpoint({
    ...change,
    method: 'POST',
    path: '/api/customers/:id/contacts',
    params: byId,
    body: NewContact,
    summary: 'Add a contact with an e-mail, a phone or both; at most 20 a customer',
  }),
  update: endpoint({
    ...change,
    method: 'PATCH',
    path: '/api/customer-contacts/:id',
    params: byId,
    body: ContactChanges,
    summary: 'Change a contact, and what they get and how',
  }),
  remove: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/customer-contacts/:id',
    params: byId,
    summary: 'Remove a contact; what was written to them stays',
  }),
}
