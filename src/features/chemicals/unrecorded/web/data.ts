import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { unrecordedApi } from '../contract.ts'

/** What waits to be recorded, of a visit or of all. */
export const unrecordedQuery = (visitId: string | null) =>
  queryOptions({
    queryKey: ['visits', 'applications', 'unrecorded', visitId],
    queryFn: ({ signal }) => call(unrecordedApi.list, { query: visitId ? { visitId } : {} }, { signal }),
  })

/** Says why nothing is to be recorded. */
export const useSettle = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['visits'] })
      void client.invalidateQueries({ queryKey: ['dashboard'] })
    },
    mutationFn: ({ id, note }: { id: string; note: string }, key) =>
      call(unrecordedApi.settle, { params: { id }, body: { note } }, { idempotencyKey: key }),
  })
}
