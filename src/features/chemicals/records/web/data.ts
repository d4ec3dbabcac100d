import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { recordsApi } from '../contract.ts'

export type RecordFilter = {
  from: string | null
  to: string | null
  state: string | null
  propertyId: string | null
  productId: string | null
}

const asked = (filter: RecordFilter) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null)) as Record<string, string>

/** Records, the newest first. */
export const recordsQuery = (filter: RecordFilter) =>
  infiniteQueryOptions({
    queryKey: ['visits', 'applications', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call(recordsApi.list, { query: { ...asked(filter), ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
  })

/** What was applied on a visit, and what a new record begins with. */
export const visitApplicationsQuery = (visitId: string) =>
  queryOptions({
    queryKey: ['visits', 'applications', visitId],
    queryFn: ({ signal }) => call(recordsApi.ofVisit, { params: { visitId } }, { signal }),
  })

/** Writes an application down, and puts one right. */
export const useApplications = () => {
  const client = useQueryClient()
  const onSettled = () => {
    void client.invalidateQueries({ queryKey: ['visits'] })
    void client.invalidateQueries({ queryKey: ['dashboard'] })
  }
  const add = useIdempotentMutation({
    onSettled,
    mutationFn: ({ visitId, body }: { visitId: string; body: CallInput<typeof recordsApi.add>['body'] }, key) =>
      call(recordsApi.add, { params: { visitId }, body }, { idempotencyKey: key }),
  })
  const amend = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, body }: { id: string; body: CallInput<typeof recordsApi.amend>['body'] }, key) =>
      call(recordsApi.amend, { params: { id }, body }, { idempotencyKey: key }),
  })
  return { add, amend }
}

/** Fetches the records of a period as a file and hands it to the browser. */
export const downloadRecords = async (
  kind: 'csv' | 'pdf',
  filter: RecordFilter & { from: string; to: string },
): Promise<void> => {
  const query = { ...asked(filter), from: filter.from, to: filter.to }
  const { blob, name } = await fetchFile(recordsApi[kind], { query })
  saveFile(blob, name ?? `applications-${filter.from}-${filter.to}.${kind}`)
}
