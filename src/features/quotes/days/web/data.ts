import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type QuoteRules, quoteDaysApi } from '../contract.ts'

export const bestDaysQuery = (id: string) =>
  queryOptions({
    queryKey: ['quotes', 'days', id],
    queryFn: ({ signal }) => call(quoteDaysApi.best, { params: { id } }, { signal }),
    staleTime: 60_000,
  })

export const quoteRulesQuery = queryOptions({
  queryKey: ['quotes', 'rules'],
  queryFn: ({ signal }) => call(quoteDaysApi.rules, {}, { signal }),
})

export const useSetQuoteRules = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: QuoteRules, key: string) => call(quoteDaysApi.setRules, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => {
      client.setQueryData(quoteRulesQuery.queryKey, saved)
      void client.invalidateQueries({ queryKey: ['quotes', 'days'] })
    },
  })
}
