import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, dayOf, formatDay, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { aPaidCrew, approveWeek, clockSpell } from '../../../../test/pay-week.ts'
import { employeesApi } from '../../../employees/contract.ts'
import { wagesApi } from '../../../employees/wages/contract.ts'
import { timeclockApi } from '../../contract.ts'
import { keepLockedWeeks } from '../../server/tasks.ts'
import { sheetsApi } from '../../sheets/contract.ts'
import { payrollApi } from '../contract.ts'

const zone = 'America/New_York'
const week = startOfWeek(addDays(dayOf(Date.now(), zone), -7))
const period = { from: week, to: addDays(week, 6) }
const at = (day: number, minute: number) => instantAt(addDays(week, day), minute, zone)

let business: TestBusiness
let ana: Person
let crewId: string
beforeEach(async () => {
  ;({ business, ana, crewId } = await aPaidCrew())
})

const worked = (person: Person, day: number, from: number, to: number) =>
  clockSpell(business, person, { crewId, startedAt: at(day, from), endedAt: at(day, to) })
const approve = (...people: Person[]) => approveWeek(business, week, people)
const payroll = () => business.api.ok(payrollApi.period, { query: period })
const finished = async (day: number, from: number, to: number) => {
  const { visitId } = await aVisit(business, { crewId, day: addDays(week, day), status: 'completed' })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ startedAt: at(day, from), finishedAt: at(day, to) })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  return visitId
}
const setWage = (from: string, changes: object) =>
  business.api.ok(wagesApi.set, {
    params: { id: ana.userId },
    body: { from, centsPerHour: 2000, pieceCents: null, bonusCents: null, burdenPercent: null, ...changes },
  })
const settings = async (changes: object) => {
  const { stateRule, stateNote, ...now } = await business.api.ok(payrollApi.settings, {})
  return business.api.call(payrollApi.saveSettings, { body: { ...now, ...changes } })
}

