import { queryOptions } from '@tanstack/react-query'
import { notificationsApi } from '../features/notifications/contract.ts'
import { call } from '../shared/client.ts'

/** What waits behind the items of the sidebar. */
export const navCountsQuery = queryOptions({
  queryKey: ['nav-counts'],
  queryFn: ({ signal }) => call(notificationsApi.navCounts, {}, { signal, retries: 0 }),
  refetchInterval: 60_000,
  staleTime: 30_000,
  meta: { live: { topics: ['invoices', 'messages', 'chat', 'timeclock', 'leads'], everyMs: 5_000 } },
})
