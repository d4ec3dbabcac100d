import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { licensesApi } from '../contract.ts'

type Draft = CallInput<typeof licensesApi.create>['body']

export const licensesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['crews', 'licenses', userId],
    queryFn: ({ signal }) => call(licensesApi.list, { query: { userId } }, { signal }),
  })

/** Adds, changes, takes off and brings back the licenses of a person. */
export const useLicenses = (userId: string) => {
  const client = useQueryClient()
  const onSettled = () => {
    for (const topic of ['crews', 'calendar', 'visits', 'dashboard'])
      void client.invalidateQueries({ queryKey: [topic] })
  }
  const add = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Draft, key) =>
      call(licensesApi.create, { params: { id: userId }, body }, { idempotencyKey: key }),
  })
  const change = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Draft & { id: string; version: number }, key) =>
      call(licensesApi.update, { params: { id }, body }, { idempotencyKey: key }),
  })
  const keep = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, version, verb }: { id: string; version: number; verb: 'remove' | 'restore' }, key) =>
      call(licensesApi[verb], { params: { id }, body: { version } }, { idempotencyKey: key }),
  })
  return { add, change, keep }
}
