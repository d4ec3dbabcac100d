import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { z } from 'zod'
import { ApiError, call, fetchFile } from '../../../shared/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import {
  type CustomerChanges,
  type CustomerChoice,
  type CustomerDuplicate,
  type CustomerListQuery,
  type CustomerRecord,
  customersApi,
  type NewCustomer,
  type NewProperty,
  type Property,
  type PropertyChanges,
} from '../contract.ts'

/** A filter as it stands in the address bar and goes to the server. */
export type Filter = z.input<typeof CustomerListQuery>
type FilterOnly = Omit<Filter, 'sort' | 'order' | 'cursor' | 'limit'>

const pageSize = 100

export const customersQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: ['customers', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        customersApi.list,
        { query: { ...filter, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const countsQuery = queryOptions({
  queryKey: ['customers', 'counts'],
  queryFn: ({ signal }) => call(customersApi.counts, {}, { signal }),
})

/** Beyond as many values of a kind the server names no more. */
export const facetLimit = 500
export const facetsQuery = queryOptions({
  queryKey: ['customers', 'facets'],
  queryFn: ({ signal }) => call(customersApi.facets, {}, { signal }),
})

export const pinsQuery = (filter: FilterOnly) =>
  queryOptions({
    queryKey: ['customers', 'map', filter],
    queryFn: ({ signal }) => call(customersApi.map, { query: filter }, { signal }),
    placeholderData: keepPreviousData,
  })

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: ({ signal }) => call(customersApi.get, { params: { id } }, { signal }),
  })

/** Everything about customers on the screen is asked for again; the record that came back is shown at once. */
const useRefresh = () => {
  const client = useQueryClient()
  return (record?: CustomerRecord) => {
    if (record) client.setQueryData(customerQuery(record.id).queryKey, record)
    void client.invalidateQueries({ queryKey: ['customers'] })
  }
}

export const useCreateCustomer = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: z.input<typeof NewCustomer>, key) =>
      call(customersApi.create, { body }, { idempotencyKey: key }),
    onSuccess: refresh,
  })
}

export const useUpdateCustomer = (id: string) => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: z.input<typeof CustomerChanges>) => call(customersApi.update, { params: { id }, body }),
    onSuccess: refresh,
  })
}

export const useArchiveCustomer = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, back }: { id: string; back?: boolean }) =>
      call(back ? customersApi.unarchive : customersApi.archive, { params: { id } }),
    onSuccess: refresh,
  })
}

export type BulkBody = {
  choice: z.input<typeof CustomerChoice>
  action:
    | { kind: 'tag' | 'untag'; tag: string }
    | { kind: 'archive' | 'unarchive' }
    | { kind: 'source'; source: string }
    | { kind: 'sourceBack'; were: { source: string; set: string; ids: string[] }[] }
}

export const useBulk = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: BulkBody) => call(customersApi.bulk, { body }),
    onSuccess: () => refresh(),
  })
}

export const useSaveProperty = (customerId: string, propertyId: string | null) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: z.input<typeof NewProperty> | z.input<typeof PropertyChanges>, key): Promise<Property> =>
      propertyId === null
        ? call(
            customersApi.addProperty,
            { params: { id: customerId }, body: body as z.input<typeof NewProperty> },
            { idempotencyKey: key },
          )
        : call(
            customersApi.updateProperty,
            { params: { id: propertyId }, body: body as z.input<typeof PropertyChanges> },
            { idempotencyKey: key },
          ),
    onSuccess: () => refresh(),
  })
}

export const useSetLocation = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; latitude: number; longitude: number; version: number }) =>
      call(customersApi.setLocation, { params: { id }, body }),
    onSuccess: () => refresh(),
  })
}

export const useArchiveProperty = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, back }: { id: string; back?: boolean }) =>
      call(back ? customersApi.unarchiveProperty : customersApi.archiveProperty, { params: { id } }),
    onSuccess: () => refresh(),
  })
}

export const useRevealGateCode = () =>
  useMutation({ mutationFn: (id: string) => call(customersApi.revealGateCode, { params: { id } }) })

/** Who looks like this customer, when that is why a create was refused; else null. */
export const duplicatesOf = (error: unknown): CustomerDuplicate[] | null => {
  const list = error instanceof ApiError ? error.details.duplicates : undefined
  return Array.isArray(list) ? (list as CustomerDuplicate[]) : null
}

/** Fetches the customers of a filter as CSV and hands the file to the browser. */
export const downloadCustomers = async (filter: FilterOnly): Promise<void> => {
  const { blob, name } = await fetchFile(customersApi.exportCsv, { query: filter })
  saveFile(blob, name ?? 'customers.csv')
}
