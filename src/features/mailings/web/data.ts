import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { mailingsApi } from '../contract.ts'

export type Asked = z.input<typeof mailingsApi.preview.body>
export type Written = z.input<typeof mailingsApi.send.body>
type Tried = z.input<typeof mailingsApi.test.body>

export const previewQuery = (asked: Asked) =>
  queryOptions({
    queryKey: ['mailings', 'preview', asked],
    queryFn: ({ signal }) => call(mailingsApi.preview, { body: asked }, { signal }),
  })

// what leaves changes them by the dozen: they follow once every few seconds
const live = { topics: ['messages'], everyMs: 3_000 } as const

export const mailingsQuery = infiniteQueryOptions({
  queryKey: ['messages', 'mailings'],
  queryFn: ({ pageParam, signal }) =>
    call(mailingsApi.list, { query: pageParam ? { cursor: pageParam } : {} }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  meta: { live },
})

export const mailingPeopleQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'mailing-people', id],
    queryFn: ({ signal }) => call(mailingsApi.people, { params: { id } }, { signal }),
    meta: { live },
  })

export const useMailing = () => {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['messages'] })
  const send = useIdempotentMutation({
    mutationFn: (body: Written, key) => call(mailingsApi.send, { body }, { idempotencyKey: key }),
    onSuccess,
  })
  const stop = useIdempotentMutation({
    mutationFn: (id: string, key) => call(mailingsApi.stop, { params: { id } }, { idempotencyKey: key }),
    // also where it was refused: then all of it left since the list was read
    onSettled: onSuccess,
  })
  const test = useIdempotentMutation({
    mutationFn: (body: Tried, key) => call(mailingsApi.test, { body }, { idempotencyKey: key }),
  })
  return { send, stop, test }
}
