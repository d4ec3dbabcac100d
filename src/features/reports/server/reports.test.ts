import readWorkbook from 'read-excel-file/node'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resetClock } from '../../../platform/clock.ts'
import { addDays, startOfWeek } from '../../../shared/dates.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { aProduct, aRecord, treatLawns } from '../../../test/chemicals.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, setClockToNoon, today } from '../../../test/field.ts'
import { readPdf } from '../../../test/papers.ts'
import { aPaidCrew, approveWeek, clockSpell } from '../../../test/pay-week.ts'
import { analyticsApi } from '../../analytics/contract.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { recordsApi } from '../../chemicals/records/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { exportsApi } from '../../invoices/exports/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { payrollApi } from '../../timeclock/payroll/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { type Report, type ReportSettings, reportsApi } from '../contract.ts'
import type { ReportKind } from '../rules.ts'

let worked: Awaited<ReturnType<typeof aWorkedWeek>>
beforeAll(async () => {
  worked = await aWorkedWeek()
}, 120_000)
beforeEach(setClockToNoon)
afterEach(resetClock)

const run = (api: Api, kind: ReportKind, settings: ReportSettings & { limit?: number } = {}) =>
  api.ok(reportsApi.run, { query: { kind, ...settings } })

/** A column of a report by its id. */
const column = (report: Report, id: string) => {
  const at = report.columns.findIndex((one) => one.id === id)
  expect(at).toBeGreaterThanOrEqual(0)
  return { cells: report.rows.map(({ cells }) => cells[at] ?? null), total: report.total?.[at] ?? null }
}
const sum = (cells: readonly unknown[]): number => cells.reduce<number>((all, one) => all + Number(one ?? 0), 0)

const finish = async (own: TestBusiness, changes: Parameters<typeof aVisit>[1]) => {
  const visit = await aVisit(own, changes)
  await own.api.ok(visitsApi.finish, { params: { visitId: visit.visitId }, body: {} })
  return visit
}
const billAll = async (own: TestBusiness) => {
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
}
const pay = async (own: TestBusiness, customerId: string, amountCents: number, receivedOn = today()) => {
  const { items } = await own.api.ok(invoicesApi.list, { query: {} })
  const invoice = items.find(({ customer }) => customer.id === customerId)
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id: invoice?.id ?? '' },
    body: { method: 'check', amountCents, receivedOn },
  })
}

/** Two crews with finished, skipped and partly paid work of the last days. */
const aWorkedWeek = async () => {
  setClockToNoon()
  const own = await aBusiness()
  const [north, south] = [await aCrew(own, { name: 'North' }), await aCrew(own, { name: 'South' })]
  const ann = await finish(own, { day: addDays(today(), -3), crewId: north, priceCents: 12_050, customer: 'Ann' })
  await finish(own, { day: addDays(today(), -3), crewId: north, priceCents: 4000, customer: '=Bob+1' })
  await finish(own, { day: addDays(today(), -2), crewId: south, priceCents: 5001, customer: 'Cem' })
  await finish(own, { day: addDays(today(), -40), crewId: south, priceCents: 7000, customer: 'Old' })
  await billAll(own)
  await pay(own, ann.customerId, 10_000)
  for (const [crewId, reason, customer] of [
    [north, 'locked_gate', 'Dee'],
    [north, 'too_wet', 'Eve'],
    [south, 'locked_gate', 'Fay'],
  ] as const) {
    const { visitId } = await aVisit(own, { day: addDays(today(), -2), crewId, customer })
    await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason } })
  }
  return { own, north, south, ann }
}

