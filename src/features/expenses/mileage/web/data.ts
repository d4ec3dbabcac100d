import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useRefresh } from '../../web/data.ts'
import { mileageApi } from '../contract.ts'

export const mileageQuery = (month: string) =>
  queryOptions({
    queryKey: ['expenses', 'mileage', month],
    meta: { live: { topics: ['expenses', 'crews', 'routes'], everyMs: 5_000 } },
    queryFn: ({ signal }) => call(mileageApi.month, { query: { month } }, { signal }),
    placeholderData: keepPreviousData,
  })

type Reading = { day: string; crewId: string; startMiles: number; endMiles: number }

export const useOdometer = () => {
  const refresh = useRefresh()
  const done = { onSuccess: () => refresh() }
  const set = useIdempotentMutation({
    mutationFn: (body: Reading, key) => call(mileageApi.setOdometer, { body }, { idempotencyKey: key }),
    ...done,
  })
  const clear = useIdempotentMutation({
    mutationFn: (body: Pick<Reading, 'day' | 'crewId'>, key) =>
      call(mileageApi.clearOdometer, { body }, { idempotencyKey: key }),
    ...done,
  })
  return { set, clear }
}
