import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { callKinds } from '../../prospects/calls/rules.ts'
import { leadStatuses } from '../../prospects/rules.ts'
import { Lead, LeadFilter } from '../contract.ts'

const Params = z.object({ leadId: z.uuid() })

/** One thing that happened with a lead: a note of the desk, a look at a page, a change of status, an account opened for it. */
const Moment = z.object({
  _id: z.uuid(),
  kind: z.enum(['note', 'view', 'status', 'account']),
  /** The note; the path of the page; the new status; the business. */
  text: z.string(),
  /** Who noted it. */
  author: z.string().nullable(),
  at: z.string(),
})
export type Moment = z.output<typeof Moment>

const AgendaCall = z.object({
  _id: z.uuid(),
  leadId: z.uuid(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  kind: z.enum(callKinds),
  title: z.string(),
  minutes: z.number().int(),
  startsAt: z.string(),
  endsAt: z.string(),
  note: z.string(),
})
export type AgendaCall = z.output<typeof AgendaCall>

const filter = LeadFilter.omit({ cursor: true, limit: true, conversations: true })
export type LeadsOf = z.output<typeof filter>

export const followupApi = {
  setStatuses: endpoint({
    method: 'POST',
    path: '/api/leads/owner/leads/status',
    access: 'productOwner',
    idempotent: true,
    body: z.object({
      choice: z.union([
        z.object({ ids: z.array(z.uuid()).min(1).max(500, 'At most 500 leads at once') }),
        z.object({ filter }),
      ]),
      status: z.enum(leadStatuses),
    }),
    response: z.object({ changed: z.number().int() }),
    summary: 'One status for several leads: some by id, or all that match a filter',
  }),
  exportCsv: endpoint({
    method: 'GET',
    path: '/api/leads/owner/leads.csv',
    access: 'productOwner',
    query: filter,
    response: z.string(),
    summary: 'The leads of a filter as CSV',
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/leads/owner/:leadId/history',
    access: 'productOwner',
    params: Params,
    response: z.object({ items: z.array(Moment) }),
    summary: 'Notes, looks at pages and changes of status of a lead, newest first',
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/notes',
    access: 'productOwner',
    idempotent: true,
    params: Params,
    body: z.object({ text: z.string().trim().min(1, 'Write something first').max(4000, 'At most 4,000 characters') }),
    response: Moment,
    summary: 'Notes something on a lead; it stays as it was written',
  }),
  markSeen: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/seen',
    access: 'productOwner',
    idempotent: true,
    params: Params,
    response: Lead,
    summary: 'The desk has looked at the lead: it is no news any more',
  }),
  agenda: endpoint({
    method: 'GET',
    path: '/api/leads/owner/agenda',
    access: 'productOwner',
    response: z.object({ timeZone: z.string(), today: z.iso.date(), calls: z.array(AgendaCall) }),
    summary: 'The booked calls of today and the next seven days, in the zone of the call hours',
  }),
}
