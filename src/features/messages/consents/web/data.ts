import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type CustomerConsents, consentsApi } from '../contract.ts'

export const consentsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', customerId, 'consents'],
    queryFn: ({ signal }) => call(consentsApi.list, { params: { id: customerId } }, { signal }),
  })

export const useRecordWord = (customerId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: z.input<typeof consentsApi.record.body>, key) =>
      call(consentsApi.record, { params: { id: customerId }, body }, { idempotencyKey: key }),
    onSuccess: (now: CustomerConsents) => client.setQueryData(consentsQuery(customerId).queryKey, now),
  })
}
