import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { phone } from '../../customers/fields/contract.ts'

const words = z.string().trim().min(1, 'Write what they read.').max(160, 'A text has at most 160 characters.')

const settings = {
  /** Mail to the address of the business becomes a lead. */
  mailOn: z.boolean(),
  /** The number that people dial. */
  callNumber: phone,
  /** The phone that rings. */
  forwardTo: phone,
  ringSeconds: z
    .number()
    .int('A whole number of seconds.')
    .min(5, 'At least 5 seconds.')
    .max(40, 'At most 40 seconds.'),
  pressKey: z.boolean(),
  /** Who was not answered gets a text. */
  textOn: z.boolean(),
  textEn: words,
  textEs: words,
  strangerLanguage: z.enum(['en', 'es']),
}

export const LeadWays = z.object({
  ...settings,
  callNumber: z.string().nullable(),
  forwardTo: z.string().nullable(),
  version: z.number().int(),
  /** Where mail is sent or forwarded to; null where no mail reaches this server. */
  mailAddress: z.string().nullable(),
  /** What the provider calls when the number is dialed; null on one's own computer, where the local phone plays it. */
  voiceUrl: z.string().nullable(),
})
export type LeadWays = z.output<typeof LeadWays>

export const leadWaysApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/lead-ways',
    access: 'office',
    permission: 'customers',
    response: LeadWays,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/lead-ways',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    body: z.object(settings).partial().extend({ version: z.number().int() }),
    response: LeadWays,
    summary: 'Leads by mail, the phone that rings, and the text to who was not answered',
  }),
}

const at = z.object({ k: z.string().max(120).default('') })

/** What the provider of the phone calls while a call is on; each is signed, and `k` names the business. */
export const voiceApi = {
  dialed: endpoint({
    method: 'POST',
    path: '/api/webhooks/twilio/voice',
    access: 'webhook',
    query: at,
    response: z.any(),
    summary: 'Somebody dials the number of a business: the answer lets its phone ring',
  }),
  taken: endpoint({
    method: 'POST',
    path: '/api/webhooks/twilio/voice/taken',
    access: 'webhook',
    query: at,
    response: z.any(),
    summary: 'The phone was picked up: a person presses a key, a mailbox does not',
  }),
  ended: endpoint({
    method: 'POST',
    path: '/api/webhooks/twilio/voice/ended',
    access: 'webhook',
    query: at,
    response: z.any(),
    summary: 'Whether somebody took the call',
  }),
}
