import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type ConversationRecord, conversationsApi } from '../contract.ts'
import type { SnoozeChoice } from '../rules.ts'

export const conversationQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['messages', 'conversation', customerId],
    queryFn: ({ signal }) => call(conversationsApi.get, { params: { id: customerId } }, { signal }),
  })

export const peopleQuery = queryOptions({
  queryKey: ['messages', 'conversation-people'],
  queryFn: ({ signal }) => call(conversationsApi.people, {}, { signal }),
})

/** Messages and internal notes of a customer, newest first. */
export const customerThreadQuery = (customerId: string) =>
  infiniteQueryOptions({
    queryKey: ['messages', 'thread', { customerId }],
    queryFn: ({ pageParam, signal }) =>
      call(
        conversationsApi.thread,
        { params: { id: customerId }, query: { limit: 40, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export type ConversationDeed =
  | { kind: 'assign'; userId: string | null }
  | { kind: 'snooze'; until: SnoozeChoice | { day: string; minute: number } }
  | { kind: 'close' }
  | { kind: 'reopen' }

/** Does something with a conversation as it was seen; what others did meanwhile is shown, not overwritten. */
export const useConversation = (customerId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ version, ...deed }: ConversationDeed & { version: number }, key): Promise<ConversationRecord> => {
      const [params, extra] = [{ id: customerId }, { idempotencyKey: key }]
      if (deed.kind === 'assign')
        return call(conversationsApi.assign, { params, body: { userId: deed.userId, version } }, extra)
      if (deed.kind === 'snooze')
        return call(conversationsApi.snooze, { params, body: { until: deed.until, version } }, extra)
      return call(
        deed.kind === 'close' ? conversationsApi.close : conversationsApi.reopen,
        { params, body: { version } },
        extra,
      )
    },
    onSuccess: (record) => client.setQueryData(conversationQuery(customerId).queryKey, record),
    onSettled: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
}

const useNoteChange = <In, Out>(send: (input: In, key: string) => Promise<Out>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
}

export const useAddNote = (customerId: string) =>
  useNoteChange((text: string, key) =>
    call(conversationsApi.addNote, { params: { id: customerId }, body: { text } }, { idempotencyKey: key }),
  )

export const useRemoveNote = () =>
  useNoteChange((id: string, key) => call(conversationsApi.removeNote, { params: { id } }, { idempotencyKey: key }))
