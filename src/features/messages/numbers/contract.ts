import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import {
  Assignment,
  ConversationNote,
  ConversationRecord,
  NewNote,
  Seen,
  Snooze,
  ThreadPage,
} from '../conversations/contract.ts'

const read = {
  access: 'office',
  permission: 'customers',
  params: z.object({ address: z.string().min(3).max(254) }),
} as const
const change = {
  ...read,
  method: 'POST',
  needsSubscription: true,
  idempotent: true,
  response: ConversationRecord,
} as const

/** What the office does with the conversation of a number that nobody knows. */
export const numberConversationsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/messages/numbers/:address/conversation',
    ...read,
    response: ConversationRecord,
    summary: 'Whose the conversation with an unknown number is, and whether it is open, rests or is done',
  }),
  thread: endpoint({
    method: 'GET',
    path: '/api/messages/numbers/:address/thread',
    ...read,
    query: z.object(page(40)),
    response: ThreadPage,
    summary: 'Texts with an unknown number with the internal notes between them, newest first',
  }),
  assign: endpoint({
    ...change,
    path: '/api/messages/numbers/:address/conversation/assign',
    body: Assignment,
    summary: 'Give it to somebody of the office, who is told; null takes it from them',
  }),
  snooze: endpoint({
    ...change,
    path: '/api/messages/numbers/:address/conversation/snooze',
    body: Snooze,
    summary: 'Let it rest until a time, or until they write',
  }),
  close: endpoint({
    ...change,
    path: '/api/messages/numbers/:address/conversation/close',
    body: Seen,
    summary: 'Nothing is to be done about it, until they write',
  }),
  reopen: endpoint({
    ...change,
    path: '/api/messages/numbers/:address/conversation/reopen',
    body: Seen,
    summary: 'Open it again: it rests no more, or was not done',
  }),
  addNote: endpoint({
    ...change,
    path: '/api/messages/numbers/:address/conversation/notes',
    body: NewNote,
    response: ConversationNote,
    summary: 'A note for the office, in the thread; it is never sent',
  }),
}
