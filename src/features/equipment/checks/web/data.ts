import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { checksApi } from '../contract.ts'

export const dayChecksQuery = queryOptions({
  queryKey: ['equipment', 'checks', 'day'],
  queryFn: ({ signal }) => call(checksApi.day, { query: {} }, { signal }),
  meta: { live: { topics: ['equipment', 'crews'] } },
})

export const openDefectsQuery = queryOptions({
  queryKey: ['equipment', 'checks', 'defects'],
  queryFn: ({ signal }) => call(checksApi.defects, { query: { limit: 100 } }, { signal }),
  meta: { live: { topics: ['equipment'] } },
})

export const settingsQuery = queryOptions({
  queryKey: ['equipment', 'checks', 'settings'],
  queryFn: ({ signal }) => call(checksApi.settings, {}, { signal }),
})

export const useChecks = () => {
  const client = useQueryClient()
  const onSettled = () => {
    for (const topic of ['equipment', 'dashboard', 'notifications'])
      void client.invalidateQueries({ queryKey: [topic] })
  }
  const settle = useIdempotentMutation({
    onSettled,
    mutationFn: ({ defectId, ...body }: { defectId: string; note: string; back: boolean }, key) =>
      call(checksApi.settle, { params: { defectId }, body }, { idempotencyKey: key }),
  })
  const save = useIdempotentMutation({
    onSettled,
    mutationFn: (body: CallInput<typeof checksApi.saveSettings>['body'], key) =>
      call(checksApi.saveSettings, { body }, { idempotencyKey: key }),
  })
  return { settle, save }
}
