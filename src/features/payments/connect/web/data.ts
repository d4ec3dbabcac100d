import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccountStep } from '../../../../local/payments/contract.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type CardAccount, connectApi } from '../contract.ts'

export const cardAccountQuery = queryOptions({
  queryKey: ['business', 'cards'],
  queryFn: ({ signal }) => call(connectApi.getAccount, {}, { signal }),
})

const useStore = () => {
  const client = useQueryClient()
  return (account: CardAccount) => client.setQueryData(cardAccountQuery.queryKey, account)
}

/** Asks the provider how the account stands, and shows it. */
export const useSyncAccount = () => {
  const store = useStore()
  return useMutation({ mutationFn: () => call(connectApi.syncAccount, {}), onSuccess: store })
}

/** Leaves for the provider's form, by an address that is good once. */
export const goToConnect = async (): Promise<void> => {
  const { url } = await call(connectApi.connectAccount, {})
  window.location.assign(url)
}

export const useDisconnect = () => {
  const store = useStore()
  return useIdempotentMutation<void, CardAccount>({
    mutationFn: (_, key) => call(connectApi.disconnectAccount, {}, { idempotencyKey: key }),
    onSuccess: store,
  })
}

export const localAccountQuery = (linkId: string) =>
  queryOptions({
    queryKey: ['local-connect', linkId],
    queryFn: ({ signal }) => call(localPaymentsApi.account, { params: { linkId } }, { signal, retries: 1 }),
    staleTime: 0,
  })

export const stepAccount = (linkId: string, step: AccountStep) =>
  call(localPaymentsApi.stepAccount, { params: { linkId }, body: { step } })
