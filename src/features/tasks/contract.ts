import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { callDirections, callOutcomes, taskActions } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const title = z
  .string()
  .trim()
  .min(1, 'Say what is to be done.')
  .max(200, 'What is to be done can have at most 200 characters. Put the rest into the note.')
const note = z.string().trim().max(2000, 'A note can have at most 2,000 characters.')

export const OfficeTask = z.object({
  can: z.record(z.enum(taskActions), z.boolean()),
  id: z.uuid(),
  title: z.string(),
  note: z.string(),
  dueOn: z.string(),
  /** Null: anybody of the office. */
  ownerId: z.uuid().nullable(),
  ownerName: z.string().nullable(),
  customerId: z.uuid().nullable(),
  customerName: z.string().nullable(),
  customerPhone: z.string().nullable(),
  /** The call whose follow-up it is. */
  callId: z.uuid().nullable(),
  doneAt: z.string().nullable(),
  doneByName: z.string().nullable(),
  version: z.number().int(),
})
export type OfficeTask = z.output<typeof OfficeTask>

export const NewTask = z.object({
  title,
  note: note.default(''),
  dueOn: Day,
  ownerId: z.uuid().nullable().default(null),
  customerId: z.uuid().nullable().default(null),
})
export type NewTask = z.output<typeof NewTask>

export const TaskChanges = z.object({
  title: title.optional(),
  note: note.optional(),
  dueOn: Day.optional(),
  ownerId: z.uuid().nullable().optional(),
  version: z.number().int(),
})
export type TaskChanges = z.output<typeof TaskChanges>

export const CustomerCall = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  direction: z.enum(callDirections),
  outcome: z.enum(callOutcomes),
  note: z.string(),
  at: z.string(),
  byName: z.string().nullable(),
  version: z.number().int(),
})
export type CustomerCall = z.output<typeof CustomerCall>

export const NewCall = z.object({
  direction: z.enum(callDirections).default('out'),
  outcome: z.enum(callOutcomes).default('talked'),
  note: note.default(''),
  /** When it was; now where nobody says. */
  at: z.iso.datetime({ offset: true }).optional(),
  /** What comes back as a task. */
  followUp: z
    .object({ title, dueOn: Day, ownerId: z.uuid().nullable().default(null) })
    .nullable()
    .default(null),
})
export type NewCall = z.output<typeof NewCall>

const byId = z.object({ id: z.uuid() })
const look = { access: 'office', permission: 'customers' } as const
const change = { ...look, needsSubscription: true, idempotent: true } as const

export const taskShows = ['open', 'done'] as const

export const tasksApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/tasks',
    ...look,
    query: z.object({
      show: z.enum(taskShows).default('open'),
      /** true: only one's own and those of nobody in particular. */
      mine: z.union([z.boolean(), z.stringbool()]).default(false),
      customerId: z.uuid().optional(),
      ...page(50),
    }),
    response: z.object({ items: z.array(OfficeTask), nextCursor: z.string().nullable() }),
    summary: 'Tasks of the office: open ones by their day, done ones with the latest first',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/tasks/people',
    ...look,
    response: z.object({ items: z.array(z.object({ id: z.uuid(), name: z.string() })) }),
    summary: 'Who can own a task: everybody of the office',
  }),
  create: endpoint({ method: 'POST', path: '/api/tasks', ...change, body: NewTask, response: OfficeTask }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/tasks/:id',
    ...change,
    params: byId,
    body: TaskChanges,
    response: OfficeTask,
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/tasks/:id/finish',
    ...change,
    params: byId,
    response: OfficeTask,
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/tasks/:id/reopen',
    ...change,
    params: byId,
    response: OfficeTask,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tasks/:id',
    ...change,
    params: byId,
    response: z.object({ id: z.uuid() }),
  }),
  logCall: endpoint({
    method: 'POST',
    path: '/api/customers/:id/calls',
    ...change,
    params: byId,
    body: NewCall,
    response: z.object({ call: CustomerCall, task: OfficeTask.nullable() }),
    summary: 'Log a call with a customer, with a follow-up that comes back as a task',
  }),
  calls: endpoint({
    method: 'GET',
    path: '/api/customers/:id/calls',
    ...look,
    params: byId,
    query: z.object(page(20)),
    response: z.object({ items: z.array(CustomerCall), nextCursor: z.string().nullable() }),
    summary: 'Calls with a customer, the latest first',
  }),
  removeCall: endpoint({
    method: 'DELETE',
    path: '/api/calls/:id',
    ...change,
    params: byId,
    response: z.object({ id: z.uuid() }),
    summary: 'Take a logged call back, with its follow-up as long as that is open',
  }),
}
