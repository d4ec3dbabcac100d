import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { SessionUser } from '../accounts/contract.ts'
import { grantHours, noteMost } from './rules.ts'

const SupportGrant = z.object({
  id: z.uuid(),
  grantedBy: z.string(),
  note: z.string(),
  grantedAt: z.string(),
  expiresAt: z.string(),
})
export type SupportGrant = z.output<typeof SupportGrant>

/** One time that support opened the business, and what it looked at. */
const SupportVisit = z.object({
  id: z.uuid(),
  openedAt: z.string(),
  /** When it was over; null while it can still go on. */
  endedAt: z.string().nullable(),
  entries: z.array(z.object({ area: z.string(), times: z.number().int(), firstAt: z.string(), lastAt: z.string() })),
})
export type SupportVisit = z.output<typeof SupportVisit>

const SupportAccess = z.object({
  /** The grant that is open now. */
  grant: SupportGrant.nullable(),
  /** The last 20 visits, newest first. */
  visits: z.array(SupportVisit),
})
export type SupportAccess = z.output<typeof SupportAccess>

/** A business that let support in, as the desk sees it. */
const OpenGrant = z.object({
  id: z.uuid(),
  businessName: z.string(),
  grantedBy: z.string(),
  note: z.string(),
  expiresAt: z.string(),
  timeZone: z.string(),
})
export type OpenGrant = z.output<typeof OpenGrant>

const View = z.object({
  user: SessionUser,
  businessName: z.string(),
  /** When this visit ends by itself. */
  until: z.string(),
})
export type SupportView = z.output<typeof View>

export const supportApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/business/support-access',
    access: 'owner',
    response: SupportAccess,
    summary: 'Whether support is let in, and what it looked at',
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/business/support-access',
    access: 'owner',
    idempotent: true,
    body: z.object({
      hours: z.literal(grantHours, 'Choose 1, 4, 24 or 72 hours'),
      note: z.string().trim().max(noteMost, `At most ${noteMost} characters`).default(''),
    }),
    response: SupportAccess,
    summary: 'Let support in for some hours; while a grant is open it is answered as it is',
  }),
  end: endpoint({
    method: 'POST',
    path: '/api/business/support-access/:id/end',
    access: 'owner',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    response: SupportAccess,
    summary: 'End support access now',
  }),
  openGrants: endpoint({
    method: 'GET',
    path: '/api/owner/support',
    access: 'productOwner',
    response: z.object({ items: z.array(OpenGrant) }),
    summary: 'Businesses that let support in now, and nothing of any other',
  }),
  makeCode: endpoint({
    method: 'POST',
    path: '/api/owner/support/:id/code',
    access: 'productOwner',
    params: z.object({ id: z.uuid() }),
    response: z.object({ code: z.string(), expiresInSeconds: z.number().int() }),
    summary: 'A code that opens the business once, within a minute',
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/support/open',
    access: 'public',
    body: z.object({ code: z.string().min(1).max(1000) }),
    response: View.extend({ token: z.string() }),
    summary: 'Exchange a code of the desk for a support visit',
  }),
  view: endpoint({
    method: 'GET',
    path: '/api/support/visit',
    access: 'support',
    response: View,
    summary: 'Whether this support visit still goes on',
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/support/leave',
    access: 'support',
    response: z.object({ left: z.literal(true) }),
    summary: 'End this support visit',
  }),
}
