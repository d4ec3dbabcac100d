import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { messagesApi } from '../../messages/contract.ts'
import { type BusinessSettings, businessesApi } from '../contract.ts'

export const businessQuery = queryOptions({
  queryKey: ['business'],
  queryFn: ({ signal }) => call(businessesApi.get, {}, { signal }),
})

export const smsUsageQuery = queryOptions({
  queryKey: ['messages', 'usage'],
  queryFn: ({ signal }) => call(messagesApi.usage, {}, { signal }),
})

/** What everybody may see of a business, by its address. */
export const publicBusinessQuery = (username: string) =>
  queryOptions({
    queryKey: ['public-business', username],
    queryFn: ({ signal }) => call(businessesApi.publicPage, { params: { username } }, { signal, retries: 1 }),
  })

export type BusinessChange = Omit<CallInput<typeof businessesApi.update>['body'], 'version'>

/** Puts settings that came back on the screen. */
export const useStore = () => {
  const client = useQueryClient()
  return (settings: BusinessSettings) => client.setQueryData(businessQuery.queryKey, settings)
}

export const useChangeBusiness = () => {
  const store = useStore()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BusinessChange & { version: number }) => call(businessesApi.update, { body }),
    onSuccess: store,
    onError: () => client.invalidateQueries({ queryKey: businessQuery.queryKey }),
  })
}

export type TaxDraft = CallInput<typeof businessesApi.addTaxRate>['body']

export const useAddTax = () => {
  const store = useStore()
  return useIdempotentMutation({
    mutationFn: (body: TaxDraft, key) => call(businessesApi.addTaxRate, { body }, { idempotencyKey: key }),
    onSuccess: store,
  })
}

export const useEndTax = () => {
  const store = useStore()
  return useMutation({
    mutationFn: ({ id, validTo }: { id: string; validTo: string | null }) =>
      call(businessesApi.endTaxRate, { params: { id }, body: { validTo } }),
    onSuccess: store,
  })
}

export const useRemoveTax = () => {
  const store = useStore()
  return useMutation({
    mutationFn: (id: string) => call(businessesApi.removeTaxRate, { params: { id } }),
    onSuccess: store,
  })
}

export const useSetLogo = () => {
  const store = useStore()
  return useMutation({
    mutationFn: (picture: Blob) => call(businessesApi.setLogo, { body: picture }),
    onSuccess: store,
  })
}

export const useRemoveLogo = () => {
  const store = useStore()
  return useMutation({ mutationFn: () => call(businessesApi.removeLogo, {}), onSuccess: store })
}

export const useSetNumbers = () => {
  const store = useStore()
  return useMutation({
    mutationFn: (body: { nextInvoice: number; nextJob: number }) => call(businessesApi.setNumbers, { body }),
    onSuccess: store,
  })
}
