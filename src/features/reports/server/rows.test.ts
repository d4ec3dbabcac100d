import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { addDays, startOfWeek } from '../../../shared/dates.ts'
import type { Api } from '../../../test/api.ts'
import { aProduct, aRecord, treatLawns } from '../../../test/chemicals.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aCrew, aLawn, aVisit, everyDay, setClockToNoon, today } from '../../../test/field.ts'
import { aPaidCrew, approveWeek, clockSpell } from '../../../test/pay-week.ts'
import { analyticsApi } from '../../analytics/contract.ts'
import { recordsApi } from '../../chemicals/records/contract.ts'
import { programsApi } from '../../jobs/programs/contract.ts'
import { sixRounds } from '../../jobs/programs/rules.ts'
import { servicesApi } from '../../services/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { type Report, type ReportSettings, reportsApi } from '../contract.ts'
import type { ReportKind } from '../rules.ts'

beforeEach(setClockToNoon)
afterEach(resetClock)

const run = (api: Api, kind: ReportKind, settings: ReportSettings = {}) =>
  api.ok(reportsApi.run, { query: { kind, ...settings } })
const column = (report: Report, id: string) => {
  const at = report.columns.findIndex((one) => one.id === id)
  expect(at).toBeGreaterThanOrEqual(0)
  return { cells: report.rows.map(({ cells }) => cells[at] ?? null), total: report.total?.[at] ?? null }
}

