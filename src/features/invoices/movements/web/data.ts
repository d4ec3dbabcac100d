import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { movementsApi } from '../contract.ts'
import type { MovementView } from '../rules.ts'

export const movementsQuery = (query: { view: MovementView; from: string; to: string }) =>
  infiniteQueryOptions({
    queryKey: ['invoices', 'movements', query],
    meta: { live: { topics: ['payments', 'invoices'] } },
    queryFn: ({ pageParam, signal }) =>
      call(movementsApi.list, { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
  })
