import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents, formatPercent } from '../../../shared/money.ts'
import type { Overview, ReportData } from '../contract.ts'
import { averageCents, changePercent, changeText, type Period, periodLabel } from '../rules.ts'

const dollars = (cents: number): number => cents / 100
/** Dollars of the wire as a person reads them. */
const money = (amount: number): string => formatCents(Math.round(amount * 100))
const percent = (value: number): string => formatPercent(value)
const count = (value: number): string => value.toLocaleString('en-US')

/** The figures of a period under the names that they have on the wire. @param days the worth of each day's completed work */
export const reportData = (found: Overview, days: readonly { day: Day; cents: number }[]): ReportData => {
  const { worthCents, capturedCents, completions, customers, invoices, quotes, jobs } = found
  return {
    revenue: days.map(({ day, cents }) => ({ day, totalRevenue: dollars(cents) })),
    revenueChange: changePercent(worthCents.now, worthCents.before),
    customerChange: changePercent(found.newCustomers.now, found.newCustomers.before),
    jobChange: changePercent(completions.now, completions.before),
    customerMetrics: {
      total: customers.total,
      active: customers.active,
      smsConsent: customers.smsConsent,
      averageLifetimeValue: dollars(customers.averageLifetimeCents),
    },
    revenueAnalysis: {
      totalCompletions: completions.now,
      capturedRevenue: dollars(capturedCents.now),
      uncapturedRevenue: dollars(worthCents.now - capturedCents.now),
      captureRate: found.captureRate.now,
      jobsWithPaidInvoices: jobs.worked - jobs.waiting,
      jobsAwaitingPayment: jobs.waiting,
      totalCompletedRevenue: dollars(worthCents.now),
      completedJobsCount: jobs.worked,
    },
    jobMetrics: { completed: completions.now },
    invoiceMetrics: {
      total: invoices.total,
      paid: invoices.paid,
      overdue: invoices.overdue,
      paymentRate: invoices.paymentRate,
    },
    quoteMetrics: {
      total: quotes.sent,
      approved: quotes.won,
      conversionRate: quotes.conversionRate,
      averageValue: dollars(quotes.averageCents),
    },
    routeMetrics: { averageJobsPerRoute: found.jobsPerRoute },
    averageInvoiceAmount: dollars(invoices.averageCents),
  }
}

/** What all days of the report come to. */
export const totalRevenue = (data: ReportData): number =>
  dollars(data.revenue.reduce((sum, one) => sum + Math.round(one.totalRevenue * 100), 0))

/** Tips that follow from the figures, in the order of their rules; one sentence on the whole where none does. A rule of nothing (0 of 0) says that it is nothing. */
export const insightsOf = (data: ReportData): string[] => {
  const { revenueAnalysis: revenue, customerMetrics: customers, quoteMetrics: quotes, routeMetrics: routes } = data
  const found: string[] = []
  if (revenue.captureRate < 50)
    found.push(
      revenue.totalCompletedRevenue === 0
        ? 'Revenue collection: no completed work to be paid in these days. Finish visits in the crew app, so that they can be invoiced.'
        : `Revenue collection: only ${percent(revenue.captureRate)} of completed work is paid. Invoice finished visits sooner and remind customers who are late.`,
    )
  if (revenue.uncapturedRevenue > revenue.capturedRevenue)
    found.push(
      `Outstanding payments: ${money(revenue.uncapturedRevenue)} is not paid yet, more than the ${money(revenue.capturedRevenue)} that is. Follow up on open invoices.`,
    )
  const consentPercent = customers.total === 0 ? 0 : (customers.smsConsent / customers.total) * 100
  if (consentPercent < 70)
    found.push(
      customers.total === 0
        ? 'SMS: there are no customers to reach by text yet. Ask for mobile numbers and consent from the first one on.'
        : `SMS: ${percent(consentPercent)} of your customers can be reached by text. Ask for mobile numbers and consent to cut missed visits and calls.`,
    )
  if (quotes.conversionRate < 30)
    found.push(
      quotes.total === 0
        ? 'Quotes: none were sent in these days. Each request that is answered with a quote within a day is more likely to become work.'
        : `Quotes: ${percent(quotes.conversionRate)} of quotes are approved. Follow up within two days and look at prices and options.`,
    )
  if (revenue.totalCompletions > 0)
    found.push(
      `Average revenue per completion: ${money(dollars(averageCents(Math.round(revenue.totalCompletedRevenue * 100), revenue.totalCompletions)))}.`,
    )
  if (routes.averageJobsPerRoute < 5)
    found.push(
      routes.averageJobsPerRoute === 0
        ? 'Route optimization: no routes were driven in these days. Plan a day to see how many stops fit into it.'
        : `Route optimization: ${routes.averageJobsPerRoute.toFixed(1)} jobs per route on average. Plan closer stops together to fit more into a day.`,
    )
  return found.length > 0 ? found : ['Your business is performing well overall. Keep up the good work.']
}

