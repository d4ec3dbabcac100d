import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { kinds, periods } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Cents = z.number().int()
const Count = z.number().int()
/** Dollars with cents, as the named fields of the report have them. */
const Dollars = z.number()
/** One decimal; null where there was nothing to compare with. */
const Change = z.number().nullable()

/** The figures that the report is made of, under the names and in the units that they have on the wire. */
export const ReportData = z.object({
  revenue: z.array(z.object({ day: z.string(), totalRevenue: Dollars })),
  revenueChange: Change,
  customerChange: Change,
  jobChange: Change,
  customerMetrics: z.object({ total: Count, active: Count, smsConsent: Count, averageLifetimeValue: Dollars }),
  revenueAnalysis: z.object({
    totalCompletions: Count,
    capturedRevenue: Dollars,
    uncapturedRevenue: Dollars,
    captureRate: z.number(),
    jobsWithPaidInvoices: Count,
    jobsAwaitingPayment: Count,
    totalCompletedRevenue: Dollars,
    completedJobsCount: Count,
  }),
  jobMetrics: z.object({ completed: Count }),
  invoiceMetrics: z.object({ total: Count, paid: Count, overdue: Count, paymentRate: z.number() }),
  quoteMetrics: z.object({ total: Count, approved: Count, conversionRate: z.number(), averageValue: Dollars }),
  routeMetrics: z.object({ averageJobsPerRoute: z.number() }),
  averageInvoiceAmount: Dollars,
})
export type ReportData = z.output<typeof ReportData>

/** A figure of a period beside the same figure of the period before and of a year ago. */
const compared = <T extends z.ZodType>(of: T) => z.object({ now: of, before: of, lastYear: of })

const Slice = z.object({
  key: z.string(),
  name: z.string(),
  completions: Count,
  worthCents: Cents,
  beforeCents: Cents,
  capturedCents: Cents,
  perLaborHourCents: Cents.nullable(),
})
export type Slice = z.output<typeof Slice>

const Dates = z.object({ from: z.string(), to: z.string() })

export const Overview = z.object({
  period: z.enum(periods),
  current: Dates,
  previous: Dates,
  lastYear: Dates,
  worthCents: compared(Cents),
  capturedCents: compared(Cents),
  receivedCents: compared(Cents),
  invoicedCents: compared(Cents),
  completions: compared(Count),
  perLaborHourCents: compared(Cents.nullable()),
  targetLaborHourCents: Cents,
  captureRate: compared(z.number()),
  drivePercent: compared(z.number().nullable()),
  skipPercent: compared(z.number().nullable()),
  stopsPerMile: compared(z.number().nullable()),
  jobsPerRoute: z.number(),
  newCustomers: compared(Count),
  customers: z.object({ total: Count, active: Count, smsConsent: Count, averageLifetimeCents: Cents }),
  jobs: z.object({ worked: Count, waiting: Count }),
  invoices: z.object({ total: Count, paid: Count, overdue: Count, paymentRate: z.number(), averageCents: Cents }),
  quotes: z.object({ sent: Count, won: Count, conversionRate: z.number(), averageCents: Cents }),
  /** Customers with work in the period before and none in this one; null for a week, in which many lawns are not due. */
  churn: z.object({ before: Count, left: Count, percent: z.number() }).nullable(),
  /** Paid ahead for work that is not done yet. */
  prepaidCents: Cents,
  /** The mean of what was paid in full in the last 90 days, in whole days. */
  daysToPay: Count.nullable(),
  chart: z.array(
    z.object({ label: z.string(), worthCents: Cents, capturedCents: Cents, lastYearCents: Cents, completions: Count }),
  ),
  slices: z.record(z.enum(kinds).exclude(['all']), z.array(Slice)),
  bestCustomers: z.array(
    z.object({ id: z.uuid(), name: z.string(), completions: Count, worthCents: Cents, capturedCents: Cents }),
  ),
  /** What changed, and which crew, service or city did the largest part of it. */
  why: z.string(),
})
export type Overview = z.output<typeof Overview>

export const WorkRow = z.object({
  id: z.uuid(),
  day: z.string(),
  customer: z.string(),
  place: z.string(),
  worthCents: Cents,
  capturedCents: Cents,
})
export type WorkRow = z.output<typeof WorkRow>

const read = { access: 'office', permission: 'money' } as const
const period = z.object({ period: z.enum(periods).default('month') })

export const analyticsApi = {
  report: endpoint({
    ...read,
    method: 'GET',
    path: '/api/analytics',
    needsSubscription: true,
    query: z.object({ timeRange: z.string().max(20).optional() }),
    response: z.object({ success: z.literal(true), message: z.string(), data: ReportData }),
    summary: 'The figures of the report: 7, 30 or 365 days that end today; money in dollars',
  }),
  overview: endpoint({
    ...read,
    method: 'GET',
    path: '/api/analytics/overview',
    needsSubscription: true,
    query: period,
    response: Overview,
    summary: 'What a period came to, against the one before and a year ago',
  }),
  pdf: endpoint({
    ...read,
    method: 'GET',
    path: '/api/analytics/report.pdf',
    needsSubscription: true,
    query: period,
    response: z.any(),
    summary: 'The report as a PDF',
  }),
  visits: endpoint({
    ...read,
    method: 'GET',
    path: '/api/analytics/visits',
    query: z.object({
      ...period.shape,
      /** Chosen days instead of the period. */
      from: Day.optional(),
      to: Day.optional(),
      show: z.enum(['completed', 'unpaid', 'skipped']).default('completed'),
      kind: z.enum(kinds).exclude(['all']).optional(),
      key: z.string().max(120).optional(),
      /** Of this crew alone, beside what the key names. */
      crewId: z.uuid().or(z.literal('none')).optional(),
      ...page(50),
    }),
    response: z.object({ items: z.array(WorkRow), nextCursor: z.string().nullable() }),
    summary: 'The visits that a figure of the period is made of',
  }),
  statistics: endpoint({
    ...read,
    method: 'GET',
    path: '/api/statistics',
    response: Overview,
    summary: '30 days against the 30 before',
  }),
}
