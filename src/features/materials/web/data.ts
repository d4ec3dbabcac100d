import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { areasApi } from '../../customers/areas/contract.ts'
import { type Material, materialsApi } from '../contract.ts'

export const materialsQuery = (archived = false) =>
  queryOptions({
    queryKey: ['materials', 'list', archived],
    queryFn: ({ signal }) => call(materialsApi.list, { query: archived ? { archived: 'true' } : {} }, { signal }),
    meta: { live: { topics: ['materials', 'services'] } },
  })

export const movesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['materials', 'moves', id],
    queryFn: ({ pageParam, signal }) =>
      call(materialsApi.moves, { params: { id }, query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export const loadsQuery = queryOptions({
  queryKey: ['materials', 'loads'],
  queryFn: ({ signal }) => call(materialsApi.loads, {}, { signal }),
  meta: { live: { topics: ['materials', 'visits', 'crews'] } },
})

export const purchasesQuery = queryOptions({
  queryKey: ['materials', 'purchases'],
  queryFn: ({ signal }) => call(materialsApi.purchases, {}, { signal }),
})

/** The next visits of a property. */
export const visitsAheadQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['materials', 'visits', propertyId],
    queryFn: ({ signal }) => call(materialsApi.visits, { query: { propertyId } }, { signal }),
    meta: { live: { topics: ['visits'] } },
    enabled: propertyId !== '',
  })

/** The measured parts of a property. */
export const propertyAreasQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['customers', 'areas', propertyId],
    queryFn: ({ signal }) => call(areasApi.list, { params: { id: propertyId } }, { signal }),
    enabled: propertyId !== '',
  })

/** What belongs to materials is loaded anew. */
export const useRefresh = () => {
  const client = useQueryClient()
  return () => {
    for (const queryKey of [['materials'], ['dashboard'], ['visits', 'loads']])
      void client.invalidateQueries({ queryKey })
  }
}

export const useAddMaterial = () =>
  useIdempotentMutation({
    mutationFn: (body: CallInput<typeof materialsApi.create>['body'], key) =>
      call(materialsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

type Verb = 'update' | 'archive' | 'restore' | 'count' | 'receive' | 'use'
type BodyOf<V extends Verb> = CallInput<(typeof materialsApi)[V]> extends { body: infer B } ? B : never

/** One of the things that can be done with a material; each answers the whole of it. */
export const useMaterialVerb = <V extends Verb>(id: string, verb: V) =>
  useIdempotentMutation({
    mutationFn: (body: BodyOf<V>, key): Promise<Material> =>
      call(materialsApi[verb], { params: { id }, body } as never, { idempotencyKey: key }) as Promise<Material>,
    onSuccess: useRefresh(),
  })

type Deed = 'saveSettings' | 'setLaw' | 'plan' | 'unplan' | 'usePlan' | 'want' | 'unwant' | 'quoteLine'

/** One of the things that can be done with a calculation, the lists or the settings. */
export const useDeed = <D extends Deed>(deed: D) => {
  const client = useQueryClient()
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<(typeof materialsApi)[D]>, key) =>
      call(materialsApi[deed] as typeof materialsApi.want, input as CallInput<typeof materialsApi.want>, {
        idempotencyKey: key,
      }),
    onSuccess: () => {
      refresh()
      if (deed === 'quoteLine') void client.invalidateQueries({ queryKey: ['quotes'] })
    },
  })
}
