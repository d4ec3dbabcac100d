import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { Topic } from '../../../../shared/topics.ts'
import { cashFlowApi } from '../contract.ts'
import type { ListedKind } from '../rules.ts'

const topics: Topic[] = ['visits', 'invoices', 'payments', 'jobs', 'customers', 'crews', 'expenses', 'business']
const live = { live: { topics, everyMs: 15_000 } }

export const cashFlowQuery = () =>
  queryOptions({
    queryKey: ['analytics', 'cash-flow'],
    meta: live,
    queryFn: ({ signal }) => call(cashFlowApi.get, {}, { signal }),
  })

export const cashItemsQuery = (query: { week: number; kind: ListedKind }) =>
  queryOptions({
    queryKey: ['analytics', 'cash-flow', 'items', query],
    meta: live,
    queryFn: ({ signal }) => call(cashFlowApi.items, { query }, { signal }),
  })
