import { z } from 'zod'
import { endpoint, type PhotoBody } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { largestUpload } from '../files/rules.ts'
import { mostCharacters, mostPhotos, threadKinds } from './rules.ts'

export const ChatThread = z.object({
  /** Of the person or the crew that it is with; of the business for what everybody reads. */
  id: z.uuid(),
  kind: z.enum(threadKinds),
  /** Of the person or the crew; empty for everybody. */
  name: z.string(),
  /** A crew's. */
  color: z.string().nullable(),
  /** The person does not work here any more, or the crew was put away. */
  gone: z.boolean(),
  /** Of the newest message; 0 before the first. */
  lastNumber: z.number().int(),
  /** Another one whenever a message, a photo or a receipt came. */
  version: z.number().int(),
  last: z.object({ text: z.string(), by: z.string(), office: z.boolean(), at: z.string() }).nullable(),
  /** For a crew's phone what this person has not read, for the office what nobody there has; 100 at most. */
  unreadCount: z.number().int(),
  /** What who asked may do here now. */
  can: z.object({ write: z.boolean() }),
  /** Why not to write, in words for the office; null where one may. */
  closed: z.string().nullable(),
})
export type ChatThread = z.output<typeof ChatThread>

const Read = z.object({ name: z.string(), at: z.string() })

export const ChatMessage = z.object({
  id: z.uuid(),
  threadId: z.uuid(),
  /** Its place in the thread, by arrival. */
  number: z.number().int(),
  text: z.string(),
  by: z.object({ id: z.uuid().nullable(), name: z.string(), office: z.boolean() }),
  /** When it was written; a phone without a signal sends later. */
  at: z.string(),
  arrivedAt: z.string(),
  visit: z.object({ id: z.uuid(), street: z.string(), day: z.string().nullable() }).nullable(),
  /** Without an address while it is still on its way. */
  photos: z.array(z.object({ id: z.uuid(), url: z.string().nullable() })),
  /** The first who read it, and how many did. */
  readBy: z.array(Read),
  readCount: z.number().int(),
})
export type ChatMessage = z.output<typeof ChatMessage>

const ThreadId = z.object({ threadId: z.uuid() })
const MessageId = z.object({ messageId: z.uuid() })
const photoIds = z.array(z.uuid()).max(mostPhotos, `At most ${mostPhotos} photos go with one message.`)

/** What a phone's command of a message carries. */
export const chatPayload = {
  threadId: z.uuid().optional(),
  text: z.string().max(mostCharacters).optional(),
  /** The visit that it is about. */
  aboutVisitId: z.uuid().optional(),
  photoIds: photoIds.optional(),
}

export const chatApi = {
  threads: endpoint({
    method: 'GET',
    path: '/api/chat/threads',
    access: 'member',
    query: z.object({
      search: z.string().trim().max(100).optional(),
      unread: z.enum(['true']).optional(),
      ...page(50),
    }),
    response: z.object({
      items: z.array(ChatThread),
      nextCursor: z.string().nullable(),
      /** Over all threads. */
      unreadCount: z.number().int(),
    }),
    summary: 'Threads that this person may read, the newest message first',
  }),
  messages: endpoint({
    method: 'GET',
    path: '/api/chat/threads/:threadId/messages',
    access: 'member',
    params: ThreadId,
    query: z.object(page(50)),
    response: z.object({ thread: ChatThread, items: z.array(ChatMessage), nextCursor: z.string().nullable() }),
    summary: 'What was said in a thread, newest first; a crew member reads what was said while on the crew',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/chat/people',
    access: 'office',
    query: z.object({ q: z.string().trim().max(100).default('') }),
    response: z.object({
      items: z.array(z.object({ id: z.uuid(), kind: z.enum(threadKinds), name: z.string(), hint: z.string() })),
    }),
    summary: 'Whom the office can write to: everybody, crews, people',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/chat/threads/:threadId/messages',
    access: 'office',
    idempotent: 'steps',
    params: ThreadId,
    body: z.object({
      text: z
        .string()
        .max(mostCharacters, `A message has at most ${mostCharacters.toLocaleString('en-US')} characters.`),
      visitId: z.uuid().nullable().default(null),
      /** Made by the caller; the photos follow. */
      photoIds: photoIds.default([]),
    }),
    response: ChatMessage,
    summary: 'Write to a person, a crew or everybody; a phone writes by its commands',
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/chat/threads/:threadId/read',
    access: 'member',
    params: ThreadId,
    body: z.object({
      upTo: z.number().int().min(0).max(2_147_483_647),
      /** How long ago it was read: a phone without a signal says so later. */
      secondsAgo: z
        .number()
        .int()
        .min(0)
        .max(30 * 86_400)
        .default(0),
    }),
    response: ChatThread,
    summary: 'Has read a thread up to a message',
  }),
  reads: endpoint({
    method: 'GET',
    path: '/api/chat/messages/:messageId/reads',
    access: 'office',
    params: MessageId,
    response: z.object({ read: z.array(Read), waiting: z.array(z.string()) }),
    summary: 'Who has read a message and when, and who has not yet',
  }),
  addPhoto: endpoint({
    method: 'POST',
    path: '/api/chat/messages/:messageId/photos',
    access: 'member',
    bodyLimitBytes: largestUpload,
    params: MessageId,
    query: z.object({ id: z.uuid() }),
    body: z.any() as z.ZodType<PhotoBody>,
    response: ChatMessage,
    summary:
      'A photo of one’s own message as raw image/jpeg, image/png or image/webp; a repeat with the same id answers the first',
  }),
}
