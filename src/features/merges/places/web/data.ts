import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type Place, placeMergesApi } from '../contract.ts'

export const samePlacesQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'same-places', customerId],
    queryFn: ({ signal }) => call(placeMergesApi.pairs, { params: { id: customerId } }, { signal }),
    staleTime: 60_000,
  })

export type PlacePair = { kept: Place; gone: Place }

const topics = ['customers', 'jobs', 'visits', 'quotes', 'leads']

export const useMergePlaces = () => {
  const client = useQueryClient()
  const onSuccess = () => {
    for (const topic of topics) void client.invalidateQueries({ queryKey: [topic] })
  }
  const merge = useIdempotentMutation({
    mutationFn: ({ kept, gone, measures }: PlacePair & { measures: 'kept' | 'gone' }, key) =>
      call(
        placeMergesApi.merge,
        {
          params: { id: kept.id },
          body: { goneId: gone.id, version: kept.version, goneVersion: gone.version, measures },
        },
        { idempotencyKey: key },
      ),
    onSuccess,
  })
  const undo = useMutation({
    mutationFn: (id: string) => call(placeMergesApi.undo, { params: { id } }),
    onSuccess,
  })
  return { merge, undo }
}
