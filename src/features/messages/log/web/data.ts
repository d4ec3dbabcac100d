import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { Channel } from '../../rules.ts'
import { messageLogApi } from '../contract.ts'
import type { Outcome } from '../rules.ts'

export type LogFilter = {
  customerId: string | null
  channel: Channel | null
  outcome: Outcome | null
  until: string | null
}

export const messageLogQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['messages', 'log', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        messageLogApi.list,
        {
          query: {
            limit: 50,
            ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null)),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
