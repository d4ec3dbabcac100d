import { describe, expect, it } from 'vitest'
import type { ReportData } from '../contract.ts'
import { insightsOf, reportAlert, reportFailure, reportName, reportOf } from './rules.ts'

const well: ReportData = {
  revenue: [
    { day: '2026-06-01', totalRevenue: 1000.1 },
    { day: '2026-06-02', totalRevenue: 234.4 },
  ],
  revenueChange: 12.4,
  customerChange: null,
  jobChange: -3,
  customerMetrics: { total: 100, active: 90, smsConsent: 70, averageLifetimeValue: 1234.5 },
  revenueAnalysis: {
    totalCompletions: 0,
    capturedRevenue: 900,
    uncapturedRevenue: 334.5,
    captureRate: 50,
    jobsWithPaidInvoices: 8,
    jobsAwaitingPayment: 2,
    totalCompletedRevenue: 1234.5,
    completedJobsCount: 10,
  },
  jobMetrics: { completed: 0 },
  invoiceMetrics: { total: 12, paid: 9, overdue: 1, paymentRate: 75 },
  quoteMetrics: { total: 10, approved: 3, conversionRate: 30, averageValue: 450 },
  routeMetrics: { averageJobsPerRoute: 5 },
  averageInvoiceAmount: 102.88,
}
const but = (changes: { [K in keyof ReportData]?: Partial<ReportData[K]> }): ReportData =>
  Object.fromEntries(
    Object.entries(well).map(([name, value]) => [
      name,
      typeof value === 'object' && value && !Array.isArray(value)
        ? { ...value, ...((changes as never)[name] as object) }
        : value,
    ]),
  ) as ReportData

describe('insights', () => {
  it('one sentence on the whole where no rule applies: each of them stands just at its bound', () => {
    expect(insightsOf(well)).toEqual(['Your business is performing well overall. Keep up the good work.'])
  })
  it.each([
    [
      'a capture rate below 50%',
      but({ revenueAnalysis: { captureRate: 49.9 } }),
      /^Revenue collection: only 49\.9% of/,
    ],
    [
      'more uncaptured than captured',
      but({ revenueAnalysis: { uncapturedRevenue: 900.01 } }),
      /^Outstanding payments: \$900\.01 is not paid yet, more than the \$900\.00/,
    ],
    ['texts that reach less than 70%', but({ customerMetrics: { smsConsent: 69 } }), /^SMS: 69\.0% of/],
    ['less than 30% of quotes', but({ quoteMetrics: { conversionRate: 29.9 } }), /^Quotes: 29\.9% of/],
    ['completions', but({ revenueAnalysis: { totalCompletions: 8 } }), /^Average revenue per completion: \$154\.31\.$/],
    [
      'less than 5 jobs per route',
      but({ routeMetrics: { averageJobsPerRoute: 4.9 } }),
      /^Route optimization: 4\.9 jobs/,
    ],
  ])('%s', (_, data, words) => {
    const found = insightsOf(data)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(words)
  })
})

it('a rule that has nothing to measure says so, and no share of nothing', () => {
  const found = insightsOf(
    but({
      revenueAnalysis: {
        ...well.revenueAnalysis,
        totalCompletions: 0,
        totalCompletedRevenue: 0,
        capturedRevenue: 0,
        uncapturedRevenue: 0,
        captureRate: 0,
      },
      customerMetrics: { ...well.customerMetrics, total: 0, smsConsent: 0 },
      quoteMetrics: { ...well.quoteMetrics, total: 0, conversionRate: 0 },
      routeMetrics: { averageJobsPerRoute: 0 },
    }),
  )
  expect(found.map((tip) => tip.split(':')[0])).toEqual(['Revenue collection', 'SMS', 'Quotes', 'Route optimization'])
  expect(found.join(' ')).not.toMatch(/0\.0/)
})

it('writes its sections in order, money with two decimals, percent with one and changes with their sign', () => {
  const report = reportOf(well, { business: 'Green Test Lawns', period: 'month', today: '2026-06-30' })
  expect(report.title).toBe('Business Analytics Report')
  expect(report.period).toBe('Last 30 Days')
  expect(report.made).toBe('Generated Tue, Jun 30, 2026')
  expect(report.sections.map(({ title }) => title)).toEqual([
    'Executive Summary',
    'Key Performance Indicators',
    'Revenue Analysis',
    'Business Overview',
    'Business Insights & Recommendations',
  ])
  // a job is what stands in "Jobs with Completed Work"; these are visits
  expect(report.sections[0]?.text?.[0]).toMatch(/ in \d+ completed visits \(-3\.0%\)\.$/)
  expect(report.sections[1]?.tables?.[0]?.rows).toEqual([
    ['Total Revenue', '$1,234.50', '+12.4%'],
    ['Total Customers', '100', 'n/a'],
    ['Completed Jobs', '0', '-3.0%'],
    ['Average Invoice Amount', '$102.88', ''],
    ['Average Jobs per Route', '5.0', ''],
  ])
  expect(
    reportOf({ ...well, customerChange: 20 }, { business: '', period: 'week', today: '2026-06-30' }).sections[1]
      ?.tables?.[0]?.rows[1],
  ).toEqual(['Total Customers', '100', '+20.0% (new)'])
  expect(report.sections[2]?.tables?.[0]?.rows).toContainEqual(['Capture Rate', '50.0%'])
  expect(report.sections[3]?.tables?.map(({ title }) => title)).toEqual([
    'Customer Metrics',
    'Invoice Metrics',
    'Quote Metrics',
  ])
})

it('has the name and the words for a failure that were agreed', () => {
  expect(reportName('2026-06-30')).toBe('swath-analytics-2026-06-30')
  expect(reportAlert).toBe('Failed to generate report. Please try again.')
  expect(reportFailure('')).toBe('Failed to generate report: Failed to fetch analytics data: Unknown error')
  expect(reportFailure('No')).toBe('Failed to generate report: Failed to fetch analytics data: No')
})
