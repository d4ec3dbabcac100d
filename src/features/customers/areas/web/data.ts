import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { areasApi } from '../contract.ts'

export const areasQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['customers', 'areas', propertyId],
    queryFn: ({ signal }) => call(areasApi.list, { params: { id: propertyId } }, { signal }),
  })
