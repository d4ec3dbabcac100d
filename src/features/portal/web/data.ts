import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { portalApi } from '../contract.ts'
import type { RequestAction } from '../rules.ts'

export const portalSettingsQuery = queryOptions({
  queryKey: ['business', 'portal'],
  queryFn: ({ signal }) => call(portalApi.settings, {}, { signal }),
})

export const portalRequestsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'portal', customerId],
    queryFn: ({ signal }) => call(portalApi.requests, { params: { id: customerId } }, { signal }),
  })

export const useSavePortal = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof portalApi.saveSettings>['body'], key) =>
      call(portalApi.saveSettings, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => client.setQueryData(portalSettingsQuery.queryKey, saved),
  })
}

export const useSendPortalLink = (customerId: string) =>
  useIdempotentMutation({
    mutationFn: (by: 'email' | 'sms', key) =>
      call(portalApi.sendLink, { params: { id: customerId }, body: { by } }, { idempotencyKey: key }),
  })

export const useAnswerRequest = (customerId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ id, action, words }: { id: string; action: RequestAction; words: string }, key) =>
      call(portalApi.answer, { params: { id, action }, body: { words } }, { idempotencyKey: key }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: portalRequestsQuery(customerId).queryKey })
      void client.invalidateQueries({ queryKey: ['customers'] })
    },
  })
}
