import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import type { Topic } from '../../../shared/topics.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { seasonApi } from '../contract.ts'

export type StartBody = CallInput<(typeof seasonApi)['start']>['body']

const askAgainMs = 1_000
/** Whatever changes recurring work or crews makes a plan another one. */
const topics: readonly Topic[] = ['season', 'jobs', 'crews', 'customers', 'business']

export const overviewQuery = queryOptions({
  queryKey: ['season', 'overview'],
  meta: { live: { topics, everyMs: 2_000 } },
  queryFn: ({ signal }) => call(seasonApi.overview, {}, { signal }),
})

/** A search, asked for again by itself while it goes on. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['season', 'run', id],
    meta: { live: { topics, everyMs: 2_000 } },
    queryFn: ({ signal }) => call(seasonApi.run, { params: { id } }, { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'running' ? askAgainMs : false),
  })

/** What the ticked moves would bring; the old answer stays until the new one is there. */
export const checkQuery = (id: string, jobIds: readonly string[]) =>
  queryOptions({
    queryKey: ['season-checks', id, [...jobIds].sort().join()],
    queryFn: ({ signal }) =>
      call(seasonApi.check, { params: { id }, body: { jobIds: [...jobIds] } }, { signal, retries: 0 }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

export const lettersQuery = (id: string) =>
  queryOptions({
    queryKey: ['season', 'letters', id],
    queryFn: ({ signal }) => call(seasonApi.letters, { params: { id } }, { signal }),
  })

export const useStart = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StartBody) => call(seasonApi.start, { body }),
    onSuccess: ({ run }) => {
      client.setQueryData(runQuery(run.id).queryKey, run)
      void client.invalidateQueries({ queryKey: overviewQuery.queryKey })
    },
  })
}

export const useStop = () => useMutation({ mutationFn: (id: string) => call(seasonApi.stop, { params: { id } }) })

const useRefresh = () => {
  const client = useQueryClient()
  return () => {
    for (const key of ['season', 'season-checks', 'jobs', 'visits', 'routes', 'calendar'])
      void client.invalidateQueries({ queryKey: [key] })
  }
}

export const useAccept = (id: string) => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (body: CallInput<(typeof seasonApi)['accept']>['body'], key) =>
      call(seasonApi.accept, { params: { id }, body }, { idempotencyKey: key }),
  })
}

export const useUndo = () => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (id: string, key) => call(seasonApi.undo, { params: { id } }, { idempotencyKey: key }),
  })
}

export const useSend = (id: string) => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (expected: number, key) =>
      call(seasonApi.send, { params: { id }, body: { expected } }, { idempotencyKey: key }),
  })
}

export const useRecall = (id: string) => {
  const onSettled = useRefresh()
  return useIdempotentMutation({
    onSettled,
    mutationFn: (_: null, key) => call(seasonApi.recall, { params: { id } }, { idempotencyKey: key }),
  })
}
