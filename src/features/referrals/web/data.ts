import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { referralsApi } from '../contract.ts'

export const referralsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['leads', 'referrals', customerId],
    queryFn: ({ signal }) => call(referralsApi.get, { params: { id: customerId } }, { signal }),
  })

export const useGiveCode = (customerId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (_: undefined, key: string) =>
      call(referralsApi.give, { params: { id: customerId } }, { idempotencyKey: key }),
    onSuccess: (given) => client.setQueryData(referralsQuery(customerId).queryKey, given),
  })
}
