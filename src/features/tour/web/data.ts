import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { tourApi } from '../contract.ts'

export const customerPageQuery = queryOptions({
  queryKey: ['tour', 'customer-page'],
  queryFn: ({ signal }) => call(tourApi.customerPage, {}, { signal }),
})
