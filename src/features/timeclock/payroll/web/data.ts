import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { payrollApi } from '../contract.ts'

type Period = { from: string; to: string }

export const payrollQuery = (period: Period) =>
  queryOptions({
    queryKey: ['timeclock', 'payroll', period.from, period.to],
    queryFn: ({ signal }) => call(payrollApi.period, { query: period }, { signal }),
  })

export const payrollSettingsQuery = queryOptions({
  queryKey: ['timeclock', 'payroll-settings'],
  queryFn: ({ signal }) => call(payrollApi.settings, {}, { signal }),
})

type Body<Name extends 'saveSettings' | 'setNumber' | 'setMiles'> = CallInput<(typeof payrollApi)[Name]>['body']

/** What the office sets for the payroll. */
export const usePayroll = () => {
  const client = useQueryClient()
  const onSettled = () => void client.invalidateQueries({ queryKey: ['timeclock'] })
  const saveSettings = useIdempotentMutation({
    onSettled,
    mutationFn: (body: Body<'saveSettings'>, idempotencyKey) =>
      call(payrollApi.saveSettings, { body }, { idempotencyKey }),
  })
  const setNumber = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Body<'setNumber'> & { id: string }, idempotencyKey) =>
      call(payrollApi.setNumber, { params: { id }, body }, { idempotencyKey }),
  })
  const setMiles = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Body<'setMiles'> & { id: string }, idempotencyKey) =>
      call(payrollApi.setMiles, { params: { id }, body }, { idempotencyKey }),
  })
  return { saveSettings, setNumber, setMiles }
}
