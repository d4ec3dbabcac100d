import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useRefresh } from '../../web/data.ts'
import { recurringApi } from '../contract.ts'

export const recurringQuery = queryOptions({
  queryKey: ['expenses', 'recurring'],
  queryFn: ({ signal }) => call(recurringApi.list, {}, { signal }),
})

export type RecurringBody = z.input<typeof recurringApi.create.body>

export const useRecurring = () => {
  const refresh = useRefresh()
  const done = { onSuccess: () => refresh() }
  const add = useIdempotentMutation({
    mutationFn: (body: RecurringBody, key) => call(recurringApi.create, { body }, { idempotencyKey: key }),
    ...done,
  })
  const change = useIdempotentMutation({
    mutationFn: ({ id, body }: { id: string; body: RecurringBody & { version: number } }, key) =>
      call(recurringApi.update, { params: { id }, body }, { idempotencyKey: key }),
    ...done,
  })
  const keep = useIdempotentMutation({
    mutationFn: ({ id, version, verb }: { id: string; version: number; verb: 'remove' | 'restore' }, key) =>
      call(recurringApi[verb], { params: { id }, body: { version } }, { idempotencyKey: key }),
    ...done,
  })
  return { add, change, keep }
}
