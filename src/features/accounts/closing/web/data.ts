import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { closingApi } from '../contract.ts'

export const closingQuery = queryOptions({
  queryKey: ['business', 'ownership'],
  queryFn: ({ signal }) => call(closingApi.get, {}, { signal }),
})

export const transferOwnership = (body: { userId: string; password: string }) => call(closingApi.transfer, { body })

export const closeBusiness = (body: { password: string; businessName: string }) =>
  call(closingApi.close, { body }, { retries: 0 })
