import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type Exemptions, exemptionsApi } from '../contract.ts'

/** The certificates of a customer. */
export const exemptionsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'exemptions', customerId],
    queryFn: ({ signal }) => call(exemptionsApi.list, { params: { id: customerId } }, { signal }),
  })

export const useExemptions = (customerId: string) => {
  const client = useQueryClient()
  const onSuccess = (next: Exemptions) => {
    client.setQueryData(exemptionsQuery(customerId).queryKey, next)
    void client.invalidateQueries({ queryKey: ['invoices'] })
    void client.invalidateQueries({ queryKey: ['dashboard'] })
  }
  return {
    add: useIdempotentMutation({
      mutationFn: (body: z.input<typeof exemptionsApi.add.body>, key) =>
        call(exemptionsApi.add, { params: { id: customerId }, body }, { idempotencyKey: key }),
      onSuccess,
    }),
    setFile: useMutation({
      mutationFn: ({ id, file }: { id: string; file: Blob }) =>
        call(exemptionsApi.setFile, { params: { id }, body: file }),
      onSuccess,
    }),
    remove: useIdempotentMutation({
      mutationFn: (id: string, key) => call(exemptionsApi.remove, { params: { id } }, { idempotencyKey: key }),
      onSuccess,
    }),
  }
}
