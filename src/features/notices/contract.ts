import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { noticeKinds } from '../businesses/notices/rules.ts'

/** What one customer hears by itself, and by which way. */
export const CustomerNotices = z.object({
  customerId: z.uuid(),
  /** Notices that this customer does not want. */
  muted: z.array(z.enum(noticeKinds)),
  /** How they would leave now; null when they cannot. */
  channel: z.enum(['sms', 'email']).nullable(),
  /** Why not by text, or not at all, in words. */
  why: z.string().nullable(),
  /** The next visit, whose page the customer can be shown. */
  nextVisit: z.object({ id: z.uuid(), day: z.string() }).nullable(),
})
export type CustomerNotices = z.output<typeof CustomerNotices>

const ofCustomer = {
  path: '/api/customers/:id/notices',
  access: 'office',
  permission: 'customers',
  params: z.object({ id: z.uuid() }),
  response: CustomerNotices,
} as const

export const noticesApi = {
  get: endpoint({ method: 'GET', ...ofCustomer, summary: 'Which notices of visits a customer gets, and how' }),
  update: endpoint({
    method: 'PUT',
    ...ofCustomer,
    idempotent: true,
    /** One notice at a time, so that two people who switch different ones both get what they asked for. */
    body: z.object({ kind: z.enum(noticeKinds), wanted: z.boolean() }),
    summary: 'Whether a customer wants a notice',
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/link',
    access: 'office',
    permission: 'customers',
    idempotent: true,
    params: z.object({ visitId: z.uuid() }),
    response: z.object({ url: z.string() }),
    summary: 'The address of a visit’s page, to give to its customer',
  }),
  /** What a link in a notice opens: a page of its own, whole without a script. */
  page: endpoint({
    method: 'GET',
    path: '/visit/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.any(),
    summary: 'A visit as its customer sees it, as a page',
  }),
}
