import { queryOptions } from '@tanstack/react-query'
import { localPaymentsApi } from '../../../local/payments/contract.ts'
import { call } from '../../../shared/client.ts'

export const checkoutQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['local-checkout', sessionId],
    queryFn: ({ signal }) => call(localPaymentsApi.checkout, { params: { sessionId } }, { signal, retries: 1 }),
    staleTime: 0,
  })

export const payTest = (sessionId: string, body: { cardNumber: string } | { bankAccount: string }) =>
  call(localPaymentsApi.pay, { params: { sessionId }, body }, { retries: 1 })
