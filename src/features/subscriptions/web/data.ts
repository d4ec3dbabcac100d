import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { localPlansApi } from '../../../local/plans/contract.ts'
import { call, fetchFile } from '../../../shared/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type Subscription, type SubscriptionInvoice, subscriptionsApi } from '../contract.ts'

export const subscriptionQuery = queryOptions({
  queryKey: ['business', 'subscription'],
  queryFn: ({ signal }) => call(subscriptionsApi.get, {}, { signal }),
})

export const previewQuery = (priceId: string) =>
  queryOptions({
    queryKey: ['business', 'subscription', 'change', priceId],
    queryFn: ({ signal }) => call(subscriptionsApi.previewChange, { query: { priceId } }, { signal }),
    staleTime: 0,
  })

const useSubscriptionChange = <V>(work: (value: V, key: string) => Promise<Subscription>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: work,
    onSuccess: (next) => {
      client.setQueryData(subscriptionQuery.queryKey, next)
      void client.invalidateQueries({ queryKey: ['business'] })
    },
  })
}

export const useChangePlan = () =>
  useSubscriptionChange((priceId: string, key) =>
    call(subscriptionsApi.change, { body: { priceId } }, { idempotencyKey: key }),
  )
export const useCancelPlan = () =>
  useSubscriptionChange<void>((_, key) => call(subscriptionsApi.cancel, {}, { idempotencyKey: key }))
export const useKeepSubscription = () =>
  useSubscriptionChange<void>((_, key) => call(subscriptionsApi.resume, {}, { idempotencyKey: key }))

/** Leaves for the provider's page; its own error is told when the page cannot be reached. */
export const goToPortal = async (): Promise<void> => {
  const { url } = await call(subscriptionsApi.portal, {})
  window.location.assign(url)
}

/** Saves one of our invoices as a file. */
export const saveInvoice = async (invoice: SubscriptionInvoice): Promise<void> => {
  const { blob } = await fetchFile(subscriptionsApi.invoicePdf, { params: { id: invoice.id } })
  saveFile(blob, `swath-${invoice.number || 'invoice'}.pdf`)
}

export const confirmationQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['checkout', sessionId],
    queryFn: () => call(subscriptionsApi.confirm, { params: { sessionId } }),
    staleTime: 0,
    enabled: sessionId !== '',
    // Until the provider has said so; then it is done.
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' || state.error ? 2000 : false),
  })

/** Tells the conversion tag, when one is set up and it was not told before. A tag that fails is no matter of the person's. */
export const reportConversion = async (): Promise<void> => {
  const { url } = await call(subscriptionsApi.conversion, {})
  if (url) await fetch(url, { mode: 'no-cors', keepalive: true, credentials: 'omit' })
}

export const planCheckoutQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['local-plan-checkout', sessionId],
    queryFn: ({ signal }) => call(localPlansApi.checkout, { params: { sessionId } }, { signal, retries: 1 }),
    staleTime: 0,
  })

export const payPlan = (sessionId: string, cardNumber: string, confirmed: boolean) =>
  call(localPlansApi.pay, { params: { sessionId }, body: { cardNumber, confirmed } }, { retries: 1 })

export const layCoupon = (sessionId: string, code: string | null) =>
  call(localPlansApi.coupon, { params: { sessionId }, body: { code } })

export const portalQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['local-portal', sessionId],
    queryFn: ({ signal }) => call(localPlansApi.portal, { params: { sessionId } }, { signal, retries: 1 }),
    staleTime: 0,
  })

export type PortalAction = Parameters<typeof call<(typeof localPlansApi)['act']>>[1]['body']

export const actAtPortal = (sessionId: string, body: PortalAction) =>
  call(localPlansApi.act, { params: { sessionId }, body }, { retries: 0 })
