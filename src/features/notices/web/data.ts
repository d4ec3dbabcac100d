import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import type { NoticeKind } from '../../businesses/notices/rules.ts'
import { noticesApi } from '../contract.ts'

export const customerNoticesQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', customerId, 'notices'],
    queryFn: ({ signal }) => call(noticesApi.get, { params: { id: customerId } }, { signal }),
  })

export const useWantNotice = (customerId: string) => {
  const client = useQueryClient()
  const { queryKey } = customerNoticesQuery(customerId)
  return useMutation({
    mutationFn: (body: { kind: NoticeKind; wanted: boolean }) =>
      call(noticesApi.update, { params: { id: customerId }, body }),
    onSuccess: (now) => client.setQueryData(queryKey, now),
    onError: () => client.invalidateQueries({ queryKey }),
  })
}

export const useVisitLink = () =>
  useIdempotentMutation({
    mutationFn: (visitId: string, key) => call(noticesApi.link, { params: { visitId } }, { idempotencyKey: key }),
  })
