import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { exportsApi } from '../contract.ts'

export const exportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: ({ signal }) => call(exportsApi.list, {}, { signal }),
  refetchInterval: (query) => (query.state.data?.items.some(({ status }) => status === 'running') ? 1_500 : false),
})

export const useStartExport = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: { withFiles: boolean }, key) => call(exportsApi.start, { body }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: exportsQuery.queryKey }),
  })
}
