import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { sprintApi } from '../sprint/contract.ts'

/** The Setup Sprint of this business. It changes with what the office does elsewhere, so it is asked for again on each visit. */
export const sprintQuery = queryOptions({
  queryKey: ['sprint'],
  queryFn: ({ signal }) => call(sprintApi.mine, {}, { signal }),
  staleTime: 60_000,
})
