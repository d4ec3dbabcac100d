import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import type { Topic } from '../../../../shared/topics.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { learnedMinutesApi } from '../contract.ts'

export type SeenMinutes = CallInput<(typeof learnedMinutesApi)['accept']>['body']['items']

const topics: readonly Topic[] = ['jobs', 'visits', 'customers', 'services', 'business']

export const learnedMinutesQuery = queryOptions({
  queryKey: ['jobs', 'learned-minutes'],
  meta: { live: { topics, everyMs: 15_000 } },
  queryFn: ({ signal }) => call(learnedMinutesApi.list, {}, { signal }),
})

const useRefresh = () => {
  const client = useQueryClient()
  return () => {
    for (const key of ['jobs', 'visits', 'routes', 'calendar', 'season'])
      void client.invalidateQueries({ queryKey: [key] })
  }
}

export const useAcceptMinutes = () => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (items: SeenMinutes, key) =>
      call(learnedMinutesApi.accept, { body: { items } }, { idempotencyKey: key }),
  })
}

export const useDismissMinutes = () => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (items: SeenMinutes, key) =>
      call(learnedMinutesApi.dismiss, { body: { items } }, { idempotencyKey: key }),
  })
}

export const useRestoreMinutes = () => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (lineIds: string[], key) =>
      call(learnedMinutesApi.restore, { body: { lineIds } }, { idempotencyKey: key }),
  })
}
