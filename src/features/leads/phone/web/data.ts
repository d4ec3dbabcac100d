import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { leadWaysApi } from '../contract.ts'

export const leadWaysQuery = queryOptions({
  queryKey: ['leads', 'ways'],
  queryFn: ({ signal }) => call(leadWaysApi.get, {}, { signal }),
})

export const useSaveLeadWays = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof leadWaysApi.save>['body'], key) =>
      call(leadWaysApi.save, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => client.setQueryData(leadWaysQuery.queryKey, saved),
  })
}
