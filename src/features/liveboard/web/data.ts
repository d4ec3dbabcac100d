import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { liveboardApi } from '../contract.ts'

export const liveboardQuery = queryOptions({
  queryKey: ['visits', 'live-board'],
  queryFn: ({ signal }) => call(liveboardApi.now, {}, { signal }),
  // It shows the whole business: many taps at once are one request.
  meta: { live: { topics: ['visits', 'routes', 'timeclock', 'crews', 'calendar'], everyMs: 5_000 } },
  refetchInterval: 60_000,
})
