import { afterEach, describe, expect, it } from 'vitest'
import { resetClock } from '../../../platform/clock.ts'
import { addDays } from '../../../shared/dates.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, setClockToNoon, today } from '../../../test/field.ts'
import { readPdf } from '../../../test/papers.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { reportsApi } from '../../reports/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { analyticsApi } from '../contract.ts'

afterEach(resetClock)

const finished = async (own: TestBusiness, changes: Parameters<typeof aVisit>[1]) => {
  const visit = await aVisit(own, changes)
  await own.api.ok(visitsApi.finish, { params: { visitId: visit.visitId }, body: {} })
  return visit
}
const billAll = async (own: TestBusiness) => {
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
}

describe('the figures of the report', () => {
  it('have every named field with the meaning that was agreed', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const crewId = await aCrew(own)
    await finished(own, { day: addDays(today(), -40), crewId, priceCents: 10_000, customer: 'Before' })
    const first = await finished(own, { day: addDays(today(), -3), crewId, priceCents: 12_050, customer: 'Ann' })
    await finished(own, { day: addDays(today(), -3), crewId, priceCents: 4000, customer: 'Bob' })
    await billAll(own)
    await finished(own, { day: addDays(today(), -2), crewId, priceCents: 5000, customer: 'Cem' })
    const skipped = await aVisit(own, { day: addDays(today(), -2), crewId })
    await own.api.ok(visitsApi.skip, { params: { visitId: skipped.visitId }, body: { reason: 'locked_gate' } })
    const { items } = await own.api.ok(invoicesApi.list, { query: {} })
    const invoice = items.find(({ customer }) => customer.id === first.customerId)
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id: invoice?.id ?? '' },
      body: { method: 'check', amountCents: 12_050, receivedOn: today() },
    })
    const { success, message, data } = await own.api.ok(analyticsApi.report, { query: { timeRange: '30' } })
    expect([success, message]).toEqual([true, 'Analytics retrieved successfully'])
    expect(data.revenue).toEqual([
      { day: addDays(today(), -3), totalRevenue: 160.5 },
      { day: addDays(today(), -2), totalRevenue: 50 },
      { day: today(), totalRevenue: 0 },
    ])
    expect(data.revenueAnalysis).toEqual({
      totalCompletions: 3,
      capturedRevenue: 120.5,
      uncapturedRevenue: 90,
      captureRate: 57.2,
      jobsWithPaidInvoices: 1,
      jobsAwaitingPayment: 2,
      totalCompletedRevenue: 210.5,
      completedJobsCount: 3,
    })
    expect([data.revenueChange, data.jobChange, data.customerChange]).toEqual([110.5, 200, null])
    expect(data.jobMetrics).toEqual({ completed: 3 })
    // three were issued today, the one of the day before the period among them
    expect(data.invoiceMetrics).toEqual({ total: 3, paid: 1, overdue: 0, paymentRate: 33.3 })
    expect(data.averageInvoiceAmount).toBe(86.83)
    expect(data.quoteMetrics).toEqual({ total: 0, approved: 0, conversionRate: 0, averageValue: 0 })
    expect(data.routeMetrics).toEqual({ averageJobsPerRoute: 2 })
    expect(data.customerMetrics).toMatchObject({ total: 5, active: 5, averageLifetimeValue: 24.1 })
    const week = await own.api.ok(analyticsApi.report, { query: { timeRange: '7' } })
    expect([week.data.revenueAnalysis.totalCompletions, week.data.revenueChange]).toEqual([3, null])
    const year = await own.api.ok(analyticsApi.report, { query: { timeRange: '365' } })
    expect(year.data.revenueAnalysis.totalCompletions).toBe(4)
    for (const timeRange of [undefined, '', '90', 'all'])
      expect(await own.api.ok(analyticsApi.report, { query: timeRange === undefined ? {} : { timeRange } })).toEqual(
        await own.api.ok(analyticsApi.report, { query: { timeRange: '30' } }),
      )
  })

  it('are refused to crews, to who may not see money and without a plan, and are nobody else’s', async () => {
    setClockToNoon()
    const [own, other] = [await aBusiness(), await aBusiness()]
    await finished(own, { priceCents: 9900 })
    const employee = await own.employee()
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const ask = async (api: Api, paths: readonly string[]): Promise<number[]> =>
      Promise.all(paths.map(async (url) => (await api.raw({ method: 'GET', url })).status))
    const gated = [analyticsApi.report, analyticsApi.overview, analyticsApi.pdf].map(({ path }) => path)
    const all = [...gated, analyticsApi.statistics.path, analyticsApi.visits.path]
    for (const { api } of [employee, dispatcher]) expect(await ask(api, all)).toEqual(all.map(() => 403))
    const lapsed = await aBusiness({ tier: null, status: 'none' })
    expect(await ask(lapsed.api, gated)).toEqual([402, 402, 402])
    // the tools need a sign-in only
    expect((await lapsed.api.call(analyticsApi.statistics, {})).status).toBe(200)
    const theirs = await other.api.ok(analyticsApi.overview, { query: { period: 'year' } })
    expect([theirs.worthCents.now, theirs.completions.now, theirs.bestCustomers]).toEqual([0, 0, []])
  })
})