describe('a payroll', () => {
  it('has approved time only, and names first what is not approved', async () => {
    const bo = await business.employee({ name: 'Bo' })
    await worked(ana, 0, 420, 900)
    await worked(bo, 0, 420, 900)
    expect(await payroll()).toMatchObject({
      people: [],
      notApproved: [
        { name: 'Ana Reyes', week },
        { name: 'Bo', week },
      ],
    })
    await approve(ana)
    const { people, notApproved } = await payroll()
    expect(people).toMatchObject([
      { name: 'Ana Reyes', regularSeconds: 8 * 3600, grossCents: 16_000, costCents: 17_920 },
    ])
    expect(notApproved.map((one) => one.name)).toEqual(['Bo'])
  })

  it('pays a day by the wage of that day, lawns by who was there, and overtime from all of it', async () => {
    await setWage(addDays(week, 1), { centsPerHour: 2400, bonusCents: 100 })
    await worked(ana, 0, 420, 900)
    await worked(ana, 1, 420, 900)
    await finished(0, 430, 460)
    await finished(1, 430, 460)
    await finished(1, 1000, 1030)
    await approve(ana)
    expect((await payroll()).people[0]).toMatchObject({ lawns: 2, bonusCents: 100, grossCents: 16_000 + 19_200 + 100 })
    // a wage from later on changes nothing of what was worked
    await setWage(addDays(week, 3), { centsPerHour: 9900 })
    expect((await payroll()).people[0]?.grossCents).toBe(35_300)
  })

  it('rounds and counts overtime as it is set, and leaves the record alone', async () => {
    await worked(ana, 0, 428, 900)
    await worked(ana, 1, 420, 1020)
    await approve(ana)
    const before = await business.api.ok(timeclockApi.entries, { query: period })
    expect((await settings({ roundingMinutes: 15, overtime: 'own', dailyHours: 9, doubleHours: null })).status).toBe(
      200,
    )
    expect((await payroll()).people[0]).toMatchObject({ regularSeconds: (7.75 + 9) * 3600, overtimeSeconds: 3600 })
    expect(await business.api.ok(timeclockApi.entries, { query: period })).toEqual(before)
    expect((await settings({ weeklyHours: 48 })).status).toBe(422)
    expect((await settings({ version: 0 })).status).toBe(409)
  })

  it('asks for whole weeks', async () => {
    for (const query of [
      { from: addDays(week, 1), to: period.to },
      { from: week, to: addDays(week, 7) },
      { from: addDays(week, -49), to: period.to },
    ])
      expect((await business.api.call(payrollApi.period, { query })).status).toBe(422)
  })

  it('pays miles in an own car, and takes none into a locked week', async () => {
    await worked(ana, 0, 420, 900)
    await approve(ana)
    const miles = (tenthMiles: number) =>
      business.api.call(payrollApi.setMiles, {
        params: { id: ana.userId },
        body: { day: week, tenthMiles, note: 'Parts' },
      })
    expect((await miles(123)).status).toBe(200)
    expect((await payroll()).people[0]).toMatchObject({ tenthMiles: 123, mileageCents: 861 })
    await business.api.ok(sheetsApi.lock, { body: { week } })
    const late = await miles(200)
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('locked')])
    expect((await payroll()).people[0]?.tenthMiles).toBe(123)
  })

  it('keeps a locked week as it was locked, whatever changes later, until an owner unlocks it', async () => {
    for (const one of [0, 1, 2, 3, 4]) await worked(ana, one, 420, 900)
    const visitId = await finished(0, 430, 460)
    await setWage(week, { bonusCents: 500 })
    await approve(ana)
    const before = await payroll()
    expect(before).toMatchObject({ locked: [], people: [{ grossCents: 80_500, lawns: 1 }] })
    await business.api.ok(sheetsApi.lock, { body: { week } })
    expect(await payroll()).toEqual({ ...before, locked: [week] })
    await settings({ roundingMinutes: 15, overtime: 'own', dailyHours: 4, mileTenthCents: 100 })
    await business.db((db) =>
      db.updateTable('wages').set({ centsPerHour: 1000 }).where('businessId', '=', business.id).execute(),
    )
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'scheduled' })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    expect(await payroll()).toEqual({ ...before, locked: [week] })
    await business.api.ok(sheetsApi.unlock, { body: { week, reason: 'Wrong wage' } })
    expect((await payroll()).people).toMatchObject([{ grossCents: 40_000 + 10_000, lawns: 0 }])
  })

  it('shows a locked sheet by the rule of its day, not by one that was set since', async () => {
    for (const one of [0, 1]) await worked(ana, one, 420, 960)
    await approve(ana)
    await business.api.ok(sheetsApi.lock, { body: { week } })
    const sheet = async () => {
      const { items, rule } = await business.api.ok(sheetsApi.list, { query: { week } })
      const mine = items.find((one) => one.userId === ana.userId)
      return { rule, overtime: mine?.overtimeSeconds, days: mine?.days }
    }
    const before = await sheet()
    expect(before).toMatchObject({ rule: 'over 40 hours a week', overtime: 0 })
    const { stateRule: _, stateNote: __, ...now } = await business.api.ok(payrollApi.settings, {})
    await business.api.ok(payrollApi.saveSettings, { body: { ...now, overtime: 'own', dailyHours: 4 } })
    expect(await sheet()).toEqual(before)
    await business.api.ok(sheetsApi.unlock, { body: { week, reason: 'Another rule' } })
    expect((await sheet()).overtime).toBe(10 * 3600)
  })

  it('puts down the pay of a week that was locked before pay was kept, once, and says since when it stands', async () => {
    await worked(ana, 0, 420, 900)
    await approve(ana)
    await business.api.ok(sheetsApi.lock, { body: { week } })
    const ofOld = { kept: false, rule: null }
    await business.db((db) => db.updateTable('payrollWeeks').set(ofOld).where('businessId', '=', business.id).execute())
    await business.db((db) => db.deleteFrom('payrollLines').where('businessId', '=', business.id).execute())
    expect((await payroll()).keptLater).toEqual([])
    await keepLockedWeeks.run(null)
    const kept = await payroll()
    expect(kept).toMatchObject({ locked: [week], keptLater: [{ week }], people: [{ grossCents: 16_000 }] })
    await business.db((db) =>
      db.updateTable('wages').set({ centsPerHour: 9900 }).where('businessId', '=', business.id).execute(),
    )
    await keepLockedWeeks.run(null)
    expect(await payroll()).toEqual(kept)
  })

  it('takes no wage into a locked week, and says what to do', async () => {
    await worked(ana, 0, 420, 900)
    await approve(ana)
    await business.api.ok(sheetsApi.lock, { body: { week } })
    const wage = { centsPerHour: 1000, pieceCents: null, bonusCents: null, burdenPercent: null }
    for (const from of [addDays(week, -30), week, addDays(week, 6)]) {
      const late = await business.api.call(wagesApi.set, { params: { id: ana.userId }, body: { ...wage, from } })
      expect([late.status, late.error.message]).toEqual([409, expect.stringContaining(formatDay(addDays(week, 7)))])
    }
    const { items } = await business.api.ok(employeesApi.list, { query: {} })
    const version = items.find((one) => one.id === ana.userId)?.version ?? 0
    const change = { version, wageCentsPerHour: 1000, wageFrom: week }
    const changed = await business.api.call(employeesApi.update, { params: { id: ana.userId }, body: change })
    expect([changed.status, changed.error.message]).toEqual([409, expect.stringContaining('keeps its pay')])
    await setWage(addDays(week, 7), { centsPerHour: 1000 })
    expect((await payroll()).people[0]?.grossCents).toBe(16_000)
  })

  it('lays burden and a state’s rule on the days of a wage that begins midweek, and marks the days at the usual one', async () => {
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ state: 'NV', defaultWageCents: 2000 })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const eva = await business.employee({ name: 'Eva' })
    for (const one of [0, 2, 3]) await worked(eva, one, 420, one === 0 ? 900 : 1020)
    await business.api.ok(wagesApi.set, {
      params: { id: eva.userId },
      body: { from: addDays(week, 2), centsPerHour: 3000, pieceCents: null, bonusCents: null, burdenPercent: 0 },
    })
    await approve(eva)
    // Monday 8 h at the usual $20 with 12 % on top, then 20 h at $30 with nothing; nobody here earns under $18, so no day is over its limit
    expect((await payroll()).people).toMatchObject([
      { overtimeSeconds: 0, grossCents: 76_000, costCents: 76_000 + 1920, usualWage: true, rates: [2000, 3000] },
    ])
    const { items } = await business.api.ok(sheetsApi.list, { query: { week } })
    expect(items.find((one) => one.userId === eva.userId)).toMatchObject({ overtimeSeconds: 0 })
  })

  it('is for who may see wages only', async () => {
    const admin = await aPerson(business.id, 'Admin', { permissions: ['team', 'money', 'schedule'] })
    for (const who of [ana, admin]) {
      expect((await who.api.call(payrollApi.period, { query: period })).status).toBe(403)
      expect((await who.api.call(wagesApi.list, { params: { id: ana.userId } })).status).toBe(403)
    }
  })
})

it('knows what labor at a visit cost: who was on the clock there, at the wage and burden of the day', async () => {
  const bo = await business.employee({ name: 'Bo', wageCents: 3000 })
  await setWage(week, { burdenPercent: 0 })
  await worked(ana, 0, 420, 900)
  await worked(bo, 0, 450, 900)
  const visitId = await finished(0, 420, 480)
  expect(await business.api.ok(payrollApi.visitLabor, { params: { visitId } })).toEqual({
    people: [
      { userId: ana.userId, name: 'Ana Reyes', seconds: 3600, costCents: 2000 },
      { userId: bo.userId, name: 'Bo', seconds: 1800, costCents: 1680 },
    ],
    seconds: 5400,
    costCents: 3680,
  })
})
