import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { servicesApi } from '../../../services/contract.ts'
import { pricesApi } from '../contract.ts'

export type PriceWish = NonNullable<CallInput<(typeof pricesApi)['apply']>['body']>

export const priceChangesQuery = queryOptions({
  queryKey: ['services', 'price-changes'],
  queryFn: async ({ signal }) => (await call(pricesApi.list, {}, { signal })).items,
})

/** The versions of a service's prices. */
export const priceVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['services', 'prices', id],
    queryFn: async ({ signal }) => (await call(servicesApi.prices, { params: { id } }, { signal })).items,
  })

/** What a change would do, from the rows as they are now. */
export const pricePreviewQuery = (body: PriceWish) =>
  queryOptions({
    queryKey: ['job-previews', 'prices', body],
    queryFn: ({ signal }) => call(pricesApi.preview, { body }, { signal }),
    placeholderData: keepPreviousData,
  })

const useRefresh = () => {
  const client = useQueryClient()
  return {
    onSuccess: () => {
      for (const topic of ['services', 'jobs', 'visits', 'job-previews', 'analytics'])
        void client.invalidateQueries({ queryKey: [topic] })
    },
  }
}

export const useApplyPrices = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: PriceWish, key) => call(pricesApi.apply, { body }, { idempotencyKey: key }),
  })

export const useUndoPrices = () =>
  useIdempotentMutation({
    // who was told that it is undone already sees it so
    onSettled: useRefresh().onSuccess,
    mutationFn: (id: string, key) => call(pricesApi.undo, { params: { id } }, { idempotencyKey: key }),
  })
