import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, fetchFile } from '../../../../shared/client.ts'
import { saveFile } from '../../../../ui/saveFile.ts'
import { payoutsApi } from '../contract.ts'

const live = { live: { topics: ['payments', 'expenses'] } } as const

export const payoutsQuery = infiniteQueryOptions({
  queryKey: ['payments', 'payouts'],
  meta: live,
  queryFn: ({ pageParam, signal }) =>
    call(payoutsApi.list, { query: pageParam ? { cursor: pageParam } : {} }, { signal }),
  initialPageParam: '',
  getNextPageParam: (last) => last.nextCursor,
})

export const payoutQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'payout', id],
    meta: live,
    queryFn: ({ signal }) => call(payoutsApi.get, { params: { id } }, { signal }),
  })

export const payoutLinesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['payments', 'payout-lines', id],
    meta: live,
    queryFn: ({ pageParam, signal }) =>
      call(payoutsApi.lines, { params: { id }, query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
  })

/** Fetches all that a payout is made of and hands it to the browser. */
export const downloadPayout = async (id: string): Promise<void> => {
  const { blob, name } = await fetchFile(payoutsApi.csv, { params: { id } })
  saveFile(blob, name ?? 'payout.csv')
}
