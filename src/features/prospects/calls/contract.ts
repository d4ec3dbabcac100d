import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { callKinds, callStatuses, sprintCalls } from './rules.ts'

const Minutes = z.union([z.literal(20), z.literal(30)])
const Token = z.object({ token: z.string().max(100) })
const CallId = z.object({ callId: z.uuid() })
const LeadId = z.object({ leadId: z.uuid() })
const When = z.object({ startsAt: z.iso.datetime({ offset: true }), timeZone: z.string().min(1).max(60) })

/** A booked call as its two sides see it. */
export const Call = z.object({
  _id: z.uuid(),
  leadId: z.uuid(),
  kind: z.enum(callKinds),
  title: z.string(),
  minutes: z.number().int(),
  startsAt: z.string(),
  endsAt: z.string(),
  /** The visitor's zone, in which mails name the time. */
  timeZone: z.string(),
  status: z.enum(callStatuses),
  bookedBy: z.enum(['prospect', 'owner']),
  note: z.string(),
  version: z.number().int(),
  createdAt: z.string(),
})
export type Call = z.output<typeof Call>

/** The same for whoever holds its link: with the calendar file, and without what it says of the lead. */
export const OwnCall = Call.omit({ leadId: true, bookedBy: true }).extend({ token: z.string(), ics: z.string() })
export type OwnCall = z.output<typeof OwnCall>

export const callsApi = {
  slots: endpoint({
    method: 'GET',
    path: '/api/leads/calls/slots',
    access: 'public',
    query: z.object({ minutes: z.coerce.number().pipe(Minutes).default(20) }),
    response: z.object({ minutes: z.number().int(), slots: z.array(z.string()) }),
    summary: 'Every free time for a call, as instants; the browser shows them in its own zone',
  }),
  book: endpoint({
    method: 'POST',
    path: '/api/leads/calls',
    access: 'public',
    idempotent: true,
    body: When.extend({
      /** Token of an application, from this browser or from a mail. */
      token: z.string().max(100),
      minutes: Minutes.default(20),
      /** Which call of the Setup Sprint it is, by a link from our mail; else it follows from where the lead stands. */
      kind: z.enum(sprintCalls).optional(),
      note: z.string().trim().max(1000).default(''),
    }),
    response: OwnCall,
    summary: 'Book a free time; sent twice it is one call',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/leads/calls/:token',
    access: 'public',
    params: Token,
    response: OwnCall,
    summary: 'A booked call by its own link',
  }),
  reschedule: endpoint({
    method: 'POST',
    path: '/api/leads/calls/:token/reschedule',
    access: 'public',
    idempotent: true,
    params: Token,
    body: When,
    response: OwnCall,
    summary: 'Move a call to another free time',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/leads/calls/:token/cancel',
    access: 'public',
    idempotent: true,
    params: Token,
    response: OwnCall,
    summary: 'Cancel a call; the second time changes nothing',
  }),
  ofLead: endpoint({
    method: 'GET',
    path: '/api/leads/owner/:leadId/calls',
    access: 'productOwner',
    params: LeadId,
    response: z.object({ calls: z.array(Call) }),
    summary: 'All calls with one lead, newest first',
  }),
  bookForLead: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/calls',
    access: 'productOwner',
    idempotent: true,
    params: LeadId,
    body: z.object({
      startsAt: z.iso.datetime({ offset: true }),
      kind: z.enum(callKinds).default('demo'),
      minutes: Minutes.default(30),
      note: z.string().trim().max(1000).default(''),
    }),
    response: Call,
    summary: 'The product owner books a demo or a call for a lead; the lead gets the calendar entry',
  }),
  ownerReschedule: endpoint({
    method: 'POST',
    path: '/api/leads/owner/calls/:callId/reschedule',
    access: 'productOwner',
    idempotent: true,
    params: CallId,
    body: z.object({ startsAt: z.iso.datetime({ offset: true }) }),
    response: Call,
    summary: 'The product owner moves a call',
  }),
  ownerCancel: endpoint({
    method: 'POST',
    path: '/api/leads/owner/calls/:callId/cancel',
    access: 'productOwner',
    idempotent: true,
    params: CallId,
    response: Call,
    summary: 'The product owner cancels a call',
  }),
  mark: endpoint({
    method: 'POST',
    path: '/api/leads/owner/calls/:callId/mark',
    access: 'productOwner',
    idempotent: true,
    params: CallId,
    body: z.object({ status: z.enum(['held', 'missed']) }),
    response: Call,
    summary: 'Whether a call took place; a call of the Setup Sprint ticks its step',
  }),
  slotsForOwner: endpoint({
    method: 'GET',
    path: '/api/leads/owner/slots',
    access: 'productOwner',
    query: z.object({ minutes: z.coerce.number().pipe(Minutes).default(30) }),
    response: z.object({ minutes: z.number().int(), timeZone: z.string(), slots: z.array(z.string()) }),
    summary: 'Free times for Book Demo: the same engine without the notice that visitors must keep',
  }),
}
