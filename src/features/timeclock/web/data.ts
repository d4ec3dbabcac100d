import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { timeclockApi } from '../contract.ts'

export type OfficeEntry = ResponseOf<typeof timeclockApi.entries>['items'][number]

/** Everybody's entries of a span of days; a week of a large team is a few pages. */
export const entriesQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['timeclock', 'entries', from, to],
    queryFn: async ({ signal }) => {
      const items: OfficeEntry[] = []
      let cursor: string | undefined
      do {
        const page = await call(
          timeclockApi.entries,
          { query: { from, to, limit: 200, ...(cursor ? { cursor } : {}) } },
          { signal },
        )
        items.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor && items.length < 5_000)
      return items
    },
  })
