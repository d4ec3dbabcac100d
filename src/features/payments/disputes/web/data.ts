import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { DisputeStep, PayoutStep } from '../../../../local/payments/contract.ts'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { disputesApi } from '../contract.ts'

const live = { live: { topics: ['payments', 'invoices', 'customers'] } } as const

export const disputesQuery = (of: { customerId: string } | { invoiceId: string }) =>
  queryOptions({
    queryKey: ['payments', 'disputes', of],
    meta: live,
    queryFn: ({ signal }) => call(disputesApi.list, { query: of }, { signal }),
  })

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'dispute', id],
    meta: live,
    queryFn: ({ signal }) => call(disputesApi.get, { params: { id } }, { signal }),
  })

/** Keeps the words of the evidence, or sends them. */
export const useEvidence = (id: string) => {
  const client = useQueryClient()
  const { queryKey } = disputeQuery(id)
  return useIdempotentMutation({
    mutationFn: ({ sends, ...body }: { sends: boolean; text: string; version: number }, key) =>
      call(
        sends ? disputesApi.submitEvidence : disputesApi.saveEvidence,
        { params: { id }, body },
        { idempotencyKey: key },
      ),
    onSuccess: (dispute) => client.setQueryData(queryKey, dispute),
  })
}

export const bankQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['local-bank', accountId],
    queryFn: ({ signal }) => call(localPaymentsApi.bank, { params: { accountId } }, { signal, retries: 1 }),
    staleTime: 0,
  })

type Deed =
  | { kind: 'inquiry' | 'dispute'; paymentId: string; amountCents?: number }
  | { step: DisputeStep; disputeId: string }
  | { payoutId: string; becomes: PayoutStep }
  | { paysOut: true }
  | { days: true }

/** What a payer's bank does, or the provider and the business's own bank, played. */
export const playBank = (accountId: string, deed: Deed) =>
  'days' in deed
    ? call(localPaymentsApi.passDays, { params: { accountId } })
    : 'paysOut' in deed
      ? call(localPaymentsApi.payOut, { params: { accountId } })
      : 'payoutId' in deed
        ? call(localPaymentsApi.stepPayout, {
            params: { accountId, payoutId: deed.payoutId },
            body: { step: deed.becomes },
          })
        : 'step' in deed
          ? call(localPaymentsApi.stepDispute, {
              params: { accountId, disputeId: deed.disputeId },
              body: { step: deed.step },
            })
          : call(localPaymentsApi.dispute, { params: { accountId }, body: deed })
