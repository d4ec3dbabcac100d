import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const SearchResult = z.object({
  kind: z.enum(['customer', 'visit', 'job', 'invoice', 'quote']),
  id: z.uuid(),
  title: z.string(),
  subtitle: z.string(),
  /** Where the record opens. */
  path: z.string(),
})
export type SearchResult = z.output<typeof SearchResult>

export const searchApi = {
  find: endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'office',
    query: z.object({ q: z.string().max(200).default('') }),
    response: z.object({ results: z.array(SearchResult) }),
    summary: 'Customers, their visits, jobs, invoices and quotes by name, address, contact or number',
  }),
}
