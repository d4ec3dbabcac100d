import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Cents, Day } from '../contract.ts'
import { everyMonths } from './rules.ts'

const every = z.enum(Object.keys(everyMonths) as [keyof typeof everyMonths])
const method = z.enum(['card', 'cash', 'check', 'bank', 'account'])

const fields = {
  every,
  firstOn: Day,
  endOn: Day.nullable().default(null),
  categoryId: z.uuid('Choose a category.'),
  vendor: z.string().trim().max(120).default(''),
  note: z.string().trim().max(1000).default(''),
  totalCents: Cents.min(1, 'Type what is paid.'),
  taxCents: Cents.min(0, 'Type an amount.').default(0),
  method,
  crewId: z.uuid().nullable().default(null),
}
const holds = (
  draft: { taxCents: number; totalCents: number; firstOn: string; endOn: string | null },
  context: z.RefinementCtx,
): void => {
  if (draft.taxCents > draft.totalCents)
    context.addIssue({ code: 'custom', path: ['taxCents'], message: 'The tax is more than what is paid.' })
  if (draft.endOn !== null && draft.endOn < draft.firstOn)
    context.addIssue({ code: 'custom', path: ['endOn'], message: 'It ends before it begins.' })
}
export const RecurringDraft = z.object(fields).superRefine(holds)
export type RecurringDraft = z.output<typeof RecurringDraft>

export const Recurring = z.object({
  id: z.uuid(),
  every,
  firstOn: z.string(),
  endOn: z.string().nullable(),
  /** The day of the next expense; null after the last one. */
  nextOn: z.string().nullable(),
  category: z.object({ id: z.uuid(), name: z.string() }),
  vendor: z.string(),
  note: z.string(),
  totalCents: z.number().int(),
  taxCents: z.number().int(),
  method,
  crew: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  version: z.number().int(),
  removed: z.boolean(),
})
export type Recurring = z.output<typeof Recurring>

const Id = z.object({ id: z.uuid() })
const seen = z.object({ version: z.number().int() })
const change = { access: 'office', permission: 'money', needsSubscription: true, idempotent: true } as const

export const recurringApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/recurring-expenses',
    access: 'office',
    permission: 'money',
    response: z.object({ items: z.array(Recurring), yearlyCents: z.number().int() }),
    summary: 'Costs that come again, and what they come to in a year',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/recurring-expenses',
    ...change,
    body: RecurringDraft,
    response: Recurring,
    summary: 'A cost that comes again; what is due since its first day is booked at once',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/recurring-expenses/:id',
    ...change,
    params: Id,
    body: z.object({ ...fields, version: z.number().int() }).superRefine(holds),
    response: Recurring,
    summary: 'Change what comes from tomorrow on; what was booked stays',
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/recurring-expenses/:id/remove',
    ...change,
    params: Id,
    body: seen,
    response: Recurring,
    summary: 'Book it no more; what was booked stays',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/recurring-expenses/:id/restore',
    ...change,
    params: Id,
    body: seen,
    response: Recurring,
  }),
}
