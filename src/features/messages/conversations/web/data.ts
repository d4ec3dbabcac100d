import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { withOf } from '../../web/data.ts'
import { type ConversationRecord, conversationsApi } from '../contract.ts'
import type { SnoozeChoice } from '../rules.ts'

/** @param who a customer by id, or a number that nobody knows */
export const conversationQuery = (who: string) =>
  queryOptions({
    queryKey: ['messages', 'conversation', who],
    queryFn: ({ signal }) => {
      const of = withOf(who)
      return 'customerId' in of
        ? call(conversationsApi.get, { params: { id: of.customerId } }, { signal })
        : call(numberConversationsApi.get, { params: of }, { signal })
    },
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
export const useConversation = (who: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ version, ...deed }: ConversationDeed & { version: number }, key): Promise<ConversationRecord> => {
      const of = withOf(who)
      const extra = { idempotencyKey: key }
      if ('address' in of) {
        const { assign, snooze, close, reopen } = numberConversationsApi
        if (deed.kind === 'assign') return call(assign, { params: of, body: { userId: deed.userId, version } }, extra)
        if (deed.kind === 'snooze') return call(snooze, { params: of, body: { until: deed.until, version } }, extra)
        return call(deed.kind === 'close' ? close : reopen, { params: of, body: { version } }, extra)
      }
      const params = { id: of.customerId }
      const { assign, snooze, close, reopen } = conversationsApi
      if (deed.kind === 'assign') return call(assign, { params, body: { userId: deed.userId, version } }, extra)
      if (deed.kind === 'snooze') return call(snooze, { params, body: { until: deed.until, version } }, extra)
      return call(deed.kind === 'close' ? close : reopen, { params, body: { version } }, extra)
    },
    onSuccess: (record) => client.setQueryData(conversationQuery(who).queryKey, record),
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
