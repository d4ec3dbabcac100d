import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { mealsApi } from '../../meals/contract.ts'
import { sheetsApi } from '../contract.ts'

export const sheetsQuery = (week: string) =>
  queryOptions({
    queryKey: ['timeclock', 'sheets', week],
    queryFn: ({ signal }) => call(sheetsApi.list, { query: { week } }, { signal }),
  })

export const sheetQuery = (userId: string, week: string) =>
  queryOptions({
    queryKey: ['timeclock', 'sheet', userId, week],
    queryFn: ({ signal }) => call(sheetsApi.get, { params: { id: userId }, query: { week } }, { signal }),
  })

type Body<Name extends keyof typeof sheetsApi> = CallInput<(typeof sheetsApi)[Name]>['body']
export type Decision = 'sendBack' | 'reopen' | 'answer' | 'leaveOut'

/** What the office does with weeks. */
export const useSheets = () => {
  const client = useQueryClient()
  const onSettled = () => {
    void client.invalidateQueries({ queryKey: ['timeclock'] })
    void client.invalidateQueries({ queryKey: ['nav-counts'] })
  }
  const approve = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'approve'>, idempotencyKey) => call(sheetsApi.approve, { body }, { idempotencyKey }),
  })
  const decide = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, verb, ...body }: Body<'sendBack'> & { id: string; verb: Decision }, idempotencyKey) =>
      call(sheetsApi[verb], { params: { id }, body }, { idempotencyKey }),
  })
  const count = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Body<'count'> & { id: string }, idempotencyKey) =>
      call(sheetsApi.count, { params: { id }, body }, { idempotencyKey }),
  })
  const correct = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Body<'correct'> & { id: string }, idempotencyKey) =>
      call(sheetsApi.correct, { params: { id }, body }, { idempotencyKey }),
  })
  const lock = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'lock'>, idempotencyKey) => call(sheetsApi.lock, { body }, { idempotencyKey }),
  })
  const unlock = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'unlock'>, idempotencyKey) => call(sheetsApi.unlock, { body }, { idempotencyKey }),
  })
  const mealPremium = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: CallInput<typeof mealsApi.premium>['body'] & { id: string }, idempotencyKey) =>
      call(mealsApi.premium, { params: { id }, body }, { idempotencyKey }),
  })
  return { mealPremium, approve, decide, count, correct, lock, unlock }
}
