import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const searchKinds = [
  'customer',
  'property',
  'job',
  'visit',
  'invoice',
  'quote',
  'lead',
  'employee',
  'route',
] as const

export const SearchResult = z.object({
  kind: z.enum(searchKinds),
  id: z.uuid(),
  title: z.string(),
  subtitle: z.string(),
  /** The screen that shows it. */
  path: z.string(),
})
export type SearchResult = z.output<typeof SearchResult>

export const searchApi = {
  find: endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'office',
    query: z.object({ q: z.string().trim().min(1).max(100) }),
    response: z.object({ results: z.array(SearchResult) }),
    summary: 'Customers, jobs, invoices and people by name, address, number or phone; best first, at most 20',
  }),
}
