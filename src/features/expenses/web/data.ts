import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import type { Topic } from '../../../shared/topics.ts'
import { shrinkPhoto } from '../../../ui/shrinkPhoto.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { categoriesApi } from '../categories/contract.ts'
import { type Expense, expensesApi } from '../contract.ts'

export type ExpenseQuery = Omit<z.input<typeof expensesApi.list.query>, 'cursor' | 'limit'>

export const expensesQuery = (query: ExpenseQuery) =>
  infiniteQueryOptions({
    queryKey: ['expenses', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(
        expensesApi.list,
        { query: { ...query, limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const expenseQuery = (id: string) =>
  queryOptions({
    queryKey: ['expenses', 'one', id],
    queryFn: ({ signal }) => call(expensesApi.get, { params: { id } }, { signal }),
  })

export const categoriesQuery = queryOptions({
  queryKey: ['expenses', 'categories'],
  queryFn: async ({ signal }) => (await call(categoriesApi.list, {}, { signal })).items,
})

const choiceTopics: readonly Topic[] = ['expenses', 'crews']
export const choicesQuery = queryOptions({
  queryKey: ['expenses', 'choices'],
  meta: { live: { topics: choiceTopics } },
  queryFn: ({ signal }) => call(expensesApi.choices, {}, { signal }),
})

export const vendorsQuery = (search: string) =>
  queryOptions({
    queryKey: ['expenses', 'vendors', search],
    queryFn: async ({ signal }) =>
      (await call(expensesApi.vendors, { query: search ? { search } : {} }, { signal })).items,
    placeholderData: keepPreviousData,
  })

export const yearQuery = (year: number) =>
  queryOptions({
    queryKey: ['expenses', 'year', year],
    queryFn: ({ signal }) => call(expensesApi.totals, { query: { year } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** What was asked for is on the screen at once; lists and sums follow. */
export const useRefresh = () => {
  const client = useQueryClient()
  return (expense?: Expense) => {
    if (expense) client.setQueryData(expenseQuery(expense.id).queryKey, expense)
    void client.invalidateQueries({
      predicate: ({ queryKey: [topic, kind, id] }) =>
        topic === 'expenses' && !(expense && kind === 'one' && id === expense.id),
    })
  }
}

export type ExpenseBody = z.input<typeof expensesApi.create.body>
export type ChangeBody = z.input<typeof expensesApi.update.body>

export const useAddExpense = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: ExpenseBody, key) => call(expensesApi.create, { body }, { idempotencyKey: key }),
    onSuccess: (expense) => refresh(expense),
  })
}

export const useChangeExpense = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: ({ id, body }: { id: string; body: ChangeBody }, key) =>
      call(expensesApi.update, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: (expense) => refresh(expense),
  })
}

export const useKeepExpense = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (
      { id, verb, ...body }: { id: string; version: number; exceptionReason?: string; verb: 'remove' | 'restore' },
      key,
    ) => call(expensesApi[verb], { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: (expense) => refresh(expense),
  })
}

export const useRemovePhoto = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (photoId: string, key) =>
      call(expensesApi.removePhoto, { params: { id, photoId } }, { idempotencyKey: key }),
    onSuccess: (expense) => refresh(expense),
  })
}

/** A picture that is to go on an expense; its id makes it one however often it is sent. */
export type Picture = { id: string; file: File }
export const pictureOf = (file: File): Picture => ({ id: globalThis.crypto.randomUUID(), file })

/** Sends a picture as small as it may be. */
export const sendPicture = async (expenseId: string, { id, file }: Picture): Promise<Expense> => {
  const body = await shrinkPhoto(file)
  return call(expensesApi.addPhoto, { params: { id: expenseId }, query: { id }, body })
}

type CategoryVerb =
  | { verb: 'create'; name: string }
  | { verb: 'rename'; id: string; name: string; version: number }
  | { verb: 'archive' | 'restore'; id: string; version: number }

export const useCategory = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (wish: CategoryVerb, key) => {
      const options = { idempotencyKey: key }
      if (wish.verb === 'create') return call(categoriesApi.create, { body: { name: wish.name } }, options)
      const { id, version } = wish
      return wish.verb === 'rename'
        ? call(categoriesApi.rename, { params: { id }, body: { name: wish.name, version } }, options)
        : call(categoriesApi[wish.verb], { params: { id }, body: { version } }, options)
    },
    onSuccess: () => refresh(),
  })
}
