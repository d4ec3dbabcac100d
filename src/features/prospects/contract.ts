import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { leadSources } from './rules.ts'

const mark = z.string().trim().max(300).default('')

/** Where a visitor came from, as the address and the browser say it. */
export const Attribution = z.object({
  referrer: z.string().trim().max(2000).default(''),
  utm_source: mark,
  utm_medium: mark,
  utm_campaign: mark,
  utm_content: mark,
  utm_term: mark,
  gclid: mark,
  isMobile: z.boolean().default(false),
})

/** What a lead form sends beside name, address and number. */
export const Tracking = Attribution.extend({
  campaign: mark,
  userAgent: z.string().trim().max(600).default(''),
  platform: mark,
  language: mark,
  screenResolution: mark,
  viewport: mark,
  landingTime: z.iso.datetime({ offset: true }).optional(),
  currentUrl: z.string().trim().max(2000).default(''),
  timeZone: z.string().max(60).optional(),
  visitId: z.uuid().optional(),
})

export const leadsApi = {
  create: endpoint({
    method: 'POST',
    path: '/api/leads',
    access: 'public',
    idempotent: true,
    body: Tracking.extend({
      name: z.string().max(400).default(''),
      email: z.string().max(400).default(''),
      phone: z.string().max(60).default(''),
      source: z.enum(leadSources).default('landing_page'),
      /** Stands in the form where no person sees it; whoever fills it is a machine. */
      company: z.string().max(400).default(''),
    }),
    form: true,
    /** `token` opens this browser's own application, and nothing that was there before. */
    response: z.object({ leadId: z.uuid(), token: z.string() }),
    summary: 'A lawn-care company leaves name, e-mail and phone; the same answer whether the address was known or not',
  }),
  visit: endpoint({
    method: 'POST',
    path: '/api/leads/visits',
    access: 'public',
    body: Attribution.extend({ visitId: z.uuid(), path: z.string().max(200).startsWith('/') }),
    response: z.object({ stored: z.boolean() }),
    summary: 'A page of the public site was looked at, by an anonymous visit',
  }),
  unsubscribeInfo: endpoint({
    method: 'GET',
    path: '/api/leads/unsubscribe/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.object({ address: z.string(), unsubscribed: z.boolean() }),
    summary: 'To whom we would stop writing; changes nothing',
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/api/leads/unsubscribe/:token',
    access: 'public',
    form: true,
    params: z.object({ token: z.string().max(100) }),
    response: z.object({ unsubscribed: z.literal(true) }),
    summary: 'End our offers by e-mail (RFC 8058)',
  }),
  contact: endpoint({
    method: 'POST',
    path: '/api/contact',
    access: 'public',
    idempotent: true,
    form: true,
    body: z.object({
      name: z.string().max(400).default(''),
      email: z.string().max(400).default(''),
      topic: z.string().max(100).default(''),
      message: z.string().max(20_000).default(''),
      company: z.string().max(400).default(''),
    }),
    response: z.object({ received: z.literal(true) }),
    summary: 'A message to support: stored, and mailed to the support address',
  }),
}
