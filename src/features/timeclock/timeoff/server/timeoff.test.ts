import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { aPaidCrew, approveWeek, clockSpell } from '../../../../test/pay-week.ts'
import { calendarEventsApi } from '../../../calendar/events/contract.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { wagesApi } from '../../../employees/wages/contract.ts'
import { mealsApi } from '../../meals/contract.ts'
import { payfilesApi } from '../../payfiles/contract.ts'
import { payrollApi } from '../../payroll/contract.ts'
import { sheetsApi } from '../../sheets/contract.ts'

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

const worked = (day: number, from: number, to: number) =>
  clockSpell(business, ana, { crewId, startedAt: at(day, from), endedAt: at(day, to) })
const approve = () => approveWeek(business, week, [ana])
const person = async () => (await business.api.ok(payrollApi.period, { query: period })).people[0]
const sheet = () => business.api.ok(sheetsApi.get, { params: { id: ana.userId }, query: { week } })
const off = (first: number, last: number, more: object = {}) => ({
  kind: 'time_off' as const,
  title: 'Ana off',
  firstDay: addDays(week, first),
  lastDay: addDays(week, last),
  userId: ana.userId,
  payKind: 'vacation' as const,
  paidMinutes: 480,
  ...more,
})
const add = (body: ReturnType<typeof off>) => business.api.call(calendarEventsApi.create, { body })

describe('paid time off', () => {
  it('a day is paid once, however often it was put in: a sick day inside a vacation, a vacation twice', async () => {
    expect((await add(off(0, 4))).status).toBe(200)
    expect((await add(off(3, 6))).status).toBe(200)
    expect((await add(off(2, 2, { payKind: 'sick' }))).status).toBe(200)
    expect(await sheet()).toMatchObject({
      days: [
        {},
        {},
        { paidOff: [{ kind: 'sick', seconds: 28_800 }] },
        { paidOff: [{ kind: 'vacation', seconds: 28_800 }] },
        {},
        {},
        {},
      ],
    })
  })

  it('stands on the sheet and in the pay for its working days, never toward overtime, and unpaid time off does not', async () => {
    for (const day of [0, 1, 2, 3]) await worked(day, 420, 1020)
    expect((await add(off(5, 6))).status).toBe(200)
    expect((await add(off(3, 3, { payKind: 'sick', paidMinutes: null }))).status).toBe(200)
    expect(await sheet()).toMatchObject({
      offSeconds: 8 * 3600,
      paidSeconds: 40 * 3600,
      overtimeSeconds: 0,
      days: [{}, {}, {}, { paidOff: [] }, {}, { paidOff: [{ kind: 'vacation', seconds: 28_800 }] }, { paidOff: [] }],
    })
    await approve()
    expect(await person()).toMatchObject({
      regularSeconds: 40 * 3600,
      overtimeSeconds: 0,
      offSeconds: 8 * 3600,
      offCents: 16_000,
      grossCents: 96_000,
    })
    const file = await business.api.ok(payfilesApi.make, { body: { ...period, preset: 'quickbooks' } })
    const text = await business.db((db) =>
      db
        .selectFrom('payrollFiles')
        .select('content')
        .where('businessId', '=', business.id)
        .where('id', '=', file.id)
        .executeTakeFirstOrThrow(),
    )
    expect(text.content).toContain('Ana Reyes')
    expect(text.content).toMatch(/Vacation,8\.00,20\.00,160\.00/)
  })

  it('changed in an approved week opens it, in a locked one is refused, and is set by who runs the payroll', async () => {
    await worked(0, 420, 900)
    await approve()
    const made = await add(off(2, 2))
    expect([made.status, (await sheet()).status]).toEqual([200, 'open'])
    expect((await sheet()).changes[0]).toMatchObject({ action: 'reopened' })
    const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await clerk.api.call(calendarEventsApi.create, { body: off(3, 3) })).status).toBe(403)
    const unpaid = await clerk.api.call(calendarEventsApi.create, { body: off(3, 3, { paidMinutes: null }) })
    expect(unpaid.status).toBe(200)
    await approve()
    await business.api.ok(sheetsApi.lock, { body: { week } })
    const late = await add(off(4, 4))
    expect([late.status, late.error.message.slice(0, 33)]).toEqual([409, 'Payroll has been run for the week'])
    expect((await person())?.offCents).toBe(16_000)
    const { id, version } = made.body
    expect((await business.api.call(calendarEventsApi.remove, { params: { id }, body: { version } })).status).toBe(409)
  })

  it('of a person who did not work at all is in the payroll too', async () => {
    await add(off(0, 4))
    expect(await person()).toMatchObject({ regularSeconds: 0, offSeconds: 40 * 3600, grossCents: 80_000 })
  })
})

describe('the meal that a state owes', () => {
  const inState = (state: string) =>
    business.db((db) => db.updateTable('businesses').set({ state }).where('businessId', '=', business.id).execute())
  const premium = (day: number, owed: boolean, who: Person | TestBusiness = business) =>
    who.api.call(mealsApi.premium, { params: { id: ana.userId }, body: { day: addDays(week, day), owed } })
  const kinds = async () => (await sheet()).exceptions.map(({ kind }) => kind)

  it('is flagged in California, its hour is a line of pay once the office says so, and nothing of it exists in Georgia', async () => {
    await worked(0, 420, 900)
    expect(await kinds()).toEqual(['no_break'])
    expect((await premium(0, true)).status).toBe(409)
    await inState('CA')
    expect(await kinds()).toEqual(['meal_missing'])
    await approve()
    expect((await person())?.grossCents).toBe(16_000)
    const said = await premium(0, true)
    expect([said.status, said.body.status, said.body.days[0]?.mealPremium]).toEqual([200, 'open', true])
    await approve()
    expect(await person()).toMatchObject({ mealCents: 2000, grossCents: 18_000, regularSeconds: 8 * 3600 })
    expect((await premium(0, true)).status).toBe(200)
    await approve()
    expect((await person())?.mealCents).toBe(2000)
    await premium(0, false)
    await approve()
    expect((await person())?.mealCents).toBe(0)
    await business.api.ok(sheetsApi.lock, { body: { week } })
    expect((await premium(0, true)).status).toBe(409)
    const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await premium(0, true, clerk)).status).toBe(403)
  })
})

describe('a lawn that is told late', () => {
  it('opens the approved week of who is paid by the lawn, and only of them', async () => {
    const bo = await business.employee({ name: 'Bo' })
    await business.api.ok(wagesApi.set, {
      params: { id: ana.userId },
      body: { from: week, centsPerHour: 2000, pieceCents: null, bonusCents: 500, burdenPercent: null },
    })
    await worked(1, 420, 900)
    await clockSpell(business, bo, { crewId, startedAt: at(1, 420), endedAt: at(1, 900) })
    const { visitId } = await aVisit(business, { crewId, day: addDays(week, 1) })
    await approveWeek(business, week, [ana, bo])
    expect((await person())?.bonusCents).toBe(0)
    const taps = (['start', 'finish'] as const).map((type, index) => ({
      id: newId(),
      type,
      visitId,
      at: at(1, 500 + 30 * index),
      payload: {},
    }))
    await ana.api.ok(crewappApi.commands, { body: { commands: taps } })
    await runTasks()
    const { items } = await business.api.ok(sheetsApi.list, { query: { week } })
    expect(Object.fromEntries(items.map(({ name, status }) => [name, status]))).toMatchObject({
      'Ana Reyes': 'open',
      Bo: 'approved',
    })
    expect((await sheet()).reason).toContain('paid by the lawn')
    await approve()
    expect((await person())?.bonusCents).toBe(500)
  })
})
