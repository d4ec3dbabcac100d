import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { cardLinksApi, type LinkWay } from '../../cardlinks/contract.ts'
import { type CustomerCard, cardsApi } from '../contract.ts'

export const customerCardQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['payments', 'card', customerId],
    queryFn: ({ signal }) => call(cardsApi.getCard, { params: { id: customerId } }, { signal }),
    meta: { live: { topics: ['customers', 'invoices'] } },
  })

const useCardChange = <V>(customerId: string, work: (value: V, key: string) => Promise<CustomerCard>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: work,
    onSuccess: (card) => client.setQueryData(customerCardQuery(customerId).queryKey, card),
  })
}

export const useRemoveCard = (customerId: string) =>
  useCardChange<void>(customerId, (_, key) =>
    call(cardsApi.removeCard, { params: { id: customerId } }, { idempotencyKey: key }),
  )

export const useSetAutopay = (customerId: string) =>
  useCardChange(customerId, (on: boolean, key) =>
    call(cardsApi.setAutopay, { params: { id: customerId }, body: { on } }, { idempotencyKey: key }),
  )

export const useCardLink = (customerId: string) =>
  useIdempotentMutation({
    mutationFn: (by: LinkWay, key) =>
      call(cardLinksApi.send, { params: { id: customerId }, body: { by } }, { idempotencyKey: key }),
  })
