import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { quoteTemplatesApi } from '../contract.ts'

export const templatesQuery = queryOptions({
  queryKey: ['quotes', 'templates'],
  queryFn: async ({ signal }) => (await call(quoteTemplatesApi.list, {}, { signal })).items,
})

const useRefresh = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: templatesQuery.queryKey })
}

export const useCreateTemplate = () =>
  useIdempotentMutation({
    mutationFn: (body: CallInput<typeof quoteTemplatesApi.create>['body'], key: string) =>
      call(quoteTemplatesApi.create, { body }, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useUpdateTemplate = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof quoteTemplatesApi.update>, key: string) =>
      call(quoteTemplatesApi.update, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useArchiveTemplate = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof quoteTemplatesApi.archive>, key: string) =>
      call(quoteTemplatesApi.archive, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })
