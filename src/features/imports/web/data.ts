import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, fetchFile } from '../../../shared/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type ImportRecord, type ImportRow, importsApi } from '../contract.ts'
import type { DuplicateChoice, Mapping } from '../rules.ts'

const isMoving = (status: ImportRecord['status'] | undefined): boolean => status === 'running' || status === 'undoing'

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => call(importsApi.get, { params: { id } }, { signal }),
    // the event stream tells of progress; this is for the moment it does not come
    refetchInterval: (query) => (isMoving(query.state.data?.status) ? 1_500 : false),
  })

export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call(importsApi.list, {}, { signal }),
})

export const rowsQuery = (id: string, status: ImportRow['status'], withReason = false) =>
  infiniteQueryOptions({
    queryKey: ['imports', 'rows', id, status, withReason],
    queryFn: ({ pageParam, signal }) =>
      call(
        importsApi.rows,
        {
          params: { id },
          query: { status, ...(withReason ? { withReason: 'true' } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

const useStore = () => {
  const client = useQueryClient()
  return (record: ImportRecord) => {
    client.setQueryData(importQuery(record.id).queryKey, record)
    void client.invalidateQueries({ queryKey: ['imports', 'list'] })
    void client.invalidateQueries({ queryKey: ['imports', 'rows', record.id] })
  }
}

export const useUpload = () => {
  const store = useStore()
  return useIdempotentMutation({
    mutationFn: (body: { fileName: string; text: string }, key) =>
      call(importsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: store,
  })
}

/** Saves what the columns hold and judges every row. */
export const useCheck = (id: string) => {
  const store = useStore()
  return useMutation({
    mutationFn: async (mapping: Mapping) => {
      store(await call(importsApi.setMapping, { params: { id }, body: { mapping: [...mapping] } }))
      return call(importsApi.check, { params: { id } })
    },
    onSuccess: store,
  })
}

/** Says which of ours the unknown services are; every row is judged again. */
export const useSetServices = (id: string) => {
  const store = useStore()
  return useIdempotentMutation({
    mutationFn: (services: { name: string; serviceId: string | null }[], key) =>
      call(importsApi.setServices, { params: { id }, body: { services } }, { idempotencyKey: key }),
    onSuccess: store,
  })
}

export const useConfirm = (id: string) => {
  const store = useStore()
  return useIdempotentMutation({
    mutationFn: (duplicates: DuplicateChoice, key) =>
      call(importsApi.confirm, { params: { id }, body: { duplicates } }, { idempotencyKey: key }),
    onSuccess: store,
  })
}

export const useUndo = (id: string) => {
  const store = useStore()
  return useMutation({ mutationFn: () => call(importsApi.undo, { params: { id } }), onSuccess: store })
}

/** Fetches rows of one kind as CSV and hands the file to the browser. */
export const downloadRows = async (id: string, status: ImportRow['status']): Promise<void> => {
  const { blob } = await fetchFile(importsApi.rowsCsv, { params: { id }, query: { status } })
  saveFile(blob, `import-${status === 'error' ? 'rows-to-fix' : status}.csv`)
}
