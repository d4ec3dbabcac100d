import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { leadRequestApi, leadSettingsApi } from '../contract.ts'

export const leadSettingsQuery = queryOptions({
  queryKey: ['leads', 'settings'],
  queryFn: ({ signal }) => call(leadSettingsApi.get, {}, { signal }),
})

export const useSaveLeadSettings = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof leadSettingsApi.save>['body'], key) =>
      call(leadSettingsApi.save, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => client.setQueryData(leadSettingsQuery.queryKey, saved),
  })
}

export const offerQuery = (slug: string) =>
  queryOptions({
    queryKey: ['offer', slug],
    queryFn: ({ signal }) => call(leadRequestApi.offer, { params: { slug } }, { signal, retries: 1 }),
  })

type Body<K extends 'place' | 'price' | 'ask'> = CallInput<(typeof leadRequestApi)[K]>['body']

export const usePlace = (slug: string) =>
  useMutation({ mutationFn: (body: Body<'place'>) => call(leadRequestApi.place, { params: { slug }, body }) })

export const usePrice = (slug: string) =>
  useMutation({ mutationFn: (body: Body<'price'>) => call(leadRequestApi.price, { params: { slug }, body }) })

/** The key in the body makes it one, however often it is sent. */
export const useAsk = (slug: string) =>
  useMutation({ mutationFn: (body: Body<'ask'>) => call(leadRequestApi.ask, { params: { slug }, body }) })
