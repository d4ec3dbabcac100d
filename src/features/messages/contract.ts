import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { headerLine } from '../../shared/headerLine.ts'
import { page, searched } from '../../shared/list.ts'
import { conversationFilters, conversationStates } from './conversations/rules.ts'
import { mostMessagePhotos } from './photos/rules.ts'
import { messageChannels, messageStatuses, mostCharacters } from './rules.ts'
import { holeProblem } from './templates/rules.ts'

export const Photo = z.object({
  /** Its file. */
  id: z.uuid(),
  name: z.string().optional(),
  url: z.string(),
  smallUrl: z.string(),
})
export const MessageFile = z.object({ name: z.string(), url: z.string(), byteCount: z.number().int() })
export type Photo = z.output<typeof Photo>

export const Message = z.object({
  id: z.uuid(),
  channel: z.enum(messageChannels),
  direction: z.enum(['inbound', 'outbound']),
  purpose: z.enum(['transactional', 'marketing', 'account', 'reply']),
  customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  address: z.string(),
  subject: z.string(),
  text: z.string(),
  status: z.enum(messageStatuses),
  /** Why it waits, was not sent or failed, in words. */
  reason: z.string().nullable(),
  segments: z.number().int(),
  runAfter: z.string().nullable(),
  sentAt: z.string().nullable(),
  deliveredAt: z.string().nullable(),
  createdAt: z.string(),
  /** A text that may ask for no more texts: whether somebody has said what it meant. */
  stopDoubt: z.enum(['open', 'stop', 'fine']).nullable(),
  /** What goes with a text, or came along by mail or in the portal. */
  photos: z.array(Photo),
  /** What else came by mail: PDFs, which are saved and never shown as a page. */
  files: z.array(MessageFile),
  /** What came with a text or a mail and cannot be shown, as a sentence. */
  notKept: z.string().nullable(),
  can: z.object({ resend: z.boolean() }),
})
export type Message = z.output<typeof Message>

export const MessageDetail = Message.extend({
  html: z.string().nullable(),
  fromName: z.string(),
  /** The address that a mail left from; null for texts and for what has not left. */
  sentFrom: z.string().nullable(),
  attachments: z.array(MessageFile),
})
export type MessageDetail = z.output<typeof MessageDetail>

/** All mail and texts with one customer, or with a number nobody knows. */
export const Conversation = z.object({
  /** The customer's id, or the number. */
  key: z.string(),
  customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  address: z.string(),
  /** What its row says: the newest message that nobody has read; where a search found words, the newest message or note with them; else the newest one. */
  last: z.object({
    /** `note`: an internal note, where a search found it or nothing was written with them yet. */
    channel: z.enum([...messageChannels, 'note']),
    direction: z.enum(['inbound', 'outbound']),
    /** A mail's subject, a text's or a note's words. */
    text: z.string(),
    status: z.enum(messageStatuses),
    createdAt: z.string(),
  }),
  unreadCount: z.number().int(),
  state: z.enum(conversationStates),
  /** Who of the office has it. */
  assignee: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  snoozedUntil: z.string().nullable(),
})
export type Conversation = z.output<typeof Conversation>

/** How a customer can be written to, and what stands against it. */
export const Contact = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  /** E.164; null when there is none or it is not a number that takes texts. */
  phone: z.string().nullable(),
  /** Why no mail or text can leave to them, in words. */
  emailSuppressed: z.string().nullable(),
  smsSuppressed: z.string().nullable(),
})
export type Contact = z.output<typeof Contact>

const Id = z.object({ id: z.uuid() })

/**
 * The newest message that stood in the thread when writing began, null for an empty one: where somebody else has answered since, it is refused once, with
 * their message in `details.answered`. Left out, nothing is compared.
 */
const Seen = z.uuid().nullable().optional()

/** Files that go along: of the customer, or put there for this message. */
const Photos = z
  .array(z.uuid())
  .max(mostMessagePhotos, `At most ${mostMessagePhotos} photos go with one message.`)
  .optional()

const refuseHoles = (text: string, context: z.RefinementCtx): void => {
  const problem = holeProblem(text)
  if (problem) context.addIssue({ code: 'custom', message: problem })
}

/** Words of a message; a variable of a template that nobody filled is not sent. */
const written = (most: number, tooLong?: string) =>
  z.string().trim().min(1, 'Write something first').max(most, tooLong).superRefine(refuseHoles)

