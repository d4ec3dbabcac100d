import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { Message } from '../contract.ts'
import { conversationActions, conversationStates, snoozeChoices } from './rules.ts'

const Person = z.object({ id: z.uuid(), name: z.string() })

/** What the office does with the conversation of a customer. */
export const ConversationRecord = z.object({
  can: z.record(z.enum(conversationActions), z.boolean()),
  /** Null for a number that nobody knows, which `address` names then. */
  customerId: z.uuid().nullable(),
  address: z.string().nullable(),
  state: z.enum(conversationStates),
  /** The newest message that a person wrote is the customer's. */
  unanswered: z.boolean(),
  /** Null: nobody, or somebody who is not in the office any more. */
  assignee: Person.nullable(),
  /** Who has it by what was said, and is not in the office any more. */
  leftName: z.string().nullable(),
  snoozedUntil: z.string().nullable(),
  snoozedByName: z.string().nullable(),
  closedAt: z.string().nullable(),
  closedByName: z.string().nullable(),
  /** 0 while nobody has done anything with it. */
  version: z.number().int(),
})
export type ConversationRecord = z.output<typeof ConversationRecord>

/** What people of the office wrote to each other; it never leaves. */
export const ConversationNote = z.object({
  can: z.object({ remove: z.boolean() }),
  id: z.uuid(),
  /** Null for a number that nobody knows, which `address` names then. */
  customerId: z.uuid().nullable(),
  address: z.string().nullable(),
  text: z.string(),
  byName: z.string().nullable(),
  createdAt: z.string(),
})
export type ConversationNote = z.output<typeof ConversationNote>

export const ThreadItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), message: Message }),
  z.object({ kind: z.literal('note'), note: ConversationNote }),
])
export type ThreadItem = z.output<typeof ThreadItem>
export const ThreadPage = z.object({ items: z.array(ThreadItem), nextCursor: z.string().nullable() })
export type ThreadPage = z.output<typeof ThreadPage>

const byId = z.object({ id: z.uuid() })
const read = { access: 'office', permission: 'customers' } as const
const change = { ...read, method: 'POST', needsSubscription: true, idempotent: true, params: byId } as const
const version = z.number().int()

/** The version that was seen. */
export const Seen = z.object({ version })
export const Assignment = z.object({ userId: z.uuid().nullable(), version })
export const NewNote = z.object({
  text: z.string().trim().min(1, 'Write the note first').max(4000, 'A note has at most 4,000 characters'),
})
export const Snooze = z.object({
  until: z.union([
    z.enum(snoozeChoices),
    z.object({
      day: z.string().refine(isDay, 'Use a day like 2026-06-12.'),
      /** After midnight, by the clock of the business. */
      minute: z.number().int().min(0).max(1439),
    }),
  ]),
  version,
})

export const conversationsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/:id/conversation',
    ...read,
    params: byId,
    response: ConversationRecord,
    summary: 'Whose the conversation with a customer is, and whether it is open, rests or is done',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/conversations/people',
    ...read,
    response: z.object({ items: z.array(Person) }),
    summary: 'Who can be given a conversation: who of the office may write to customers',
  }),
  thread: endpoint({
    method: 'GET',
    path: '/api/customers/:id/thread',
    ...read,
    params: byId,
    query: z.object(page(40)),
    response: ThreadPage,
    summary: 'Messages of a customer with the internal notes between them, newest first',
  }),
  assign: endpoint({
    ...change,
    path: '/api/customers/:id/conversation/assign',
    body: Assignment,
    response: ConversationRecord,
    summary: 'Give it to somebody of the office, who is told; null takes it from them',
  }),
  snooze: endpoint({
    ...change,
    path: '/api/customers/:id/conversation/snooze',
    body: Snooze,
    response: ConversationRecord,
    summary: 'Let it rest until a time, or until the customer writes',
  }),
  close: endpoint({
    ...change,
    path: '/api/customers/:id/conversation/close',
    body: Seen,
    response: ConversationRecord,
    summary: 'Nothing is to be done about it, until the customer writes',
  }),
  reopen: endpoint({
    ...change,
    path: '/api/customers/:id/conversation/reopen',
    body: Seen,
    response: ConversationRecord,
    summary: 'Open it again: it rests no more, or was not done',
  }),
  addNote: endpoint({
    ...change,
    path: '/api/customers/:id/conversation/notes',
    body: NewNote,
    response: ConversationNote,
    summary: 'A note for the office, in the thread; it is never sent',
  }),
  removeNote: endpoint({
    ...read,
    method: 'DELETE',
    path: '/api/conversation-notes/:id',
    needsSubscription: true,
    idempotent: true,
    params: byId,
    response: z.object({ id: z.uuid() }),
    summary: 'Who wrote a note takes it out again',
  }),
}
