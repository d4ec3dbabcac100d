import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { travelApi } from '../contract.ts'

export const travelFitQuery = queryOptions({
  queryKey: ['business', 'roads'],
  queryFn: ({ signal }) => call(travelApi.fit, {}, { signal }),
})

export const useApplyFit = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof travelApi.applyFit.body>) => call(travelApi.applyFit, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ['business'] }),
  })
}
