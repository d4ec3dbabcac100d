import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchFile } from '../../../../shared/client.ts'
import type { BodyOf } from '../../../../shared/endpoint.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type OwnerCall, useOwner } from '../../../owner/web/session.ts'
import { refreshMs, useReload } from '../../web/data.ts'
import { followupApi, type LeadsOf } from '../contract.ts'

export const historyQuery = (ask: OwnerCall, leadId: string) =>
  queryOptions({
    queryKey: ['desk', 'history', leadId],
    queryFn: async ({ signal }) => (await ask(followupApi.history, { params: { leadId } }, { signal })).items,
  })

export const agendaQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'agenda'],
    queryFn: ({ signal }) => ask(followupApi.agenda, {}, { signal }),
    refetchInterval: refreshMs,
  })

export const useAddNote = (leadId: string) => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (text: string, key) =>
      ask(followupApi.addNote, { params: { leadId }, body: { text } }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk', 'history', leadId] }),
  })
}

export const useMarkSeen = () => {
  const { ask } = useOwner()
  const reload = useReload()
  return useMutation({
    mutationFn: (leadId: string) => ask(followupApi.markSeen, { params: { leadId } }),
    onSuccess: reload,
  })
}

export const useSetStatuses = () => {
  const { ask } = useOwner()
  const reload = useReload()
  return useMutation({
    mutationFn: (body: BodyOf<typeof followupApi.setStatuses>) => ask(followupApi.setStatuses, { body }),
    onSuccess: reload,
  })
}

/** The leads of a filter as a file. */
export const useDownloadLeads = () => {
  const { token } = useOwner()
  return useMutation({
    mutationFn: async (filter: LeadsOf) => {
      const { blob, name } = await fetchFile(followupApi.exportCsv, { query: filter }, { token: token ?? '' })
      saveFile(blob, name ?? 'leads.csv')
    },
  })
}