export const messagesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/messages',
    access: 'office',
    permission: 'customers',
    query: z.object({
      ...page(50),
      customerId: z.uuid().optional(),
      address: z.string().max(254).optional(),
      /** Also sign-in mail to oneself and invitations one has sent: only on the local outbox, never in production. */
      account: z.stringbool().optional(),
      channel: z.enum(['email', 'sms']).optional(),
      status: z.enum(messageStatuses).optional(),
      ...searched,
    }),
    response: z.object({
      items: z.array(Message),
      nextCursor: z.string().nullable(),
      /** Null where there are more than 1,000, or more than a search has looked at: they are not counted. */
      total: z.number().int().nullable(),
      /** Of a search that found no full page: when the oldest message it looked at was made, while there are older ones; the next page looks further. */
      lookedBackTo: z.string().nullable(),
    }),
    summary:
      'Mail and texts in and out, newest first; words are looked for in the newest 20,000, page by page further back',
  }),
  conversations: endpoint({
    method: 'GET',
    path: '/api/messages/conversations',
    access: 'office',
    permission: 'customers',
    query: z.object({
      ...page(30),
      ...searched,
      unread: z.stringbool().optional(),
      state: z.enum(conversationFilters).default('all'),
      whose: z.enum(['all', 'mine', 'nobody']).default('all'),
    }),
    response: z.object({
      items: z.array(Conversation),
      nextCursor: z.string().nullable(),
      /** Messages that came in and nobody has read, of all states. */
      unreadCount: z.number().int(),
      /** Conversations that they are in: what the list shows with `unread` alone. */
      unreadConversationCount: z.number().int(),
      /** Somebody was written to or wrote, whatever this list asks for. */
      hasAny: z.boolean(),
      /** Those that wait for us, of everybody: the number that stands in the sidebar. */
      waitingCount: z.number().int(),
      /** Of the person who asks: those that wait for us, all open ones, and those that rest. */
      mineWaitingCount: z.number().int(),
      mineCount: z.number().int(),
      mineSnoozedCount: z.number().int(),
      snoozedCount: z.number().int(),
      /** Of a search, while there are older messages or notes: since when it looked at the words of all of them. */
      lookedBackTo: z.string().nullable(),
    }),
    summary:
      'Conversations, the one with the newest message first; a search looks at names, numbers and the words of the newest 20,000 messages and internal notes',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/messages/people',
    access: 'office',
    permission: 'customers',
    query: z.object({ q: z.string().trim().max(100).default('') }),
    response: z.object({ items: z.array(Contact) }),
    summary: 'Customers to write to, by name, street, number or address',
  }),
  contact: endpoint({
    method: 'GET',
    path: '/api/customers/:id/contact',
    access: 'office',
    permission: 'customers',
    params: Id,
    response: Contact,
    summary: 'How one customer can be written to',
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/messages/read',
    access: 'office',
    permission: 'customers',
    body: z.union([z.object({ customerId: z.uuid() }), z.object({ address: z.string().min(3).max(254) })]),
    response: z.object({ readCount: z.number().int() }),
    summary: 'Somebody has read what came in from a customer or a number',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/messages/:id',
    access: 'office',
    permission: 'customers',
    params: Id,
    response: MessageDetail,
    summary: 'One message with its parts',
  }),
  sendText: endpoint({
    method: 'POST',
    path: '/api/customers/:id/texts',
    access: 'office',
    permission: 'customers',
    needsSubscription: true,
    idempotent: true,
    params: Id,
    body: z.object({
      text: written(mostCharacters, `A text has at most ${mostCharacters} characters`),
      photos: Photos,
      seen: Seen,
    }),
    response: Message,
    summary: 'Text a customer, with photos or without',
  }),
  sendEmail: endpoint({
    method: 'POST',
    path: '/api/customers/:id/emails',
    access: 'office',
    permission: 'customers',
    needsSubscription: true,
    idempotent: true,
    params: Id,
    body: z.object({
      subject: headerLine(200).min(1, 'A subject is needed').superRefine(refuseHoles),
      text: written(20_000),
      photos: Photos,
      seen: Seen,
    }),
    response: Message,
    summary: 'Mail a customer',
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/messages/:id/resend',
    access: 'office',
    permission: 'customers',
    needsSubscription: true,
    idempotent: true,
    params: Id,
    response: Message,
    summary: 'Send again what failed or may not have arrived',
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/messages/:id/dismiss',
    access: 'office',
    permission: 'customers',
    idempotent: true,
    params: Id,
    response: Message,
    summary: 'Say that nothing is to be done about a message that did not arrive',
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/messages/usage',
    access: 'office',
    response: z.object({
      segmentsUsed: z.number().int(),
      segmentLimit: z.number().int().nullable(),
      month: z.string(),
    }),
    summary: 'SMS segments of this month',
  }),
  unsubscribeInfo: endpoint({
    method: 'GET',
    path: '/api/unsubscribe/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.object({
      businessName: z.string(),
      address: z.string(),
      /** In which they read. */
      language: z.enum(['en', 'es']),
      unsubscribed: z.boolean(),
      /** They ended offers by this link and nothing else keeps them from getting some: they may take it back. */
      mayKeep: z.boolean(),
    }),
    summary: 'Who would stop writing to whom; changes nothing',
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/api/unsubscribe/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.object({ unsubscribed: z.literal(true) }),
    summary: 'End marketing mail, by the page of the link',
  }),
  keepOffers: endpoint({
    method: 'POST',
    path: '/api/unsubscribe/:token/keep',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.object({ unsubscribed: z.literal(false) }),
    summary: 'Take back the end of marketing mail, by the page of the link',
  }),
  /** The address in the header of a mail: a mail program posts to it, a person's browser gets the page. */
  oneClick: endpoint({
    method: 'POST',
    path: '/u/:token',
    access: 'public',
    form: true,
    params: z.object({ token: z.string().max(100) }),
    response: z.object({ unsubscribed: z.literal(true) }),
    summary: 'End marketing mail, by the button of a mail program (RFC 8058)',
  }),
}
