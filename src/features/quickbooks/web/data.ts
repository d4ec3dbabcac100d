import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type Books, type MonthCheck, quickbooksApi } from '../contract.ts'
import type { BooksKind, Fix } from '../rules.ts'

export const booksQuery = queryOptions({
  queryKey: ['books', 'connection'],
  queryFn: ({ signal }) => call(quickbooksApi.get, {}, { signal }),
})

export type QueueStatus = 'waiting' | 'failed' | 'skipped'

export const queueQuery = (status: QueueStatus) =>
  queryOptions({
    queryKey: ['books', 'queue', status],
    queryFn: ({ signal }) => call(quickbooksApi.queue, { query: { status } }, { signal }),
  })

export const monthsQuery = queryOptions({
  queryKey: ['books', 'months'],
  queryFn: ({ signal }) => call(quickbooksApi.months, {}, { signal }),
})

export const recordsQuery = (month: string, kind: BooksKind) =>
  infiniteQueryOptions({
    queryKey: ['books', 'records', month, kind],
    meta: { live: { topics: ['books', 'payments', 'invoices', 'expenses'] } },
    queryFn: ({ pageParam, signal }) =>
      call(quickbooksApi.records, { query: { month, kind, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
  })

// Asked of the books themselves, so only when somebody wants to see them.
export const choicesQuery = queryOptions({
  queryKey: ['books', 'choices'],
  queryFn: ({ signal }) => call(quickbooksApi.choices, {}, { signal, retries: 1 }),
  meta: { live: { topics: [] } },
})
export const matchesQuery = queryOptions({
  queryKey: ['books', 'matches'],
  queryFn: ({ signal }) => call(quickbooksApi.matches, {}, { signal, retries: 1 }),
  staleTime: 0,
  meta: { live: { topics: [] } },
})

const useStore = () => {
  const client = useQueryClient()
  return (books: Books) => {
    client.setQueryData(booksQuery.queryKey, books)
    void client.invalidateQueries({ queryKey: ['books', 'queue'] })
  }
}

/** Leaves for the provider's page, where the owner says yes. */
export const goToBooks = async (): Promise<void> => {
  const { url } = await call(quickbooksApi.connect, {})
  window.location.assign(url)
}

export type CameBack = z.input<typeof quickbooksApi.finish.body>
export const finishBooks = (body: CameBack) => call(quickbooksApi.finish, { body })

export type SetupBody = z.input<typeof quickbooksApi.setUp.body>

export const useBooks = () => {
  const onSuccess = useStore()
  const setUp = useIdempotentMutation({
    mutationFn: (body: SetupBody, key) => call(quickbooksApi.setUp, { body }, { idempotencyKey: key }),
    onSuccess,
  })
  const send = useIdempotentMutation<void, Books>({
    mutationFn: (_, key) => call(quickbooksApi.send, {}, { idempotencyKey: key }),
    onSuccess,
  })
  const disconnect = useIdempotentMutation<void, Books>({
    mutationFn: (_, key) => call(quickbooksApi.disconnect, {}, { idempotencyKey: key }),
    onSuccess,
  })
  const fix = useIdempotentMutation({
    mutationFn: ({ id, how, reason }: { id: string; how: Fix; reason?: string }, key) =>
      call(quickbooksApi.fix, { params: { id }, body: { how, reason: reason ?? '' } }, { idempotencyKey: key }),
    onSuccess,
  })
  return { setUp, send, disconnect, fix, store: onSuccess }
}

export const useMatch = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (pairs: { customerId: string; remoteId: string }[], key) =>
      call(quickbooksApi.match, { body: { pairs } }, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['books'] }),
  })
}

const useShowCheck = () => {
  const client = useQueryClient()
  return (check: MonthCheck) =>
    client.setQueryData(monthsQuery.queryKey, (before) =>
      before
        ? { months: before.months.map((one) => (one.month === check.month ? { ...one, check, failed: null } : one)) }
        : undefined,
    )
}

/** Holds a month against the books and shows what was found. */
export const useCheckMonth = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (month: string) => call(quickbooksApi.checkMonth, { body: { month } }),
    onSuccess: useShowCheck(),
    // what went wrong stands at the month
    onError: () => client.invalidateQueries({ queryKey: monthsQuery.queryKey }),
  })
}

/** Settles what stands only there, and shows the month as it is then. */
export const useRepair = () =>
  useMutation({
    mutationFn: (body: z.input<typeof quickbooksApi.repair.body>) => call(quickbooksApi.repair, { body }),
    onSuccess: useShowCheck(),
  })

export const useResend = () => {
  const { store } = useBooks()
  return useIdempotentMutation({
    mutationFn: (body: z.input<typeof quickbooksApi.resend.body>, key) =>
      call(quickbooksApi.resend, { body }, { idempotencyKey: key }),
    onSuccess: store,
  })
}
