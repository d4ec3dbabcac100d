import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { sentPhotosApi } from '../contract.ts'

type Sent = { messageId: string; fileId: string }

export const photoVisitsQuery = ({ messageId, fileId }: Sent) =>
  queryOptions({
    queryKey: ['messages', 'photo-visits', messageId, fileId],
    queryFn: ({ signal }) => call(sentPhotosApi.visits, { params: { id: messageId }, query: { fileId } }, { signal }),
    meta: { live: { topics: ['visits', 'messages'] } },
  })

export const useKeepPhoto = ({ messageId, fileId }: Sent) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (visitId: string, key) =>
      call(sentPhotosApi.keep, { params: { id: messageId }, body: { fileId, visitId } }, { idempotencyKey: key }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['messages', 'photo-visits', messageId, fileId] })
      void client.invalidateQueries({ queryKey: ['visits'] })
    },
  })
}
