import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

export const ExpenseCategory = z.object({
  id: z.uuid(),
  /** Of a standard category; null for one of the business's own. */
  code: z.string().nullable(),
  name: z.string(),
  archived: z.boolean(),
  version: z.number().int(),
})
export type ExpenseCategory = z.output<typeof ExpenseCategory>

const name = z.string().trim().min(1, 'Name the category').max(60, 'At most 60 letters.')
const Id = z.object({ id: z.uuid() })
const seen = z.object({ version: z.number().int() })
const change = { access: 'office', permission: 'money', idempotent: true } as const

export const categoriesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/expense-categories',
    access: 'office',
    permission: 'money',
    response: z.object({ items: z.array(ExpenseCategory) }),
    summary: 'Categories of expenses, the archived ones last',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/expense-categories',
    ...change,
    body: z.object({ name }),
    response: ExpenseCategory,
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/expense-categories/:id',
    ...change,
    params: Id,
    body: z.object({ name, version: z.number().int() }),
    response: ExpenseCategory,
    summary: 'Call a category by another name, also on what was spent before',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/expense-categories/:id/archive',
    ...change,
    params: Id,
    body: seen,
    response: ExpenseCategory,
    summary: 'Offer a category no longer; what was spent in it stays',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/expense-categories/:id/restore',
    ...change,
    params: Id,
    body: seen,
    response: ExpenseCategory,
  }),
}
