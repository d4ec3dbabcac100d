import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit } from '../../../../test/field.ts'
import { wagesApi } from '../../../employees/wages/contract.ts'
import { timeclockApi } from '../../contract.ts'
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
  business = await aBusiness()
  ana = await business.employee({ name: 'Ana Reyes', wageCents: 2000 })
  crewId = await aCrew(business, { members: [ana] })
})

const worked = (person: Person, day: number, from: number, to: number) =>
  business.db((db) =>
    db
      .insertInto('timeEntries')
      .values({
        businessId: business.id,
        id: newId(),
        userId: person.userId,
        crewId,
        kind: 'work',
        startedAt: at(day, from),
        endedAt: at(day, to),
      })
      .execute(),
  )
const approve = async (...people: Person[]) => {
  const { items } = await business.api.ok(sheetsApi.list, { query: { week } })
  const wanted = items.filter((one) => people.some((person) => person.userId === one.userId))
  await business.api.ok(sheetsApi.approve, {
    body: { week, items: wanted.map(({ userId, version }) => ({ userId, version })) },
  })
}
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
    const file = await business.api.call(payrollApi.csv, { query: { ...period, preset: 'plain' } })
    expect(file.text).toContain('Ana Reyes,,')
    expect(file.text).not.toContain('Bo')
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

  it('asks for whole weeks, and for what a provider needs before it writes', async () => {
    for (const query of [
      { from: addDays(week, 1), to: period.to },
      { from: week, to: addDays(week, 7) },
      { from: addDays(week, -49), to: period.to },
    ])
      expect((await business.api.call(payrollApi.period, { query })).status).toBe(422)
    await worked(ana, 0, 420, 900)
    await approve(ana)
    const adp = () => business.api.call(payrollApi.csv, { query: { ...period, preset: 'adp' } })
    expect((await adp()).error.message).toContain('Ana Reyes')
    await business.api.ok(payrollApi.setNumber, { params: { id: ana.userId }, body: { number: '00417' } })
    expect((await adp()).error.message).toContain('company code')
    await settings({ companyCode: 'X7K' })
    expect((await adp()).text).toContain('X7K,')
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