describe('the numbers of reports', () => {
  it('of sales are those of analytics to the cent, whatever they are told apart by, and open the visits that they are made of', async () => {
    const { own, north } = worked
    for (const [period, of] of [
      ['last_7', 'week'],
      ['last_30', 'month'],
      ['last_365', 'year'],
    ] as const) {
      const told = await own.api.ok(analyticsApi.overview, { query: { period: of } })
      for (const by of ['service', 'crew', 'city', 'source'] as const) {
        const report = await run(own.api, 'sales', { period, by })
        const [worth, captured, visits] = ['worth', 'captured', 'visits'].map((id) => column(report, id))
        expect([worth?.total, captured?.total, visits?.total]).toEqual([
          told.worthCents.now,
          told.capturedCents.now,
          told.completions.now,
        ])
        expect([sum(worth?.cells ?? []), sum(captured?.cells ?? [])]).toEqual([worth?.total, captured?.total])
        expect(worth?.cells).toEqual(told.slices[by]?.map(({ worthCents }) => worthCents))
      }
    }
    const crews = await run(own.api, 'sales', { period: 'last_7', by: 'crew' })
    expect(crews.rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
      ['North', 2, 16_050, 10_000],
      ['South', 1, 5001, 0],
    ])
    // of one crew it is counted from its visits, and says the same
    const ofNorth = await run(own.api, 'sales', { period: 'last_7', crewId: north })
    expect(column(ofNorth, 'worth')).toEqual({ cells: [16_050], total: 16_050 })
    expect(column(ofNorth, 'captured')).toEqual({ cells: [10_000], total: 10_000 })
    const { from, to, rows } = crews
    const { items } = await own.api.ok(analyticsApi.visits, {
      query: { from, to, kind: 'crew', key: rows[0]?.key ?? '' },
    })
    expect(sum(items.map(({ worthCents }) => worthCents))).toBe(16_050)
  })

  it('of routes have the drive share of analytics, and add up over crews, days and both', async () => {
    const { own, north } = worked
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({
          plannedDriveSeconds: 600,
          workedSeconds: 1800,
          people: 2,
          enRouteAt: '2026-06-01T12:00:00Z',
          startedAt: '2026-06-01T12:15:00Z',
        })
        .where('businessId', '=', own.id)
        .where('status', '=', 'completed')
        .execute(),
    )
    const told = await own.api.ok(analyticsApi.overview, { query: { period: 'week' } })
    for (const by of ['crew', 'day', 'route'] as const) {
      const report = await run(own.api, 'routes', { period: 'last_7', by })
      expect(column(report, 'driveShare').total).toBe(told.drivePercent.now)
      for (const id of ['stops', 'plannedDrive', 'driven', 'driveDifference', 'worked', 'plannedWork']) {
        const { cells, total } = column(report, id)
        expect([id, sum(cells)]).toEqual([id, total])
      }
    }
    const [first] = (await run(own.api, 'routes', { period: 'last_7', by: 'crew' })).rows
    // two stops finished and two skipped; ten minutes planned and fifteen driven to each, half an hour there for two people
    expect([first?.key, first?.narrow]).toEqual([north, { by: 'route', crewId: north }])
    const own1 = await run(own.api, 'routes', { period: 'last_7', by: 'crew', crewId: north })
    expect(
      ['stops', 'plannedDrive', 'driven', 'driveDifference', 'worked', 'stopsPerHour'].map(
        (id) => column(own1, id).total,
      ),
    ).toEqual([4, 1200, 1800, 600, 7200, 1.3])
  })

  it('of skips are the skipped stops of analytics, by reason, crew and customer, down to each visit', async () => {
    const { own, north } = worked
    const { items } = await own.api.ok(analyticsApi.visits, { query: { period: 'week', show: 'skipped' } })
    for (const by of ['reason', 'crew', 'customer'] as const) {
      const report = await run(own.api, 'skips', { period: 'last_7', by })
      expect([sum(column(report, 'skips').cells), column(report, 'skips').total]).toEqual([items.length, items.length])
    }
    const reasons = await run(own.api, 'skips', { period: 'last_7', by: 'reason' })
    expect(column(reasons, 'skips').cells).toEqual([2, 1])
    expect(reasons.rows[0]?.narrow).toEqual({ by: 'visit', reason: 'locked_gate' })
    const each = await run(own.api, 'skips', { period: 'last_7', by: 'visit', reason: 'locked_gate' })
    expect([each.count, column(each, 'customer').cells.sort()]).toEqual([2, ['Dee', 'Fay']])
    const ofCrew = await run(own.api, 'skips', { period: 'last_7', by: 'visit', crewId: north })
    expect(column(ofCrew, 'customer').cells.sort()).toEqual(['Dee', 'Eve'])
  })

  it('of aging are the list’s ages today, and what was open on an earlier day', async () => {
    const { own, ann } = worked
    const due = addDays(today(), -20)
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ issueOn: addDays(today(), -34), dueOn: due })
        .where('businessId', '=', own.id)
        .where('customerId', '=', ann.customerId)
        .execute(),
    )
    const { aging } = await own.api.ok(invoicesApi.list, { query: {} })
    for (const by of ['customer', 'invoice'] as const) {
      const now = await run(own.api, 'aging', { by })
      for (const [age, cents] of Object.entries(aging)) {
        expect([age, column(now, age).total ?? 0, sum(column(now, age).cells)]).toEqual([age, cents, cents])
      }
    }
    expect((await run(own.api, 'aging', {})).rows.map(({ cells }) => cells[0])).toContain('Ann')
    // the payment came today: yesterday all of it was open, and it was late by 19 days
    const before = await run(own.api, 'aging', { by: 'invoice', period: 'custom', to: addDays(today(), -1) })
    expect(before.rows.map(({ cells }) => [cells[0], cells[4], cells.at(-1)])).toEqual([['Ann', 19, 12_050]])
    // what is paid in full by now was open then
    await pay(own, ann.customerId, 2050)
    expect(column(await run(own.api, 'aging', { period: 'custom', to: addDays(today(), -1) }), 'total').total).toBe(
      12_050,
    )
    expect((await run(own.api, 'aging')).rows.map(({ cells }) => cells[0])).not.toContain('Ann')
    expect((await run(own.api, 'aging', { period: 'custom', to: addDays(today(), -35) })).count).toBe(0)
  })

  it('of sales tax are those of the accountant’s file, with what of it was collected', async () => {
    setClockToNoon()
    const own = await aBusiness()
    await own.api.ok(businessesApi.addTaxRate, {
      body: { name: 'Georgia', ratePercent: 7, taxCategory: 'lawn', state: 'GA' },
    })
    await own.db((db) =>
      db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute(),
    )
    const ann = await aVisit(own, { status: 'completed', priceCents: 10_001, customer: 'Ann' })
    await own.db((db) =>
      db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute(),
    )
    await aVisit(own, { status: 'completed', priceCents: 20_000, customer: 'Bob' })
    await billAll(own)
    const report = await run(own.api, 'tax', { period: 'this_month' })
    expect(report.rows.map(({ cells }) => cells.slice(0, 4))).toEqual([['Georgia', 'GA', 7, 30_001]])
    const file = await own.api.raw({
      method: 'GET',
      url: `${exportsApi.csv.path}?kind=tax&from=${report.from}&to=${report.to}`,
    })
    const together = file.text.split('\r\n').find((line) => line.startsWith('Together'))
    expect(together?.endsWith(`,${(Number(column(report, 'invoiced').total) / 100).toFixed(2)}`)).toBe(true)
    expect(column(report, 'collected').total).toBe(0)
    // in three payments, to the cent of the tax
    const total = 10_001 + 700
    for (const cents of [3333, 3333, total - 6666]) await pay(own, ann.customerId, cents)
    expect(column(await run(own.api, 'tax', { period: 'this_month' }), 'collected').total).toBe(700)
    expect((await run(own.api, 'tax', { period: 'this_month', state: 'OH' })).count).toBe(0)
  })

  it('of payroll are those of the payroll, by person and by week, and say what is not approved', async () => {
    setClockToNoon()
    const { business: own, ana, crewId } = await aPaidCrew()
    const week = addDays(startOfWeek(today()), -14)
    for (const [from, at] of [
      [week, 0],
      [week, 1],
      [addDays(week, 7), 0],
    ] as const) {
      const day = addDays(from, at)
      await clockSpell(own, ana, { crewId, startedAt: `${day}T12:00:00Z`, endedAt: `${day}T20:30:00Z` })
    }
    await approveWeek(own, week, [ana])
    const span = { period: 'custom' as const, from: week, to: addDays(week, 13) }
    const paid = await own.api.ok(payrollApi.period, { query: { from: week, to: addDays(week, 13) } })
    for (const by of ['person', 'week'] as const) {
      const report = await run(own.api, 'payroll', { ...span, by })
      expect(column(report, 'gross').total).toBe(sum(paid.people.map(({ grossCents }) => grossCents)))
      expect(column(report, 'regular').total).toBe(sum(paid.people.map(({ regularSeconds }) => regularSeconds)))
      expect(report.notes.join(' ')).toContain('One week is not approved yet and not in it: Ana Reyes.')
    }
    expect((await run(own.api, 'payroll', { ...span, personId: own.owner.userId })).count).toBe(0)
  })

  it('of chemicals are every field of the log, as its own file has them', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const { visitId } = await finish(own, { customer: 'Ann' })
    await treatLawns(own)
    const product = await aProduct(own.api, { licenseSkill: '' })
    await own.api.ok(recordsApi.add, { params: { visitId }, body: aRecord(product.id, own.owner.userId) })
    const all = await run(own.api, 'chemicals', { period: 'last_30', columns: 'day,record,product,amount,target' })
    expect(all.rows[0]?.cells.slice(2)).toEqual(['Trimec Classic', 12, 'Dollarweed'])
    expect(all.rows[0]?.visitId).toBe(visitId)
    const { from, to } = all
    const theirs = await own.api.raw({ method: 'GET', url: `${recordsApi.csv.path}?from=${from}&to=${to}` })
    const heads = (theirs.text.replace('\uFEFF', '').split('\r\n')[0] ?? '').match(/"[^"]*"|[^,]+/g)
    expect(heads).toHaveLength(47)
    expect(theirs.text).toContain('Trimec Classic,2217-543,Liquid concentrate')
    expect((await run(own.api, 'chemicals', { state: 'OH' })).count).toBe(0)
  })

  it('of renewals are seasons that end in these days and have no next one', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const soon = await aVisit(own, { customer: 'Ann' })
    const later = await aVisit(own, { customer: 'Bob' })
    await own.db(async (db) => {
      for (const [jobId, endOn] of [
        [soon.jobId, addDays(today(), 20)],
        [later.jobId, addDays(today(), 80)],
      ] as const) {
        await db
          .updateTable('jobs')
          .set({ endOn, startOn: addDays(today(), -90) })
          .where('id', '=', jobId)
          .execute()
        await db
          .updateTable('jobLines')
          .set({ onceOn: null, recurrence: JSON.stringify({ freq: 'weekly', every: 1, weekdays: [1] }) })
          .where('jobId', '=', jobId)
          .execute()
      }
    })
    const next = await run(own.api, 'renewals', { period: 'next_30' })
    expect(next.rows.map(({ cells }) => cells.slice(0, 2))).toEqual([[addDays(today(), 20), 'Ann']])
    expect(column(next, 'state').cells).toEqual(['Nobody began it'])
    expect(column(await run(own.api, 'renewals', { period: 'next_90' }), 'perVisit').total).toBe(11_000)
  })
})

