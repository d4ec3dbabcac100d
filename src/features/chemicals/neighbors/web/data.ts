import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { neighborsApi } from '../contract.ts'

export const neighborsQuery = (visitId: string) =>
  queryOptions({
    queryKey: ['visits', 'neighbors', visitId],
    queryFn: ({ signal }) => call(neighborsApi.ofVisit, { params: { visitId } }, { signal }),
  })

/** Adds neighbors, takes them off, and notes that they were told. */
export const useNeighbors = (visitId: string) => {
  const client = useQueryClient()
  const onSettled = () => {
    for (const topic of ['visits', 'dashboard']) void client.invalidateQueries({ queryKey: [topic] })
  }
  const add = useIdempotentMutation({
    onSettled,
    mutationFn: ({ propertyId, ...body }: CallInput<typeof neighborsApi.add>['body'] & { propertyId: string }, key) =>
      call(neighborsApi.add, { params: { id: propertyId }, body }, { idempotencyKey: key }),
  })
  const keep = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: { id: string; removed: boolean; version: number }, key) =>
      call(neighborsApi.update, { params: { id }, body }, { idempotencyKey: key }),
  })
  const tell = useIdempotentMutation({
    onSettled,
    mutationFn: (body: CallInput<typeof neighborsApi.tell>['body'], key) =>
      call(neighborsApi.tell, { params: { visitId }, body }, { idempotencyKey: key }),
  })
  return { add, keep, tell }
}
