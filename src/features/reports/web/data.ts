import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import type { Topic } from '../../../shared/topics.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type ReportSettings, reportsApi, type SavedReport } from '../contract.ts'
import type { ReportFormat, ReportKind } from '../rules.ts'

const topics: Topic[] = [
  'visits',
  'routes',
  'invoices',
  'payments',
  'jobs',
  'customers',
  'crews',
  'services',
  'quotes',
  'timeclock',
  'business',
]

export const reportsQuery = queryOptions({
  queryKey: ['reports', 'list'],
  queryFn: ({ signal }) => call(reportsApi.list, {}, { signal }),
  staleTime: 60_000,
})

export const reportQuery = (kind: ReportKind, settings: ReportSettings, limit: number) =>
  queryOptions({
    queryKey: ['reports', 'run', kind, settings, limit],
    // the whole business: many changes at once are one request now and then
    meta: { live: { topics, everyMs: 15_000 } },
    queryFn: ({ signal }) => call(reportsApi.run, { query: { kind, ...settings, limit } }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Makes a file of a report and hands it to the browser. */
export const downloadReport = async (
  kind: ReportKind,
  settings: ReportSettings,
  format: ReportFormat,
  name: string | undefined,
): Promise<void> => {
  const found = await fetchFile(reportsApi.file, { query: { kind, ...settings, format, ...(name ? { name } : {}) } })
  saveFile(found.blob, found.name ?? `report.${format}`)
}

/** What came back stands on the screen before the list is asked for again: the address may name it at once. */
const useKept = () => {
  const client = useQueryClient()
  return (change: (saved: SavedReport[]) => SavedReport[]) => {
    client.setQueryData(reportsQuery.queryKey, (list) => (list ? { ...list, saved: change(list.saved) } : list))
    void client.invalidateQueries({ queryKey: reportsQuery.queryKey })
  }
}
const replaced = (one: SavedReport) => (saved: SavedReport[]) => saved.map((old) => (old.id === one.id ? one : old))

export const useSaveReport = () => {
  const keep = useKept()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<(typeof reportsApi)['save']>['body'], key) =>
      call(reportsApi.save, { body }, { idempotencyKey: key }),
    onSuccess: (made) => keep((saved) => [...saved.filter(({ id }) => id !== made.id), made]),
  })
}

export const useChangeReport = () => {
  const keep = useKept()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<(typeof reportsApi)['change']>, key) =>
      call(reportsApi.change, input, { idempotencyKey: key }),
    onSuccess: (made) => keep(replaced(made)),
  })
}

export const useRemoveReport = () => {
  const keep = useKept()
  return useIdempotentMutation({
    mutationFn: (id: string, key) => call(reportsApi.remove, { params: { id } }, { idempotencyKey: key }),
    onSuccess: (gone) => keep((saved) => saved.filter(({ id }) => id !== gone.id)),
  })
}

export const useMailReport = () => {
  const keep = useKept()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<(typeof reportsApi)['mail']>, key) =>
      call(reportsApi.mail, input, { idempotencyKey: key }),
    onSuccess: (made) => keep(replaced(made)),
  })
}
