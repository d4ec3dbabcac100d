import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { paymentsApi } from '../contract.ts'

export const checkoutQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['local-checkout', sessionId],
    queryFn: ({ signal }) => call(paymentsApi.localCheckout, { params: { sessionId } }, { signal, retries: 1 }),
    staleTime: 0,
  })

export const payWithTestCard = (sessionId: string, cardNumber: string) =>
  call(paymentsApi.localPay, { params: { sessionId }, body: { cardNumber } }, { retries: 1 })
