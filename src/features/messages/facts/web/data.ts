import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { customerFactsApi } from '../contract.ts'

export const customerFactsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['messages', 'facts', customerId],
    queryFn: ({ signal }) => call(customerFactsApi.get, { params: { id: customerId } }, { signal }),
    meta: { live: { topics: ['customers', 'visits', 'jobs', 'invoices', 'messages'], everyMs: 5_000 } },
  })
