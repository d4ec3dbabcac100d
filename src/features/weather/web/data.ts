import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { Day } from '../../../shared/dates.ts'
import type { Topic } from '../../../shared/topics.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { weatherApi } from '../contract.ts'

const topics: readonly Topic[] = ['weather', 'visits', 'routes', 'crews', 'business']

/** Weather of so many days from one on; from today without one. Nothing waits for it: a screen without it is whole. */
export const weatherQuery = (from?: Day, days = 3) =>
  queryOptions({
    queryKey: ['weather', from ?? 'today', days],
    // which visits stand in wet hours moves with every plan
    meta: { live: { topics, everyMs: 5_000 } },
    queryFn: ({ signal }) => call(weatherApi.get, { query: { days, ...(from ? { from } : {}) } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const useMark = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: { day: Day; hours: number[] | null; version: number }, key) =>
      call(weatherApi.mark, { body }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['weather'] }),
  })
}
