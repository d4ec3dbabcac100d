import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { stopsApi } from '../contract.ts'

export const stopSettingsQuery = queryOptions({
  queryKey: ['stops', 'settings'],
  queryFn: ({ signal }) => call(stopsApi.settings, {}, { signal }),
})

export const useSaveStopSettings = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof stopsApi.saveSettings>['body'], key) =>
      call(stopsApi.saveSettings, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => client.setQueryData(stopSettingsQuery.queryKey, saved),
  })
}
