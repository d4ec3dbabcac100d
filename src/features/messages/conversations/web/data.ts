import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
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
