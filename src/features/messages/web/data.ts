import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { localPhoneApi } from '../../../local/phone/contract.ts'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { messagesApi } from '../contract.ts'
import type { ConversationFilterState } from '../conversations/rules.ts'
import type { Channel } from '../rules.ts'

/** Whom a conversation is with: a customer by id, or a number nobody knows. */
export type With = { customerId: string } | { address: string }

const addressOf = /^\+?\d{3,}$|@/
/** What is no number or address is a customer's id, also one that was cut off: its link then says so. */
export const withOf = (key: string): With => (addressOf.test(key) ? { address: key } : { customerId: key })

export type ConversationFilter = {
  search: string
  unread: boolean
  state: ConversationFilterState
  whose: 'all' | 'mine' | 'nobody'
}

export const conversationsQuery = (filter: ConversationFilter) =>
  infiniteQueryOptions({
    queryKey: ['messages', 'conversations', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        messagesApi.conversations,
        {
          query: {
            limit: 40,
            ...(filter.search ? { search: filter.search } : {}),
            ...(filter.unread ? { unread: 'true' } : {}),
            state: filter.state,
            whose: filter.whose,
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const addressThreadQuery = (address: string) =>
  infiniteQueryOptions({
    queryKey: ['messages', 'thread', { address }],
    queryFn: ({ pageParam, signal }) =>
      call(
        messagesApi.list,
        { query: { address, limit: 40, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'one', id],
    queryFn: ({ signal }) => call(messagesApi.get, { params: { id } }, { signal }),
  })

export const contactQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['messages', 'contact', customerId],
    queryFn: ({ signal }) => call(messagesApi.contact, { params: { id: customerId } }, { signal }),
  })

export const usageQuery = queryOptions({
  queryKey: ['messages', 'usage'],
  queryFn: ({ signal }) => call(messagesApi.usage, {}, { signal }),
})

export const findPeople = async (q: string, signal: AbortSignal) =>
  (await call(messagesApi.people, { query: { q } }, { signal })).items

export type MessageInput = {
  channel: Channel
  subject: string
  text: string
  /** Files of photos that go with it. */
  photos?: string[]
  /** The newest message that was seen; left out where no thread is shown. */
  seen?: string | null
}

export const useWrite = (customerId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ channel, subject, ...rest }: MessageInput, key) =>
      channel === 'sms'
        ? call(messagesApi.sendText, { params: { id: customerId }, body: rest }, { idempotencyKey: key })
        : call(
            messagesApi.sendEmail,
            { params: { id: customerId }, body: { subject, ...rest } },
            { idempotencyKey: key },
          ),
    // also what was refused, because somebody answered meanwhile, is shown with their answer
    onSettled: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
}

export const useResend = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(messagesApi.resend, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
}

export const useRead = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (of: With) => call(messagesApi.read, { body: of }, { retries: 0 }),
    onSuccess: ({ readCount }) => {
      if (readCount === 0) return
      void client.invalidateQueries({ queryKey: ['messages', 'conversations'] })
      void client.invalidateQueries({ queryKey: ['nav-counts'] })
      void client.invalidateQueries({ queryKey: ['notifications'] })
    },
  })
}

// The simulators stand outside of the office's frame, where nothing tells them of changes: they ask.
const everyMs = 3_000

export const localStateQuery = queryOptions({
  queryKey: ['local', 'state'],
  queryFn: ({ signal }) => call(localPhoneApi.state, {}, { signal, retries: 0 }),
})

export const outboxQuery = (filter: { channel: Channel | ''; search: string }) =>
  infiniteQueryOptions({
    queryKey: ['local', 'outbox', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        messagesApi.list,
        {
          query: {
            limit: 50,
            account: 'true',
            ...(filter.channel ? { channel: filter.channel } : {}),
            ...(filter.search ? { search: filter.search } : {}),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal, retries: 1 },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    // What was searched far back is not searched again every few seconds.
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.lookedBackTo) ? false : everyMs),
  })

export const phoneQuery = queryOptions({
  queryKey: ['local', 'phone'],
  queryFn: ({ signal }) =>
    call(messagesApi.list, { query: { channel: 'sms', limit: 200, account: 'true' } }, { signal, retries: 1 }),
  refetchInterval: everyMs,
})

export type PhoneAct =
  | { kind: 'reply'; from: string; text: string; media: { ref: string; mime: string }[] }
  | { kind: 'call'; from: string; status: 'no-answer' | 'completed' }
  | { kind: 'status'; messageId: string; status: 'delivered' | 'failed' }

export const usePhone = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PhoneAct) => call(localPhoneApi.act, { body }),
    // The webhook is stored at once and worked off a moment later.
    onSettled: () => setTimeout(() => client.invalidateQueries({ queryKey: ['local'] }), 600),
  })
}

/** A photo on a played phone, which its provider keeps until it is fetched. */
export const useAddMedium = () =>
  useMutation({
    mutationFn: (file: File) =>
      call(localPhoneApi.addMedium, { query: { mime: file.type || 'application/octet-stream' }, body: file }),
  })
