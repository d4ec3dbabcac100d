import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { timelineApi } from '../contract.ts'
import type { TimelineKind } from '../rules.ts'

export const timelineQuery = (customerId: string, kind: TimelineKind | null) =>
  infiniteQueryOptions({
    queryKey: ['timeline', customerId, kind],
    queryFn: ({ pageParam, signal }) =>
      call(
        timelineApi.list,
        {
          params: { id: customerId },
          query: { ...(kind ? { kind } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    meta: { live: { topics: ['customers', 'messages', 'visits', 'invoices', 'payments'], everyMs: 3_000 } },
  })

/** Adding and removing notes about a customer. */
export const useNotes = (customerId: string) => {
  const client = useQueryClient()
  const onSuccess = () => void client.invalidateQueries({ queryKey: ['timeline', customerId] })
  const add = useIdempotentMutation({
    mutationFn: (text: string, key) =>
      call(timelineApi.addNote, { params: { id: customerId }, body: { text } }, { idempotencyKey: key }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(timelineApi.removeNote, { params: { id } }),
    onSuccess,
  })
  return { add, remove }
}
