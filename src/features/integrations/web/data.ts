import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { integrationsApi } from '../contract.ts'

export const integrationsQuery = queryOptions({
  queryKey: ['business', 'integrations'],
  queryFn: ({ signal }) => call(integrationsApi.list, {}, { signal }),
})
