import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { messageStatuses } from '../messages/rules.ts'
import { abouts, bracesProblem, mostCharacters, ways } from './rules.ts'

const words = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `At most ${most} characters.`)
    .refine((text) => bracesProblem(text) === null, { error: (issue) => bracesProblem(String(issue.input)) ?? '' })

/** Named one by one, all that a filter of the list means (the server reads it as the list does), or who has a visit on a day. */
export const MailingChoice = z.union([
  z.object({ ids: z.array(z.uuid()).min(1, 'Choose at least one customer.').max(1000) }),
  z.object({ filter: z.record(z.string(), z.unknown()) }),
  z.object({
    visits: z.object({
      day: z.string().refine(isDay, 'Choose a day.'),
      crewId: z.uuid().optional(),
      serviceId: z.uuid().optional(),
    }),
  }),
])
export type MailingChoice = z.output<typeof MailingChoice>

const Asked = z.object({ choice: MailingChoice, way: z.enum(ways), about: z.enum(abouts) })
/** What is typed so far: what texts cost is counted from it. */
const draft = z.string().max(mostCharacters).default('')

export const MailingPreview = z.object({
  chosen: z.number().int(),
  /** More than may be written to at once. */
  tooMany: z.boolean(),
  texts: z.number().int(),
  mails: z.number().int(),
  /** Quiet hours hold so many of the texts, the last of them until then; whose land lies in another zone wakes later or sooner. */
  quietUntil: z.string().nullable(),
  quietTexts: z.number().int(),
  /** What the texts count as against the plan, each with its name, its language and its line of how to get no more. */
  segments: z.number().int(),
  /** Of the longest text. */
  segmentsEach: z.number().int(),
  /** Segments of texts that the plan still has this month; null is without limit. */
  segmentsLeft: z.number().int().nullable(),
  segmentLimit: z.number().int().nullable(),
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
  /** What stands in the outbox and has not left: it waits for the minute of Undo, for quiet hours to end, or for its turn. */
  onTheWay: z.number().int(),
  /** When the first of those that quiet hours hold leaves. */
  heldUntil: z.string().nullable(),
  segments: z.number().int(),
  leavesAt: z.string(),
  stoppedAt: z.string().nullable(),
  can: z.object({ stop: z.boolean() }),
})
export type Mailing = z.output<typeof Mailing>

export const MailingItem = Mailing.extend({
  way: z.enum(ways),
  about: z.enum(abouts),
  subject: z.string(),
  en: z.string(),
  es: z.string(),
  byName: z.string().nullable(),
  createdAt: z.string(),
})
export type MailingItem = z.output<typeof MailingItem>

export const MailingPerson = z.object({
  /** Of their message, else of the customer. */
  key: z.uuid(),
  /** The customer; null where it was deleted. */
  id: z.uuid().nullable(),
  name: z.string(),
  channel: z.enum(['sms', 'email']).nullable(),
  /** Of their message; `leftOut` where none was made, `waiting` where it is not made yet. */
  status: z.enum([...messageStatuses, 'leftOut', 'waiting']),
  reason: z.string().nullable(),
  runAfter: z.string().nullable(),
})
export type MailingPerson = z.output<typeof MailingPerson>

const office = { access: 'office', permission: 'customers' } as const
const byId = z.object({ id: z.uuid() })

export const mailingsApi = {
  preview: endpoint({
    method: 'POST',
    path: '/api/mailings/preview',
    ...office,
    body: Asked.extend({ en: draft, es: draft }),
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
  test: endpoint({
    method: 'POST',
    path: '/api/mailings/test',
    ...office,
    needsSubscription: true,
    idempotent: true,
    body: z.object({
      channel: z.enum(['sms', 'email']),
      about: z.enum(abouts),
      language: z.enum(['en', 'es']),
      subject: words(150),
      en: words(mostCharacters).min(1, 'Write something first.'),
      es: words(mostCharacters).default(''),
    }),
    response: z.object({ to: z.string() }),
    summary: 'The message as a customer would get it, to the person who writes it',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/mailings',
    ...office,
    query: z.object(page(20)),
    response: z.object({ items: z.array(MailingItem), nextCursor: z.string().nullable() }),
    summary: 'Messages to several, the newest first',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/mailings/:id/people',
    ...office,
    params: byId,
    response: z.object({ items: z.array(MailingPerson) }),
    summary: 'Who got a message to several, and who did not and why',
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
