import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { numberConversationsApi } from '../../numbers/contract.ts'
import { withOf } from '../../web/data.ts'
import { conversationsApi } from '../contract.ts'

export const conversationQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['messages', 'conversation', customerId],
    queryFn: ({ signal }) => call(conversationsApi.get, { params: { id: customerId } }, { signal }),
  })

export const peopleQuery = queryOptions({
  queryKey: ['messages', 'conversation-people'],
  queryFn: ({ signal }) => call(conversationsApi.people, {}, { signal }),
})

/** Messages and internal notes of a conversation, newest first. @param who a customer by id, or a number that nobody knows */
export const threadQuery = (who: string) => {
  const of = withOf(who)
  return infiniteQueryOptions({
    queryKey: ['messages', 'thread', of],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 40, ...(pageParam ? { cursor: pageParam } : {}) }
      return 'address' in of
        ? call(numberConversationsApi.thread, { params: of, query }, { signal })
        : call(conversationsApi.thread, { params: { id: of.customerId }, query }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}

const useNoteChange = <In, Out>(send: (input: In, key: string) => Promise<Out>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: ['messages'] }),
  })
}

/** @param who a customer by id, or a number that nobody knows */
export const useAddNote = (who: string) =>
  useNoteChange((text: string, key) => {
    const of = withOf(who)
    const extra = { idempotencyKey: key }
    return 'address' in of
      ? call(numberConversationsApi.addNote, { params: of, body: { text } }, extra)
      : call(conversationsApi.addNote, { params: { id: of.customerId }, body: { text } }, extra)
  })

export const useRemoveNote = () =>
  useNoteChange((id: string, key) => call(conversationsApi.removeNote, { params: { id } }, { idempotencyKey: key }))
