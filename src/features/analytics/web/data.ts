import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, fetchFile, serverMessage } from '../../../shared/client.ts'
import type { Topic } from '../../../shared/topics.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { analyticsApi, type Overview } from '../contract.ts'
import { reportFailure, reportName } from '../report/rules.ts'
import type { Kind, Period } from '../rules.ts'

const topics: Topic[] = ['visits', 'routes', 'invoices', 'payments', 'jobs', 'customers', 'crews', 'services', 'quotes']
// the whole business: many changes at once are one request now and then
const live = { live: { topics, everyMs: 15_000 } }

export const overviewQuery = (period: Period) =>
  queryOptions({
    queryKey: ['analytics', 'overview', period],
    meta: live,
    queryFn: ({ signal }) => call(analyticsApi.overview, { query: { period } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const statisticsQuery = queryOptions({
  queryKey: ['analytics', 'statistics'],
  meta: live,
  queryFn: ({ signal }) => call(analyticsApi.statistics, {}, { signal }),
})

export type Show = 'completed' | 'unpaid' | 'skipped'
/** Which visits a list shows: of a period, and of one crew, service, city or source where one is named. */
export type Wanted = {
  period: Period
  /** Chosen days instead of the period. */
  from?: string
  to?: string
  show: Show
  kind?: Exclude<Kind, 'all'>
  key?: string
  crewId?: string
}

export const workQuery = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: ['analytics', 'visits', wanted],
    meta: live,
    queryFn: ({ pageParam, signal }) =>
      call(analyticsApi.visits, { query: { ...wanted, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  })

/** Makes the report and hands it to the browser. @throws Error that says what failed, for the log; a person reads `reportAlert` */
export const generateReport = async ({ period, current }: Pick<Overview, 'period' | 'current'>): Promise<void> => {
  try {
    const { blob } = await fetchFile(analyticsApi.pdf, { query: { period } })
    saveFile(blob, `${reportName(current.to)}.pdf`)
  } catch (error) {
    throw new Error(reportFailure(serverMessage(error, '')), { cause: error })
  }
}
