import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { Day } from '../../../../shared/dates.ts'
import { fillApi } from '../contract.ts'

export const fillQuery = (day: Day, without: readonly string[] = []) =>
  queryOptions({
    queryKey: ['routes', 'fill', day, ...without],
    meta: { live: { topics: ['routes', 'visits', 'crews', 'jobs', 'calendar', 'customers'], everyMs: 2_000 } },
    queryFn: ({ signal }) =>
      call(
        fillApi.preview,
        { query: { day, ...(without.length > 0 ? { without: without.join(',') } : {}) } },
        { signal },
      ),
    // While it is reckoned without one of them, the others stay where they are.
    placeholderData: keepPreviousData,
    // What stands in the question is what is done: it is looked for when it is asked.
    staleTime: 0,
    gcTime: 0,
  })