describe('a row of a report', () => {
  it('of one crew’s sales opens the visits of that crew alone', async () => {
    const own = await aBusiness()
    const [north, south] = [await aCrew(own, { name: 'North' }), await aCrew(own, { name: 'South' })]
    for (const [crewId, customer] of [
      [north, 'Ann'],
      [south, 'Bob'],
    ] as const) {
      const { visitId } = await aVisit(own, { crewId, customer, day: addDays(today(), -1) })
      await own.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
    }
    const report = await run(own.api, 'sales', { period: 'last_7', crewId: north })
    expect(column(report, 'visits').total).toBe(1)
    const query = { from: report.from, to: report.to, kind: 'service' as const, key: report.rows[0]?.key ?? '' }
    const { items } = await own.api.ok(analyticsApi.visits, { query: { ...query, crewId: north } })
    expect(items.map(({ customer }) => customer)).toEqual(['Ann'])
    expect((await own.api.ok(analyticsApi.visits, { query })).items).toHaveLength(2)
  })

  it('of stops without a crew opens these alone', async () => {
    const own = await aBusiness()
    const north = await aCrew(own, { name: 'North' })
    for (const [crewId, customer] of [
      [north, 'Ann'],
      [null, 'Bob'],
    ] as const) {
      const { visitId } = await aVisit(own, { crewId, customer, day: addDays(today(), -1) })
      await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'locked_gate' } as never })
    }
    const report = await run(own.api, 'skips', { period: 'last_7', by: 'crew' })
    const row = report.rows.find(({ key }) => key === 'none')
    expect([row?.cells[0], row?.narrow]).toEqual(['Without a crew', { by: 'visit', crewId: 'none' }])
    const opened = await run(own.api, 'skips', { period: 'last_7', by: 'visit', crewId: 'none' })
    expect(column(opened, 'customer').cells).toEqual(['Bob'])
    // The other reports of a crew know of it, too.
    for (const kind of ['sales', 'routes', 'renewals'] as const)
      expect((await run(own.api, kind, { crewId: 'none' })).rows).toEqual([])
  })

  it('of routes compares planned with worked minutes where work was clocked, and says at how many stops', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own, { name: 'North' })
    const clocked = { status: 'completed' as const, crewId, day: today(), budgetMinutes: 60 }
    const [first] = [await aVisit(own, clocked), await aVisit(own, clocked), await aVisit(own, clocked)]
    await own.db((db) =>
      db.updateTable('visits').set({ workedSeconds: 7200 }).where('id', '=', first.visitId).execute(),
    )
    const report = await run(own.api, 'routes', { period: 'last_7' })
    expect(
      ['stops', 'plannedWork', 'worked', 'efficiency', 'stopsPerHour'].map((id) => column(report, id).total),
    ).toEqual([3, 3600, 7200, 50, 0.5])
    expect(report.notes.join(' ')).toContain('Work was clocked at 1 of 3 finished stops.')
  })

  it('of payroll is of the period in which its week ends, and of no other one', async () => {
    const { business: own, ana, crewId } = await aPaidCrew()
    const week = addDays(startOfWeek(today()), -14)
    await clockSpell(own, ana, { crewId, startedAt: `${week}T12:00:00Z`, endedAt: `${week}T20:00:00Z` })
    await approveWeek(own, week, [ana])
    const hours = async (from: string, to: string) =>
      column(await run(own.api, 'payroll', { period: 'custom', from, to }), 'regular').total
    const middle = addDays(week, 3)
    // two periods beside each other that part the week
    expect(await hours(addDays(week, -10), middle)).toBeNull()
    expect(await hours(addDays(middle, 1), addDays(week, 13))).toBe(28_800)
    expect(await hours(week, addDays(week, 6))).toBe(28_800)
    expect(await hours(week, addDays(week, 1))).toBeNull()
  })

  it('of chemicals of one product has no other product of its mix', async () => {
    const own = await aBusiness()
    const { visitId } = await aVisit(own, { customer: 'Ann' })
    await own.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
    await treatLawns(own)
    const product = await aProduct(own.api, { licenseSkill: '' })
    const other = await aProduct(own.api, { licenseSkill: '', name: 'Sticker', epaNumber: '2217-999' })
    const products = [product, other].map(({ id }) => ({ productId: id, rate: 1.5, amount: 12 }))
    await own.api.ok(recordsApi.add, {
      params: { visitId },
      body: aRecord(product.id, own.owner.userId, { products }),
    })
    const settings = { period: 'last_30' as const, columns: 'day,product' }
    expect(column(await run(own.api, 'chemicals', settings), 'product').cells.sort()).toEqual([
      'Sticker',
      'Trimec Classic',
    ])
    const one = await run(own.api, 'chemicals', { ...settings, productId: other.id })
    expect([column(one, 'product').cells, one.count]).toEqual([['Sticker'], 1])
  })

  it('of renewals says that a season renews by itself only where it will', async () => {
    setClock(() => new Date('2026-12-10T15:00:00Z'))
    const own = await aBusiness({ workDays: everyDay })
    const { items } = await own.api.ok(servicesApi.addDefaults, {})
    const serviceId = items.find(({ code }) => code === 'fert-weed')?.id ?? ''
    const steps = sixRounds.map((step) => ({ ...step, serviceId }))
    const put = async (name: string, squareFeet: number | null) => {
      const program = await own.api.ok(programsApi.create, { body: { name, steps, renews: true } })
      const { propertyId } = await aLawn(own, { customer: name })
      const measure = (lawnSquareFeet: number | null) =>
        own.db((db) => db.updateTable('properties').set({ lawnSquareFeet }).where('id', '=', propertyId).execute())
      await measure(9000)
      await own.api.ok(programsApi.putOn, { params: { id: program.id }, body: { propertyId, year: 2026 } })
      await measure(squareFeet)
      return { program, propertyId }
    }
    await put('Good', 9000)
    await put('Not measured', null)
    const over = await put('Over', 9000)
    const gone = await put('Moved away', 9000)
    await own.db(async (db) => {
      const archivedAt = clock.iso()
      await db.updateTable('programs').set({ archivedAt }).where('id', '=', over.program.id).execute()
      await db.updateTable('properties').set({ archivedAt }).where('id', '=', gone.propertyId).execute()
    })
    const report = await run(own.api, 'renewals', { period: 'next_60' })
    const states = Object.fromEntries(
      column(report, 'customer').cells.map((name, at) => [String(name), String(column(report, 'state').cells[at])]),
    )
    expect(states).toEqual({
      Good: 'Renews by itself',
      'Not measured': expect.stringMatching(/^Will not renew by itself: The property has /),
      Over: 'Will not renew by itself: The program is archived. Restore it, and the job renews.',
    })
  })
})