describe('who may have a report', () => {
  it('is who may open what it is made of; money is left out for who does not see it', async () => {
    const { own } = worked
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const keeper = await aPerson(own.id, 'Admin', { permissions: ['payroll'] })
    const employee = await own.employee()
    const status = async (api: Api, kind: ReportKind) => (await api.call(reportsApi.run, { query: { kind } })).status
    const all = ['sales', 'routes', 'skips', 'chemicals', 'aging', 'payroll', 'tax', 'renewals'] as const
    const statuses = async (api: Api) => Promise.all(all.map((kind) => status(api, kind)))
    expect(await statuses(own.api)).toEqual(all.map(() => 200))
    expect(await statuses(employee.api)).toEqual(all.map(() => 403))
    expect(await statuses(dispatcher.api)).toEqual([403, 200, 200, 200, 403, 403, 403, 403])
    expect(await statuses(keeper.api)).toEqual([403, 403, 403, 403, 403, 200, 403, 403])
    const refused = await dispatcher.api.call(reportsApi.run, { query: { kind: 'sales' } })
    expect(refused.error.message).toBe('The report “Sales by service” needs the permission for money. Ask the owner.')
    // asked for by name, too
    const skips = await run(dispatcher.api, 'skips', { columns: 'name,skips,charge' })
    expect(skips.columns.map(({ id }) => id)).toEqual(['name', 'skips'])
    for (const format of ['csv', 'xlsx', 'pdf'])
      expect(
        (await dispatcher.api.raw({ method: 'GET', url: `${reportsApi.file.path}?kind=tax&format=${format}` })).status,
      ).toBe(403)
    const lapsed = await aBusiness({ tier: null, status: 'none' })
    expect(await status(lapsed.api, 'skips')).toBe(402)
    const other = await aBusiness()
    expect((await run(other.api, 'sales', { period: 'last_365' })).count).toBe(0)
  })

  it('bad input is refused in words and longer than 13 months is never read', async () => {
    const own = await aBusiness()
    const asked = async (query: Record<string, string>) => {
      const url = `${reportsApi.run.path}?${new URLSearchParams(query)}`
      const { status, error } = await own.api.raw({ method: 'GET', url })
      return [status, error.errors?.[0]?.message ?? error.message]
    }
    const days = { kind: 'sales', period: 'custom' }
    expect(await asked({ ...days, from: '2025-01-01', to: '2026-02-01' })).toEqual([
      422,
      'A report holds 13 months at most. Choose a shorter period.',
    ])
    expect(await asked({ ...days, from: '2025-01-01', to: '2026-01-31' })).toEqual([200, undefined])
    expect(await asked({ ...days, from: '2026-02-02', to: '2026-02-01' })).toEqual([422, 'It ends before it begins.'])
    expect(await asked({ kind: 'aging', period: 'custom', to: addDays(today(), 1) })).toEqual([
      422,
      'That day is still to come. Choose today or an earlier day.',
    ])
    expect((await asked({ kind: 'nonsense' }))[0]).toBe(422)
    expect(await asked({ ...days, from: 'yesterday' })).toEqual([422, 'Use a day like 2026-06-12.'])
    const url = `${analyticsApi.visits.path}?from=2025-01-01&to=2026-02-01`
    expect((await own.api.raw({ method: 'GET', url })).status).toBe(422)
  })
})

