import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type RunRecord, renewalsApi } from '../contract.ts'
import type { Answer } from '../rules.ts'

export const runsQuery = infiniteQueryOptions({
  queryKey: ['quotes', 'renewals', 'list'],
  queryFn: ({ pageParam, signal }) =>
    call(renewalsApi.list, { query: { limit: 20, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

/** A run that works in the background is asked for again, also where no stream of events comes through. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['quotes', 'renewals', 'one', id],
    queryFn: ({ signal }) => call(renewalsApi.get, { params: { id } }, { signal }),
    refetchInterval: ({ state }) =>
      ['collecting', 'sending', 'withdrawing'].includes(state.data?.status ?? '') ? 1500 : false,
  })

export const rowsQuery = (id: string, query: { answer?: Answer; search?: string }) =>
  infiniteQueryOptions({
    queryKey: ['quotes', 'renewals', 'rows', id, query],
    queryFn: ({ pageParam, signal }) =>
      call(
        renewalsApi.rows,
        { params: { id }, query: { ...query, limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export type Candidates = CallInput<typeof renewalsApi.candidates>['body']

export const candidatesQuery = (body: Candidates) =>
  queryOptions({
    queryKey: ['quotes', 'renewals', 'candidates', body],
    queryFn: ({ signal }) => call(renewalsApi.candidates, { body }, { signal }),
    placeholderData: keepPreviousData,
  })

/** What was done is on the screen at once; the lists are asked again. */
const useShow = () => {
  const client = useQueryClient()
  return (run: RunRecord) => {
    client.setQueryData(runQuery(run.id).queryKey, run)
    void client.invalidateQueries({
      predicate: ({ queryKey: [topic, what, kind, id] }) =>
        topic === 'quotes' && !(what === 'renewals' && kind === 'one' && id === run.id),
    })
  }
}

export const useCreateRun = () => {
  const show = useShow()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof renewalsApi.create>['body'], key: string) =>
      call(renewalsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: show,
  })
}

export const useUpdateRun = () => {
  const show = useShow()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<typeof renewalsApi.update>, key: string) =>
      call(renewalsApi.update, input, { idempotencyKey: key }),
    onSuccess: show,
  })
}

export const useSendRun = () => {
  const show = useShow()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<typeof renewalsApi.send>, key: string) =>
      call(renewalsApi.send, input, { idempotencyKey: key }),
    onSuccess: show,
  })
}

export const useRunVerb = (verb: 'retry' | 'withdraw') => {
  const show = useShow()
  return useIdempotentMutation({
    mutationFn: (run: { id: string; version: number }, key: string) =>
      call(renewalsApi[verb], { params: { id: run.id }, body: { version: run.version } }, { idempotencyKey: key }),
    onSuccess: show,
  })
}

export const useChangeRenewal = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (input: CallInput<typeof renewalsApi.change>, key: string) =>
      call(renewalsApi.change, input, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['quotes', 'renewals'] }),
  })
}
