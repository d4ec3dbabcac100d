import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { messagePhotosApi } from '../contract.ts'

export const customerPhotosQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['messages', 'photos', customerId],
    queryFn: ({ signal }) => call(messagePhotosApi.list, { params: { id: customerId } }, { signal }),
  })

export const useAddMessagePhoto = () =>
  useIdempotentMutation({
    mutationFn: (file: File, key: string) => call(messagePhotosApi.add, { body: file }, { idempotencyKey: key }),
  })
