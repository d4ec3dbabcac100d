import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { closingApi } from '../contract.ts'
import type { Month } from '../rules.ts'

const live = { live: { topics: ['business', 'invoices', 'payments', 'visits'], everyMs: 2_000 } } as const

/** Which months are closed. */
export const closingsQuery = queryOptions({
  queryKey: ['invoices', 'months'],
  meta: live,
  queryFn: ({ signal }) => call(closingApi.list, {}, { signal }),
})

/** What is still open in a month. */
export const monthQuery = (month: Month) =>
  queryOptions({
    queryKey: ['invoices', 'month', month],
    meta: live,
    queryFn: ({ signal }) => call(closingApi.check, { query: { month } }, { signal }),
  })

const useAfter = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['invoices'] })
}

export const useCloseMonth = () =>
  useIdempotentMutation({
    mutationFn: (body: z.input<typeof closingApi.close.body>, key) =>
      call(closingApi.close, { body }, { idempotencyKey: key }),
    onSettled: useAfter(),
  })

export const useReopenMonth = () =>
  useIdempotentMutation({
    mutationFn: (body: z.input<typeof closingApi.reopen.body>, key) =>
      call(closingApi.reopen, { body }, { idempotencyKey: key }),
    onSettled: useAfter(),
  })