it('counts work of a credited invoice less its credit, discounted work less its discount, and work on nobody’s bill as nothing', async () => {
  setClockToNoon()
  const own = await aBusiness()
  const free = await finished(own, { priceCents: 7000 })
  await own.api.ok(invoicesApi.settleVisit, { params: { visitId: free.visitId }, body: { billable: false } })
  const kept = await finished(own, { priceCents: 10_000 })
  await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
  await runTasks()
  const [draft] = (await own.api.ok(invoicesApi.list, { query: {} })).items
  const { version, id, termsDays, lines } = await own.api.ok(invoicesApi.get, { params: { id: draft?.id ?? '' } })
  await own.api.ok(invoicesApi.change, { params: { id }, body: { version, termsDays, lines, discountCents: 1000 } })
  const worth = async () => {
    const { worthCents, capturedCents } = await own.api.ok(analyticsApi.overview, { query: { period: 'week' } })
    return [worthCents.now, capturedCents.now]
  }
  // a draft is no bill yet
  expect(await worth()).toEqual([10_000, 0])
  await own.api.ok(invoicesApi.issue, { params: { id } })
  expect(await worth()).toEqual([9000, 0])
  await own.api.ok(correctionsApi.creditInvoice, { params: { id }, body: { amountCents: 2000, reason: 'Sorry' } })
  expect(await worth()).toEqual([7000, 0])
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'cash', amountCents: 7000, receivedOn: today() },
  })
  expect(await worth()).toEqual([7000, 7000])
  const { items } = await own.api.ok(analyticsApi.visits, { query: { period: 'week', show: 'completed' } })
  expect(items.map((row) => [row.id, row.worthCents, row.capturedCents])).toEqual(
    [
      [free.visitId, 0, 0],
      [kept.visitId, 7000, 7000],
    ].sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? 1 : -1)),
  )
})

it('counts work that the credit of a credited invoice paid at its price, and nothing twice: what was credited is worth nothing', async () => {
  setClockToNoon()
  const own = await aBusiness()
  const { customerId, visitId } = await finished(own, { priceCents: 10_000 })
  const invoiceOf = async () => {
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    await runTasks()
    const [draft] = (await own.api.ok(invoicesApi.list, { query: { view: 'drafts' } })).items
    return (await own.api.ok(invoicesApi.issue, { params: { id: draft?.id ?? '' } })).id
  }
  const first = await invoiceOf()
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id: first },
    body: { method: 'cash', amountCents: 10_000, receivedOn: today() },
  })
  const next = await finished(own, { priceCents: 10_000 })
  await own.db(async (db) => {
    const set = { customerId }
    await db.updateTable('jobs').set(set).where('businessId', '=', own.id).where('id', '=', next.jobId).execute()
    await db.updateTable('visits').set(set).where('businessId', '=', own.id).where('id', '=', next.visitId).execute()
  })
  const second = await invoiceOf()
  const seen = async () => {
    const { worthCents, capturedCents } = await own.api.ok(analyticsApi.overview, { query: { period: 'week' } })
    const { items } = await own.api.ok(analyticsApi.visits, { query: { period: 'week', show: 'completed' } })
    const of = (id: string) => {
      const row = items.find((one) => one.id === id)
      return [row?.worthCents, row?.capturedCents]
    }
    const { doneCents, paidCents } = (await own.api.ok(dashboardApi.get, {})).money?.week.find(
      ({ day }) => day === today(),
    ) ?? { doneCents: -1, paidCents: -1 }
    return [worthCents.now, capturedCents.now, doneCents, paidCents, ...of(visitId), ...of(next.visitId)]
  }
  expect(await seen()).toEqual([20_000, 10_000, 20_000, 10_000, 10_000, 10_000, 10_000, 0])
  const { paymentId } = await own.api.ok(correctionsApi.creditInvoice, {
    params: { id: first },
    body: { amountCents: 10_000, reason: 'Not done well' },
  })
  expect(await seen()).toEqual([10_000, 0, 10_000, 0, 0, 0, 10_000, 0])
  await own.api.ok(correctionsApi.useCredit, { params: { id: second }, body: { amountCents: 10_000 } })
  expect(await seen()).toEqual([10_000, 10_000, 10_000, 10_000, 0, 0, 10_000, 10_000])
  // the note is taken back: its invoice stands again, and the other one is open
  await own.api.ok(correctionsApi.reversePayment, { params: { id: paymentId ?? '' }, body: { reason: 'Not meant' } })
  expect(await seen()).toEqual([20_000, 10_000, 20_000, 10_000, 10_000, 10_000, 10_000, 0])
  // credit that nothing was paid for takes off the work that it pays
  await own.api.ok(correctionsApi.giveCredit, {
    params: { id: customerId },
    body: { amountCents: 4000, reason: 'A flower bed' },
  })
  await own.api.ok(correctionsApi.useCredit, { params: { id: second }, body: { amountCents: 4000 } })
  expect(await seen()).toEqual([16_000, 10_000, 16_000, 10_000, 10_000, 10_000, 6000, 0])
})

