import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type OwnerCall, useOwner } from '../../../owner/web/session.ts'
import { failedTasksApi } from '../contract.ts'

export const failedTasksQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'failed-tasks'],
    queryFn: ({ signal }) => ask(failedTasksApi.list, {}, { signal, retries: 1 }),
    refetchInterval: 60_000,
    staleTime: 0,
  })

export const useFailedTask = (what: 'retry' | 'discard') => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => ask(failedTasksApi[what], { params: { id } }),
    onSuccess: (left) => client.setQueryData(failedTasksQuery(ask).queryKey, left),
    onError: () => void client.invalidateQueries({ queryKey: ['desk', 'failed-tasks'] }),
  })
}
