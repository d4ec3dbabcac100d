import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import {
  cellTypes,
  groupings,
  mostRecipients,
  mostRows,
  pageRows,
  reportFormats,
  reportKinds,
  reportPeriods,
  rhythms,
} from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Name = z.string().trim().min(1, 'Name the report.').max(60, 'At most 60 characters.')
const Words = z.string().max(80)

/** What of a report is chosen: its days, filters, grouping and columns. */
const chosen = {
  period: z.enum(reportPeriods).optional(),
  from: Day.optional(),
  to: Day.optional(),
  by: z.enum(groupings).optional(),
  /** `none`: work without a crew. */
  crewId: z.uuid().or(z.literal('none')).optional(),
  customerId: z.uuid().optional(),
  reason: Words.optional(),
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Use a state like GA.')
    .optional(),
  productId: z.uuid().optional(),
  personId: z.uuid().optional(),
  /** Ids of the columns in their order, with commas between; without it those that the report begins with. */
  columns: z.string().max(1000).optional(),
}
export const ReportSettings = z.object(chosen)
export type ReportSettings = z.output<typeof ReportSettings>

const Kind = z.enum(reportKinds)
const Column = z.object({
  id: z.string(),
  label: z.string(),
  type: z.enum(cellTypes),
})
const Cell = z.union([z.string(), z.number(), z.null()])

export const Report = z.object({
  kind: Kind,
  title: z.string(),
  from: Day,
  to: Day,
  by: z.enum(groupings).nullable(),
  columns: z.array(Column),
  rows: z.array(
    z.object({
      key: z.string(),
      /** Where the row is opened: its record or list, the visit that it is, or the same report of this row alone. */
      href: z.string().nullable(),
      visitId: z.uuid().nullable(),
      narrow: z.record(z.string(), z.string()).nullable(),
      cells: z.array(Cell),
    }),
  ),
  /** Sums of all rows in the order of the columns; null where there is nothing to add up. */
  total: z.array(Cell).nullable(),
  /** How many rows there are. */
  count: z.number().int(),
  /** What has to be known to read it. */
  notes: z.array(z.string()),
})
export type Report = z.output<typeof Report>

const When = {
  rhythm: z.enum(rhythms),
  weekday: z.number().int().min(0).max(6),
  monthDay: z.number().int().min(1).max(31),
  hour: z.number().int().min(0).max(23),
}
export const MailingDraft = z
  .object({
    ...When,
    formats: z.array(z.enum(reportFormats)).min(1, 'Choose at least one kind of file.').max(3),
    userIds: z.array(z.uuid()).max(mostRecipients),
    emails: z.array(z.string().trim().max(200)).max(mostRecipients),
  })
  .superRefine(({ emails }, context) => {
    const wrong = emails.find((one) => !z.email().safeParse(one).success)
    if (wrong !== undefined)
      context.addIssue({ code: 'custom', path: ['emails'], message: `“${wrong}” is no e-mail address.` })
  })
  .refine(({ userIds, emails }) => userIds.length + emails.length > 0, {
    path: ['userIds'],
    message: 'Choose who gets it.',
  })
  .refine(({ userIds, emails }) => userIds.length + emails.length <= mostRecipients, {
    path: ['emails'],
    message: `At most ${mostRecipients} people and addresses.`,
  })
export type MailingDraft = z.output<typeof MailingDraft>

export const SavedReport = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: Kind,
  settings: ReportSettings,
  createdBy: z.string().nullable(),
  version: z.number().int(),
  mailing: z
    .object({
      ...When,
      formats: z.array(z.enum(reportFormats)),
      userIds: z.array(z.uuid()),
      emails: z.array(z.string()),
      nextAt: z.string(),
      lastSentAt: z.string().nullable(),
      problem: z.string(),
      /** People chosen for it who left or may not have it any more: they get none. */
      gone: z.array(z.string()),
      /** Mails of the last turn that did not arrive, and how many are still on their way. */
      notReached: z.array(z.object({ address: z.string(), reason: z.string() })),
      waiting: z.number().int(),
    })
    .nullable(),
  can: z.object({ change: z.boolean(), remove: z.boolean(), mail: z.boolean() }),
})
export type SavedReport = z.output<typeof SavedReport>

const Choice = z.object({ id: z.string(), name: z.string() })
export const ReportList = z.object({
  saved: z.array(SavedReport),
  choices: z.object({
    crews: z.array(Choice),
    people: z.array(Choice),
    products: z.array(Choice),
    states: z.array(z.string()),
    /** People of the office with an address, and the reports that each may have. */
    recipients: z.array(Choice.extend({ kinds: z.array(Kind) })),
  }),
})
export type ReportList = z.output<typeof ReportList>

const read = { access: 'office', needsSubscription: true } as const
const change = { ...read, idempotent: true } as const
const Id = z.object({ id: z.uuid() })

export const reportsApi = {
  list: endpoint({
    ...read,
    method: 'GET',
    path: '/api/reports',
    response: ReportList,
    summary: 'Reports that the office has saved, and what a report can be narrowed to',
  }),
  run: endpoint({
    ...read,
    method: 'GET',
    path: '/api/reports/run',
    query: z.object({
      kind: Kind,
      ...chosen,
      limit: z.coerce.number().int().min(1).max(mostRows).default(pageRows),
    }),
    response: Report,
    summary: 'A report of some days with its rows, their sums, and where each is opened',
  }),
  file: endpoint({
    ...read,
    method: 'GET',
    path: '/api/reports/file',
    query: z.object({
      kind: Kind,
      ...chosen,
      format: z.enum(reportFormats),
      name: z.string().trim().max(60).optional(),
    }),
    response: z.any(),
    summary: 'The same as CSV, Excel workbook or PDF',
  }),
  save: endpoint({
    ...change,
    method: 'POST',
    path: '/api/reports/saved',
    body: z.object({ name: Name, kind: Kind, settings: ReportSettings }),
    response: SavedReport,
    summary: 'Keep a report under a name, for the whole office',
  }),
  change: endpoint({
    ...change,
    method: 'PATCH',
    path: '/api/reports/saved/:id',
    params: Id,
    body: z.object({ version: z.number().int(), name: Name.optional(), settings: ReportSettings.optional() }),
    response: SavedReport,
    summary: 'Rename a saved report or change what it shows',
  }),
  remove: endpoint({
    access: 'office',
    idempotent: true,
    method: 'DELETE',
    path: '/api/reports/saved/:id',
    params: Id,
    response: Id,
    summary: 'Delete a saved report, and stop its mails',
  }),
  mail: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/reports/saved/:id/mailing',
    params: Id,
    body: z.object({ version: z.number().int(), mailing: MailingDraft.nullable() }),
    response: SavedReport,
    summary: 'When a saved report goes out by mail and to whom, or no more',
  }),
}
