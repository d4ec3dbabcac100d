import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type ServiceChange, type ServiceDraft, type ServiceRecord, servicesApi } from '../contract.ts'

/** The catalog in its order. */
export const servicesQuery = queryOptions({
  queryKey: ['services', 'catalog'],
  queryFn: async ({ signal }): Promise<ServiceRecord[]> =>
    (await call(servicesApi.catalog, { query: {} }, { signal })).items,
})

export const archivedServicesQuery = queryOptions({
  queryKey: ['services', 'archived'],
  queryFn: async ({ signal }): Promise<ServiceRecord[]> =>
    (await call(servicesApi.catalog, { query: { archived: 'true' } }, { signal })).items,
})

const useServiceMutation = <In, Out>(run: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: () => client.invalidateQueries({ queryKey: ['services'] }) })
}

export const useAddService = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: ServiceDraft, key) => call(servicesApi.create, { body }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['services'] }),
  })
}

export const useChangeService = (id: string) =>
  useServiceMutation((body: ServiceChange) => call(servicesApi.update, { params: { id }, body }))

export const useArchiveService = () => useServiceMutation((id: string) => call(servicesApi.archive, { params: { id } }))

export const useRestoreService = () => useServiceMutation((id: string) => call(servicesApi.restore, { params: { id } }))

export const useAddDefaults = () => useServiceMutation(() => call(servicesApi.addDefaults, {}))

/** Shown in the new order at once; the server's order stands when it refuses. */
export const useReorderServices = () => {
  const client = useQueryClient()
  const key = servicesQuery.queryKey
  return useMutation({
    mutationFn: (ids: string[]) => call(servicesApi.reorder, { body: { ids } }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData(key)
      if (before)
        client.setQueryData(
          key,
          [...before].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
        )
      return { before }
    },
    onError: (_error, _ids, context) => {
      if (context?.before) client.setQueryData(key, context.before)
    },
    onSuccess: ({ items }) => client.setQueryData(key, items),
  })
}
