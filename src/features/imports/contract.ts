import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { duplicateChoices, type ImportField, importActions, importFieldIds } from './rules.ts'

export const maxFileBytes = 20 * 1024 * 1024
export const maxRows = 50_000

const Field = z.union([
  z.enum(importFieldIds as [ImportField, ...ImportField[]]),
  z.templateLiteral(['custom:', z.uuid()]),
])

/** So many services that we do not have are kept of a file; more is a column that was matched wrongly. */
export const mostNewServices = 100

/** A service that a file names and the business does not have. */
export const NewService = z.object({
  /** As the file has it. */
  name: z.string().min(1).max(200),
  /** Rows whose job asks for it. */
  jobs: z.number().int(),
  /** Which of the business's own it is; null is added as a new one. */
  serviceId: z.uuid().nullable(),
})
export type NewService = z.output<typeof NewService>

export const importStatuses = [
  'uploaded',
  'checking',
  'checked',
  'running',
  'done',
  'undoing',
  'undone',
  'failed',
] as const

export const ImportRecord = z.object({
  id: z.uuid(),
  fileName: z.string(),
  status: z.enum(importStatuses),
  /** The program the file most likely comes from, or empty. */
  source: z.string(),
  columns: z.array(z.object({ header: z.string(), samples: z.array(z.string()) })),
  /** What each column holds; null is left out. */
  mapping: z.array(Field.nullable()),
  rowCount: z.number().int(),
  okCount: z.number().int(),
  errorCount: z.number().int(),
  duplicateCount: z.number().int(),
  /** Customers that the good rows make, before the confirm; that were made, after it. */
  customerCount: z.number().int(),
  /** Jobs that the good rows book, and were booked. */
  jobCount: z.number().int(),
  /** What customers owe by the good rows, in cents; null for people who may not see money. */
  balanceCents: z.number().int().nullable(),
  /** Customers that come in archived because the plan holds no more, without those that the file itself says are archived. */
  archivedCount: z.number().int(),
  /** Rows written so far. */
  doneCount: z.number().int(),
  /** Customers an undo left because work or money hangs on them. */
  remainingCount: z.number().int(),
  /** What the file calls services that the business does not have, and what becomes of each. */
  newServices: z.array(NewService),
  /** Services that were added for its jobs. */
  addedServices: z.array(z.string()),
  withDuplicates: z.boolean(),
  updateDuplicates: z.boolean(),
  /** It was matched as the last file with the same columns was. */
  remembered: z.boolean(),
  error: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
  createdByName: z.string().nullable(),
  /** What the plan holds; limit null is no limit. */
  plan: z.object({
    name: z.string(),
    nextName: z.string().nullable(),
    limit: z.number().int().nullable(),
    customers: z.number().int(),
  }),
  /** What who asked may do with it now. */
  can: z.record(z.enum(importActions), z.boolean()),
})
export type ImportRecord = z.output<typeof ImportRecord>

export const rowStatuses = ['new', 'ok', 'error', 'duplicate', 'written', 'undone'] as const

export const ImportRow = z.object({
  /** As a spreadsheet numbers it; the header is usually 1. */
  line: z.number().int(),
  status: z.enum(rowStatuses),
  name: z.string(),
  street: z.string(),
  city: z.string(),
  reasons: z.array(z.object({ field: z.string(), message: z.string() })),
  /** Once it is written. */
  customerId: z.uuid().nullable(),
  /** The job that the row books, line by line as it was read; null where it books none. */
  job: z
    .object({
      lines: z.array(
        z.object({
          service: z.string(),
          /** "Every week on Tuesday". */
          rhythm: z.string(),
          /** A visit's price; null for people who may not see money. */
          priceCents: z.number().int().nullable(),
        }),
      ),
      startOn: z.string(),
    })
    .nullable(),
  /** What the row says they owe; null where it says nothing, and for people who may not see money. */
  balanceCents: z.number().int().nullable(),
})
export type ImportRow = z.output<typeof ImportRow>

const byId = z.object({ id: z.uuid() })
const change = { access: 'office', permission: 'customers', needsSubscription: true } as const

export const importsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/imports',
    access: 'office',
    response: z.object({
      items: z.array(
        ImportRecord.pick({
          id: true,
          fileName: true,
          status: true,
          rowCount: true,
          okCount: true,
          doneCount: true,
          customerCount: true,
          createdAt: true,
          finishedAt: true,
          createdByName: true,
        }),
      ),
    }),
    summary: 'The latest imports',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/imports',
    ...change,
    idempotent: 'steps',
    bodyLimitBytes: 2 * maxFileBytes,
    body: z.object({
      fileName: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .refine((name) => !/\p{Cc}/u.test(name) && name.isWellFormed(), 'Not a file name.'),
      text: z.string().min(1, 'The file is empty.'),
    }),
    response: ImportRecord,
    summary: 'Read a customer list: CSV, tabs or semicolons, at most 20 MB; nothing is written to customers',
  }),
  get: endpoint({ method: 'GET', path: '/api/imports/:id', access: 'office', params: byId, response: ImportRecord }),
  setMapping: endpoint({
    method: 'PUT',
    path: '/api/imports/:id/mapping',
    ...change,
    params: byId,
    body: z.object({ mapping: z.array(Field.nullable()).max(500) }),
    response: ImportRecord,
    summary: 'Say what each column holds',
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/imports/:id/check',
    ...change,
    params: byId,
    response: ImportRecord,
    summary: 'Dry run: every row judged, duplicates found, nothing written to customers',
  }),
  setServices: endpoint({
    method: 'PUT',
    path: '/api/imports/:id/services',
    ...change,
    idempotent: true,
    params: byId,
    body: z.object({
      services: z.array(NewService.pick({ name: true, serviceId: true })).max(mostNewServices),
    }),
    response: ImportRecord,
    summary: 'Say which of our services the file means by names that we do not have, and judge the rows again',
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/imports/:id/rows',
    access: 'office',
    params: byId,
    query: z.object({
      status: z.enum(rowStatuses).optional(),
      /** Only rows with something to say of them. */
      withReason: z.stringbool().optional(),
      ...page(50),
    }),
    response: z.object({ items: z.array(ImportRow), nextCursor: z.string().nullable(), total: z.number().int() }),
  }),
  rowsCsv: endpoint({
    method: 'GET',
    path: '/api/imports/:id/rows.csv',
    access: 'office',
    params: byId,
    query: z.object({ status: z.enum(rowStatuses).default('error') }),
    response: z.string(),
    summary: 'Rows of one kind as they stood in the file, with line and reason, to fix and upload again',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/imports/:id/confirm',
    ...change,
    idempotent: true,
    params: byId,
    body: z.object({ duplicates: z.enum(duplicateChoices).default('skip') }),
    response: ImportRecord,
    summary: 'Write the good rows; a second confirm changes nothing',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/imports/:id/undo',
    access: 'office',
    permission: 'customers',
    idempotent: true,
    params: byId,
    response: ImportRecord,
    summary: 'Remove what an import made, except customers with jobs or invoices since',
  }),
}
