import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { employeesApi } from '../../employees/contract.ts'
import { jobsApi } from '../contract.ts'
import type { JobVerb } from '../states/rules.ts'

export type BatchBody = CallInput<(typeof jobsApi)['batch']>['body']
export type JobBody = CallInput<(typeof jobsApi)['create']>['body']
export type ChangeBody = CallInput<(typeof jobsApi)['update']>['body']
export type ListQuery = NonNullable<CallInput<(typeof jobsApi)['list']>['query']>

export const jobsListQuery = (query: ListQuery) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(jobsApi.list, { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

export const jobCountsQuery = queryOptions({
  queryKey: ['jobs', 'counts'],
  queryFn: ({ signal }) => call(jobsApi.counts, {}, { signal }),
})

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: ({ signal }) => call(jobsApi.get, { params: { id } }, { signal }),
  })

export const calendarQuery = queryOptions({
  queryKey: ['business', 'calendar'],
  queryFn: ({ signal }) => call(jobsApi.calendar, {}, { signal }),
  staleTime: 5 * 60_000,
})

export const crewsQuery = queryOptions({
  queryKey: ['crews', 'choices'],
  queryFn: async ({ signal }) =>
    (await call(employeesApi.crews, { query: {} }, { signal })).items.map(({ id, name, color }) => ({
      id,
      name,
      color,
    })),
  staleTime: 60_000,
})

export const placeQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['customers', 'place', propertyId],
    queryFn: async ({ signal }) => (await call(jobsApi.places, { query: { propertyId } }, { signal })).items[0] ?? null,
  })

export const placesOfCustomerQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'places-of', customerId],
    queryFn: async ({ signal }) => (await call(jobsApi.places, { query: { customerId, limit: 50 } }, { signal })).items,
  })

/** The last job of a property that is over: what its customer usually has. */
export const lastJobQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['jobs', 'last', propertyId],
    queryFn: async ({ signal }) => {
      const query = { propertyId, view: 'archived', sort: 'number', order: 'desc', limit: 1 } as const
      const [last] = (await call(jobsApi.list, { query }, { signal })).items
      return last ? call(jobsApi.get, { params: { id: last.id } }, { signal }) : null
    },
  })

/** What a batch would make; asked anew whenever the wish changes, the old answer stays meanwhile. */
export const batchPreviewQuery = (body: BatchBody) =>
  queryOptions({
    queryKey: ['job-previews', 'batch', body],
    queryFn: ({ signal }) => call(jobsApi.batch, { body: { ...body, dryRun: true } }, { signal, retries: 0 }),
    placeholderData: keepPreviousData,
  })

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'batch', id],
    queryFn: ({ signal }) => call(jobsApi.getBatch, { params: { id } }, { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'running' ? 1_000 : false),
  })

export const changePreviewQuery = (id: string, body: ChangeBody) =>
  queryOptions({
    queryKey: ['job-previews', 'change', id, body],
    queryFn: ({ signal }) => call(jobsApi.previewChange, { params: { id }, body }, { signal, retries: 0 }),
    placeholderData: keepPreviousData,
  })

const useRefresh = () => {
  const client = useQueryClient()
  return {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] })
      void client.invalidateQueries({ queryKey: ['routes'] })
      // Previews are of the past now; one that is on the screen would be asked with the old version.
      void client.invalidateQueries({ queryKey: ['job-previews'], refetchType: 'none' })
    },
  }
}

const useJobsMutation = <In, Out>(run: (input: In) => Promise<Out>) => useMutation({ ...useRefresh(), mutationFn: run })

export const useCreateJob = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: JobBody, key) => call(jobsApi.create, { body }, { idempotencyKey: key }),
  })

export const useChangeJob = (id: string) =>
  useJobsMutation((body: ChangeBody) => call(jobsApi.update, { params: { id }, body }))

export const useActOnJob = () =>
  useJobsMutation(({ id, verb, until = null }: { id: string; verb: JobVerb; until?: string | null }) =>
    call(jobsApi.act, { params: { id, verb }, body: { until } }),
  )

export const useCreateBatch = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: BatchBody, key) => call(jobsApi.batch, { body }, { idempotencyKey: key }),
  })

export const useUndoBatch = () => useJobsMutation((id: string) => call(jobsApi.undoBatch, { params: { id } }))