export type ReportTable = { head: string[]; rows: string[][] }
export type ReportSection = {
  title: string
  text?: string[]
  tables?: (ReportTable & { title?: string })[]
  list?: string[]
}
export type Report = { title: string; business: string; period: string; made: string; sections: ReportSection[] }

/** All words of the report, as its PDF has them. @param today the day on which it is made */
export const reportOf = (
  data: ReportData,
  { business, period, today }: { business: string; period: Period; today: Day },
): Report => {
  const { revenueAnalysis: revenue, customerMetrics: customers, invoiceMetrics: invoices, quoteMetrics: quotes } = data
  const total = money(totalRevenue(data))
  const newCustomers = data.customerChange === null ? 'n/a' : `${changeText(data.customerChange)} (new)`
  return {
    title: 'Business Analytics Report',
    business,
    period: periodLabel[period],
    made: `Generated ${formatDay(today, { year: true })}`,
    sections: [
      {
        title: 'Executive Summary',
        text: [
          `Completed work of the period comes to ${total} (${changeText(data.revenueChange)} against the period before) in ${count(revenue.totalCompletions)} completed visits (${changeText(data.jobChange)}).`,
          `${money(revenue.capturedRevenue)} of it is paid, a capture rate of ${percent(revenue.captureRate)}; ${money(revenue.uncapturedRevenue)} is not. You have ${count(customers.active)} active customers.`,
        ],
      },
      {
        title: 'Key Performance Indicators',
        tables: [
          {
            head: ['Metric', 'Value', 'Change'],
            rows: [
              ['Total Revenue', total, changeText(data.revenueChange)],
              ['Total Customers', count(customers.total), newCustomers],
              ['Completed Jobs', count(data.jobMetrics.completed), changeText(data.jobChange)],
              ['Average Invoice Amount', money(data.averageInvoiceAmount), ''],
              ['Average Jobs per Route', data.routeMetrics.averageJobsPerRoute.toFixed(1), ''],
            ],
          },
        ],
      },
      {
        title: 'Revenue Analysis',
        tables: [
          {
            head: ['Metric', 'Value'],
            rows: [
              ['Total Completions', count(revenue.totalCompletions)],
              ['Total Completed Revenue', money(revenue.totalCompletedRevenue)],
              ['Captured Revenue', money(revenue.capturedRevenue)],
              ['Uncaptured Revenue', money(revenue.uncapturedRevenue)],
              ['Capture Rate', percent(revenue.captureRate)],
              ['Jobs with Completed Work', count(revenue.completedJobsCount)],
              ['Jobs with Paid Invoices', count(revenue.jobsWithPaidInvoices)],
              ['Jobs Awaiting Payment', count(revenue.jobsAwaitingPayment)],
            ],
          },
        ],
      },
      {
        title: 'Business Overview',
        tables: [
          {
            title: 'Customer Metrics',
            head: ['Metric', 'Value'],
            rows: [
              ['Total Customers', count(customers.total)],
              ['Active Customers', count(customers.active)],
              ['SMS Consent', count(customers.smsConsent)],
              ['Average Lifetime Value', money(customers.averageLifetimeValue)],
            ],
          },
          {
            title: 'Invoice Metrics',
            head: ['Metric', 'Value'],
            rows: [
              ['Total Invoices', count(invoices.total)],
              ['Paid Invoices', count(invoices.paid)],
              ['Overdue Invoices', count(invoices.overdue)],
              ['Payment Rate', percent(invoices.paymentRate)],
            ],
          },
          {
            title: 'Quote Metrics',
            head: ['Metric', 'Value'],
            rows: [
              ['Total Quotes', count(quotes.total)],
              ['Approved Quotes', count(quotes.approved)],
              ['Conversion Rate', percent(quotes.conversionRate)],
              ['Average Quote Value', money(quotes.averageValue)],
            ],
          },
        ],
      },
      { title: 'Business Insights & Recommendations', list: insightsOf(data) },
    ],
  }
}

/** The file of a report, without its ending. */
export const reportName = (today: Day): string => `swath-analytics-${today}`

export const reportAlert = 'Failed to generate report. Please try again.'

/** What a failure is called for the log: what the server said, or that it said nothing. */
export const reportFailure = (message: string | null): string =>
  `Failed to generate report: Failed to fetch analytics data: ${message || 'Unknown error'}`
