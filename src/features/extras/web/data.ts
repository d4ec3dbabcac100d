import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type Extra, extrasApi } from '../contract.ts'
import type { ExtraAction } from '../rules.ts'

export const extraSettingsQuery = queryOptions({
  queryKey: ['extras', 'settings'],
  queryFn: ({ signal }) => call(extrasApi.settings, {}, { signal }),
})

export const useSaveExtraSettings = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof extrasApi.saveSettings>['body'], key) =>
      call(extrasApi.saveSettings, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => client.setQueryData(extraSettingsQuery.queryKey, saved),
  })
}

/** What a visit costs more; with the visits, so that it follows them. */
export const visitExtrasQuery = (visitId: string) =>
  queryOptions({
    queryKey: ['visits', 'extras', visitId],
    queryFn: ({ signal }) => call(extrasApi.ofVisit, { params: { visitId } }, { signal }),
  })

export type ExtraDeed = {
  [A in ExtraAction]: { action: A; extra: Extra; body: Omit<CallInput<(typeof extrasApi)[A]>['body'], 'version'> }
}[ExtraAction]

/** What the office decides about an extra, once however often it is pressed. */
export const useExtraDeed = () => {
  const client = useQueryClient()
  return useIdempotentMutation<ExtraDeed, Extra>({
    mutationFn: ({ action, extra, body }, key) =>
      call<(typeof extrasApi)['add']>(
        extrasApi[action] as never,
        { params: { id: extra.id }, body: { ...body, version: extra.version } as never },
        { idempotencyKey: key },
      ),
    onSettled: () => {
      for (const topic of ['visits', 'dashboard', 'jobs', 'invoices'])
        void client.invalidateQueries({ queryKey: [topic] })
    },
  })
}