describe('the report as a PDF', () => {
  it('is A4, says what the figures say, and has its name', async () => {
    setClockToNoon()
    const own = await aBusiness({ name: 'Nguyễn & Łukasz Lawns' })
    await finished(own, { day: addDays(today(), -3), priceCents: 12_050 })
    for (const [period, label] of [
      ['week', 'Last 7 Days'],
      ['month', 'Last 30 Days'],
      ['year', 'Last 365 Days'],
    ] as const) {
      const answer = await own.api.call(analyticsApi.pdf, { query: { period } })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/pdf')
      expect(answer.headers['content-disposition']).toContain(`swath-analytics-${today()}.pdf`)
      const pages = await readPdf(answer.bytes)
      const text = pages.flat().join('\n')
      for (const words of [
        'Business Analytics Report',
        'Nguyễn & Łukasz Lawns',
        label,
        'Executive Summary',
        'Key Performance Indicators',
        'Revenue Analysis',
        'Business Overview',
        'Business Insights & Recommendations',
        '$120.50',
      ])
        expect(text).toContain(words)
      for (const [at, page] of pages.entries()) {
        expect(page.join('\n')).toContain(`Page ${at + 1} of ${pages.length}`)
        expect(page.join('\n')).toContain('Generated by Swath Analytics')
      }
    }
    const usual = await own.api.call(analyticsApi.pdf, { query: {} })
    expect((await readPdf(usual.bytes)).flat().join('\n')).toContain('Last 30 Days')
    expect((await own.api.call(analyticsApi.pdf, { query: { period: 'day' as never } })).status).toBe(422)
  })
})

it('tells what a labor hour earned of work that a clock saw: a bare Finish brings money and no time', async () => {
  setClockToNoon()
  const own = await aBusiness()
  const crewId = await aCrew(own)
  const { visitId } = await finished(own, { crewId, priceCents: 6000 })
  await own.db((db) =>
    db
      .updateTable('visits')
      .set({ workedSeconds: 5400, people: 1, plannedDriveSeconds: 0, publishedDriveSeconds: 0 })
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .execute(),
  )
  await finished(own, { crewId, priceCents: 9000 })
  const check = async () => {
    const found = await own.api.ok(analyticsApi.overview, { query: { period: 'week' } })
    expect([found.worthCents.now, found.perLaborHourCents.now, found.drivePercent.now]).toEqual([15_000, 4000, 0])
    expect(found.slices.crew.map((one) => [one.worthCents, one.perLaborHourCents])).toEqual([[15_000, 4000]])
    expect(found.slices.service.map((one) => [one.worthCents, one.perLaborHourCents])).toEqual([[15_000, 4000]])
    const { money } = await own.api.ok(dashboardApi.get, {})
    expect([money?.earnedTodayCents, money?.perLaborHourCents]).toEqual([15_000, 4000])
    for (const narrowed of [{}, { crewId }]) {
      const report = await own.api.ok(reportsApi.run, {
        query: { kind: 'sales', period: 'last_30', columns: 'name,worth,perHour', ...narrowed },
      })
      const at = (name: string) => report.columns.findIndex(({ id }) => id === name)
      expect(report.rows.map(({ cells }) => [cells[at('worth')], cells[at('perHour')]])).toEqual([[15_000, 4000]])
    }
  }
  await check()
  await runTasks()
  await check()
})
