import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { Topic } from '../../../../shared/topics.ts'
import { costingApi } from '../contract.ts'
import type { CostKind, CostPeriod, costSorts } from '../rules.ts'

const topics: Topic[] = [
  'visits',
  'routes',
  'invoices',
  'payments',
  'jobs',
  'customers',
  'crews',
  'services',
  'expenses',
  'materials',
  'timeclock',
  'business',
]
const live = { live: { topics, everyMs: 15_000 } }

export type CostSort = (typeof costSorts)[number]
export type CostQuery = { period: CostPeriod; by: CostKind; sort: CostSort; limit: number }

export const costsQuery = (query: CostQuery) =>
  queryOptions({
    queryKey: ['analytics', 'costs', query],
    meta: live,
    queryFn: ({ signal }) => call(costingApi.list, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const costVisitsQuery = (query: { period: CostPeriod; by: CostKind; key: string }) =>
  queryOptions({
    queryKey: ['analytics', 'costs', 'visits', query],
    meta: live,
    queryFn: ({ signal }) => call(costingApi.visits, { query }, { signal }),
  })
