import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { jobEditsApi } from '../contract.ts'

export type BulkBody = CallInput<(typeof jobEditsApi)['preview']>['body']
type EditBody = CallInput<(typeof jobEditsApi)['create']>['body']

/** What a change would do; asked anew whenever the wish changes, the old answer stays meanwhile. */
export const bulkPreviewQuery = (body: BulkBody) =>
  queryOptions({
    queryKey: ['job-previews', 'bulk', body],
    queryFn: ({ signal }) => call(jobEditsApi.preview, { body }, { signal, retries: 0 }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

export const jobEditsQuery = queryOptions({
  queryKey: ['jobs', 'edits'],
  queryFn: async ({ signal }) => (await call(jobEditsApi.list, {}, { signal })).items,
})

const useRefresh = () => {
  const client = useQueryClient()
  return {
    onSuccess: () => {
      for (const key of ['jobs', 'visits', 'routes', 'calendar']) void client.invalidateQueries({ queryKey: [key] })
    },
  }
}

export const useEditJobs = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: EditBody, key) => call(jobEditsApi.create, { body }, { idempotencyKey: key }),
  })

export const useUndoEdit = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (id: string, key) => call(jobEditsApi.undo, { params: { id } }, { idempotencyKey: key }),
  })

/** The message of a change, which goes once the change is taken back elsewhere. */
export const newsOf = (editId: string): string => `bulk:${editId}`