describe('a report as a file', () => {
  it('runs no text as a formula, keeps numbers as numbers, and has the columns in the order that was chosen', async () => {
    const { own } = worked
    const query = `kind=aging&columns=total,customer,not_due&name=${encodeURIComponent('Who owes / what?')}`
    const file = (format: string) =>
      own.api.raw({ method: 'GET', url: `${reportsApi.file.path}?${query}&format=${format}` })
    const csv = await file('csv')
    expect(csv.headers['content-disposition']).toBe(`attachment; filename="who-owes-what-${today()}.csv"`)
    const lines = csv.text.replace('\uFEFF', '').split('\r\n')
    expect(lines[0]).toBe('Open,Customer,Not due')
    expect(lines.find((line) => line.includes('Bob'))).toMatch(/^40,'=Bob\+1,40$/)
    const xlsx = await file('xlsx')
    expect(xlsx.headers['content-type']).toContain('spreadsheetml')
    const sheet = await readWorkbook((xlsx as unknown as { bytes: Buffer }).bytes)
    const rows = (
      Array.isArray(sheet) && 'data' in (sheet[0] as object) ? (sheet[0] as { data: unknown[][] }).data : sheet
    ) as unknown[][]
    expect(rows.find((row) => row.includes('Open'))).toEqual(['Open', 'Customer', 'Not due'])
    expect(rows.find((row) => row[1] === '=Bob+1')).toEqual([40, '=Bob+1', 40])
    const pdf = await file('pdf')
    const text = (await readPdf((pdf as unknown as { bytes: Buffer }).bytes)).flat().join('\n')
    for (const words of ['Who owes / what?', 'Aging · As of', 'Page 1 of 1', '$40.00', 'Cem'])
      expect(text).toContain(words)
  })
})
