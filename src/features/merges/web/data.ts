import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type MergePreview, mergesApi } from '../contract.ts'

export const duplicatesQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'duplicates', customerId],
    queryFn: ({ signal }) => call(mergesApi.duplicates, { params: { id: customerId } }, { signal }),
    staleTime: 60_000,
  })

export const mergePreviewQuery = (keptId: string, goneId: string) =>
  queryOptions({
    queryKey: ['customers', 'merge', keptId, goneId],
    queryFn: ({ signal }) => call(mergesApi.preview, { params: { id: keptId, goneId } }, { signal }),
  })

export const undoableMergesQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'merges', customerId],
    queryFn: ({ signal }) => call(mergesApi.undoable, { params: { id: customerId } }, { signal }),
    staleTime: 60_000,
  })

const topics = [
  'customers',
  'tasks',
  'timeline',
  'messages',
  'jobs',
  'visits',
  'quotes',
  'invoices',
  'payments',
  'leads',
]

export const useMerge = () => {
  const client = useQueryClient()
  const onSuccess = () => {
    for (const topic of topics) void client.invalidateQueries({ queryKey: [topic] })
  }
  const merge = useIdempotentMutation({
    mutationFn: ({ kept, gone }: MergePreview, key) =>
      call(
        mergesApi.merge,
        { params: { id: kept.id }, body: { goneId: gone.id, version: kept.version, goneVersion: gone.version } },
        { idempotencyKey: key },
      ),
    onSuccess,
  })
  const undo = useMutation({ mutationFn: (id: string) => call(mergesApi.undo, { params: { id } }), onSuccess })
  return { merge, undo }
}
