import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type ProgramDraft, type ProgramRecord, programsApi } from '../contract.ts'

export const programsQuery = queryOptions({
  queryKey: ['services', 'programs'],
  meta: { live: { topics: ['services', 'jobs'], everyMs: 5_000 } },
  queryFn: async ({ signal }): Promise<ProgramRecord[]> =>
    (await call(programsApi.list, { query: {} }, { signal })).items,
})

export const archivedProgramsQuery = queryOptions({
  queryKey: ['services', 'programs', 'archived'],
  queryFn: async ({ signal }): Promise<ProgramRecord[]> =>
    (await call(programsApi.list, { query: { archived: 'true' } }, { signal })).items,
})

/** What a program would be at a property; without a year in the season that is next. */
export const programPreviewQuery = (id: string, propertyId: string, year: number | null) =>
  queryOptions({
    queryKey: ['job-previews', 'program', id, propertyId, year],
    queryFn: ({ signal }) =>
      call(
        programsApi.preview,
        { params: { id }, query: { propertyId, ...(year === null ? {} : { year: String(year) }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

export const renewalQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['jobs', 'renewal', jobId],
    meta: { live: { topics: ['jobs', 'services', 'customers'] } },
    queryFn: ({ signal }) => call(programsApi.renewal, { params: { id: jobId } }, { signal }),
  })

export const useSetRenewal = (jobId: string) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: { renews: boolean; version: number }, key) =>
      call(programsApi.setRenewal, { params: { id: jobId }, body }, { idempotencyKey: key }),
    onSuccess: (renewal) => {
      client.setQueryData(renewalQuery(jobId).queryKey, renewal)
      void client.invalidateQueries({ queryKey: ['jobs'] })
    },
  })
}

const useRefresh = () => {
  const client = useQueryClient()
  return { onSuccess: () => client.invalidateQueries({ queryKey: ['services', 'programs'] }) }
}

export const useAddProgram = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (body: ProgramDraft, key) => call(programsApi.create, { body }, { idempotencyKey: key }),
  })

export const useChangeProgram = (id: string) =>
  useMutation({
    ...useRefresh(),
    mutationFn: (body: ProgramDraft & { version: number }) => call(programsApi.update, { params: { id }, body }),
  })

export const useArchiveProgram = () =>
  useMutation({
    ...useRefresh(),
    mutationFn: ({ id, version, restore = false }: { id: string; version: number; restore?: boolean }) =>
      call(restore ? programsApi.restore : programsApi.archive, { params: { id }, body: { version } }),
  })

export const usePutOnProgram = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<(typeof programsApi)['putOn']>, key) =>
      call(programsApi.putOn, input, { idempotencyKey: key }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] })
      void client.invalidateQueries({ queryKey: ['services', 'programs'] })
      void client.invalidateQueries({ queryKey: ['job-previews'] })
    },
  })
}
