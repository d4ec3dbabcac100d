import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import type { Topic } from '../../../../shared/topics.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { lawnsApi } from '../contract.ts'
import type { LawnPeriod } from '../rules.ts'

const topics: Topic[] = ['jobs', 'visits', 'routes', 'services', 'customers', 'messages', 'business']

export type LetterWish = CallInput<(typeof lawnsApi)['preview']>['body']

/** @param propertyId lawns of this property alone */
export const lowLawnsQuery = (period: LawnPeriod, propertyId?: string) =>
  queryOptions({
    queryKey: ['analytics', 'price-letters', period, propertyId ?? null],
    meta: { live: { topics, everyMs: 15_000 } },
    queryFn: ({ signal }) =>
      call(lawnsApi.list, { query: { period, ...(propertyId ? { propertyId } : {}) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Each letter as it would leave, from the rows as they are now. */
export const letterPreviewQuery = (body: LetterWish) =>
  queryOptions({
    queryKey: ['job-previews', 'price-letters', body],
    queryFn: ({ signal }) => call(lawnsApi.preview, { body }, { signal, retries: 0 }),
    gcTime: 0,
  })

const useRefresh = () => {
  const client = useQueryClient()
  return () => {
    for (const key of ['analytics', 'services', 'jobs', 'visits', 'job-previews'])
      void client.invalidateQueries({ queryKey: [key] })
  }
}

export const useSendLetters = () => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (body: CallInput<(typeof lawnsApi)['send']>['body'], key) =>
      call(lawnsApi.send, { body }, { idempotencyKey: key }),
  })
}

export const useNotePrinted = () => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, customerIds }: { id: string; customerIds: string[] }, key) =>
      call(lawnsApi.printed, { params: { id }, body: { customerIds } }, { idempotencyKey: key }),
  })
}
