import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { QuoteContent } from '../contract.ts'

export const QuoteTemplate = z.object({
  id: z.uuid(),
  name: z.string(),
  content: QuoteContent,
  /** Quotes that were made from it. */
  quoteCount: z.number().int(),
  version: z.number().int(),
})
export type QuoteTemplate = z.output<typeof QuoteTemplate>

const Name = z.string().trim().min(1, 'A name is needed').max(120)
const Id = z.object({ id: z.uuid() })
const read = { access: 'office', permission: 'money' } as const
const change = { ...read, needsSubscription: true, idempotent: true } as const
const version = z.number().int()

export const quoteTemplatesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/quote-templates',
    ...read,
    response: z.object({ items: z.array(QuoteTemplate) }),
    summary: 'Lines, words and terms that are quoted again and again',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/quote-templates',
    ...change,
    body: z.object({
      name: Name,
      /** Its lines, packages, words and terms are taken; left out it is empty. */
      fromQuoteId: z.uuid().optional(),
    }),
    response: QuoteTemplate,
    summary: 'A template, empty or of what a quote holds',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/quote-templates/:id',
    ...change,
    params: Id,
    body: z.object({
      name: Name.optional(),
      message: z.string().trim().max(2000).optional(),
      terms: z.string().trim().max(8000).optional(),
      /** The whole new list. */
      lines: QuoteContent.shape.lines.unwrap().optional(),
      version,
    }),
    response: QuoteTemplate,
    summary: 'Change its name, words or lines',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/quote-templates/:id/archive',
    ...change,
    params: Id,
    body: z.object({ version }),
    response: QuoteTemplate,
    summary: 'Offer it no more; quotes that were made from it stay',
  }),
}
