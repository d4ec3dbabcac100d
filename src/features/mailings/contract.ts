import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { abouts, mostCharacters, unknownVariables, ways } from './rules.ts'

const words = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `At most ${most} characters.`)
    .refine((text) => unknownVariables(text).length === 0, {
      error: (issue) =>
        `${unknownVariables(String(issue.input)).join(', ')} is not known. Use {name}, {business} or {phone}.`,
    })

/** Named one by one, or all that a filter of the list means; the server reads it as the list does. */
export const MailingChoice = z.union([
  z.object({ ids: z.array(z.uuid()).min(1, 'Choose at least one customer.').max(1000) }),
  z.object({ filter: z.record(z.string(), z.unknown()) }),
])
export type MailingChoice = z.output<typeof MailingChoice>

const Asked = z.object({ choice: MailingChoice, way: z.enum(ways), about: z.enum(abouts) })

export const MailingPreview = z.object({
  chosen: z.number().int(),
  /** More than may be written to at once. */
  tooMany: z.boolean(),
  texts: z.number().int(),
  mails: z.number().int(),
  /** Quiet hours hold texts until then. */
  quietUntil: z.string().nullable(),
  /** Texts that the plan still has this month; null is without limit. */
  segmentsLeft: z.number().int().nullable(),
  unreached: z.array(z.object({ id: z.uuid(), name: z.string(), reason: z.string() })),
  unreachedCount: z.number().int(),
  /** Of each language the first customer who gets it, to show the words as they read them. */
  samples: z.array(
    z.object({
      language: z.enum(['en', 'es']),
      name: z.string(),
      values: z.record(z.string(), z.string()),
      count: z.number().int(),
    }),
  ),
})
export type MailingPreview = z.output<typeof MailingPreview>

export const Mailing = z.object({
  id: z.uuid(),
  chosen: z.number().int(),
  texts: z.number().int(),
  mails: z.number().int(),
  unreached: z.number().int(),
  /** For whom nothing stands in the outbox yet. */
  waiting: z.number().int(),
  /** What has left. */
  sent: z.number().int(),
  /** What did not leave or did not arrive. */
  failed: z.number().int(),
  leavesAt: z.string(),
  stoppedAt: z.string().nullable(),
})
export type Mailing = z.output<typeof Mailing>

const office = { access: 'office', permission: 'customers' } as const
const byId = z.object({ id: z.uuid() })

export const mailingsApi = {
  preview: endpoint({
    method: 'POST',
    path: '/api/mailings/preview',
    ...office,
    body: Asked,
    response: MailingPreview,
    summary: 'Whom one message to several customers would reach, and how',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/mailings',
    ...office,
    needsSubscription: true,
    idempotent: true,
    body: Asked.extend({
      subject: words(150),
      en: words(mostCharacters).min(1, 'Write something first.'),
      es: words(mostCharacters).default(''),
    }),
    response: Mailing,
    summary: 'Write to several customers at once; each message passes the gate as if it was written alone',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/mailings/:id',
    ...office,
    params: byId,
    response: Mailing,
    summary: 'What has become of a message to several',
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/mailings/:id/stop',
    ...office,
    idempotent: true,
    params: byId,
    response: Mailing,
    summary: 'What has not left yet does not leave',
  }),
}
