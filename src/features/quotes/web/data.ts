import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { customersApi } from '../../customers/contract.ts'
import { businessLeadsApi } from '../../leads/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { quoteBillingApi } from '../billing/contract.ts'
import { type QuoteRecord, type QuoteView, quotesApi } from '../contract.ts'
import { quoteDepositsApi } from '../deposits/contract.ts'
import { quoteName } from '../rules.ts'

export type QuoteQuery = { view: QuoteView; search?: string; customerId?: string }

export const quotesQuery = (query: QuoteQuery) =>
  infiniteQueryOptions({
    queryKey: ['quotes', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(
        quotesApi.list,
        { query: { ...query, limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const quoteQuery = (id: string) =>
  queryOptions({
    queryKey: ['quotes', 'one', id],
    // a refund of its deposit is told as a payment, a text that is held back as a message
    meta: { live: { topics: ['quotes', 'payments', 'messages'] } },
    queryFn: ({ signal }) => call(quotesApi.get, { params: { id } }, { signal }),
  })

export type PreviewChoice = NonNullable<CallInput<typeof quotesApi.preview>['query']>

/** The page as the customer sees it, with what is ticked in it. */
export const previewQuery = (id: string, version: number, choice: PreviewChoice | null) =>
  queryOptions({
    queryKey: ['quotes', 'preview', id, version, choice],
    queryFn: ({ signal }) => call(quotesApi.preview, { params: { id }, query: choice ?? {} }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

/** The request that a quote answers, with the work that was chosen in it. */
export const askedQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['leads', 'one', leadId],
    queryFn: ({ signal }) => call(businessLeadsApi.get, { params: { id: leadId } }, { signal }),
  })

/** The catalog with its price rules, as the builder prices by it. */
export const catalogQuery = queryOptions({
  queryKey: ['services', 'catalog', 'quotes'],
  queryFn: ({ signal }) => call(servicesApi.catalog, { query: {} }, { signal }),
})

export const findCustomers = async (text: string, signal: AbortSignal) => {
  const { items } = await call(customersApi.list, { query: { limit: 20, ...(text ? { q: text } : {}) } }, { signal })
  return items.map((item) => ({
    value: item.id,
    label: item.name,
    hint: [item.street, item.email ?? 'no e-mail'].filter(Boolean).join(' · '),
  }))
}

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: ({ signal }) => call(customersApi.get, { params: { id } }, { signal }),
    enabled: id !== '',
  })

/** What was asked for is on the screen at once; lists and what follows from it are asked again. */
const useRefresh = () => {
  const client = useQueryClient()
  return (quote: QuoteRecord) => {
    client.setQueryData(quoteQuery(quote.id).queryKey, quote)
    void client.invalidateQueries({
      predicate: ({ queryKey: [topic, kind, id] }) => topic === 'quotes' && !(kind === 'one' && id === quote.id),
    })
  }
}

type Verb = 'send' | 'resend' | 'revise' | 'approve' | 'decline' | 'convert' | 'archive' | 'copy' | 'update'

/** Does one thing with a quote and shows what came of it. */
export const useQuoteVerb = <Name extends Verb>(name: Name) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<(typeof quotesApi)[Name]>, key: string): Promise<QuoteRecord> =>
      call(quotesApi[name] as typeof quotesApi.update, input as CallInput<typeof quotesApi.update>, {
        idempotencyKey: key,
      }),
    onSuccess: refresh,
  })
}

export const useRecordDeposit = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<typeof quoteDepositsApi.record>, key: string) =>
      call(quoteDepositsApi.record, input, { idempotencyKey: key }),
    onSuccess: refresh,
  })
}

export const useBillQuote = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (id: string, key: string) => call(quoteBillingApi.bill, { params: { id } }, { idempotencyKey: key }),
    onSuccess: refresh,
  })
}

export const useKeepDeposit = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (id: string, key: string) => call(quoteDepositsApi.keep, { params: { id } }, { idempotencyKey: key }),
    onSuccess: refresh,
  })
}

export const useCreateQuote = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof quotesApi.create>['body'], key: string) =>
      call(quotesApi.create, { body }, { idempotencyKey: key }),
    onSuccess: refresh,
  })
}

export const useAddPhoto = () =>
  useIdempotentMutation({
    mutationFn: (file: File, key: string) => call(quotesApi.addPhoto, { body: file }, { idempotencyKey: key }),
  })

export const downloadQuote = async ({ id, number }: { id: string; number: number }): Promise<void> => {
  const { blob } = await fetchFile(quotesApi.pdf, { params: { id } })
  saveFile(blob, `${quoteName(number)}.pdf`)
}
