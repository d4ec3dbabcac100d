import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, today } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { expensesApi } from '../../expenses/contract.ts'
import { equipmentApi } from '../contract.ts'

let business: TestBusiness
let crewId: string
const now = today()

beforeEach(async () => {
  business = await aBusiness()
  crewId = await aCrew(business, { name: 'North' })
})

const add = (more: object = {}) =>
  business.api.ok(equipmentApi.create, {
    body: { kind: 'mower', name: 'Mower 3', meter: 'hours', crewId, tenths: 12_000, ...more } as never,
  })
const needs = async () =>
  (await business.api.ok(dashboardApi.get, {})).needs.map(({ kind, title, detail }) => [kind, title, detail])

it('is added with its crew and reading, changed, put away and brought back; who saw an older one is told', async () => {
  const made = await add()
  expect(made).toMatchObject({
    crew: { name: 'North' },
    reading: { tenths: 12_000, on: now },
    can: { read: true, takeOut: true, bringBack: false, restore: false },
  })
  const params = { id: made.id }
  const fields = { kind: 'mower' as const, name: 'Mower 4', meter: 'hours' as const }
  const changed = await business.api.ok(equipmentApi.update, { params, body: { ...fields, version: 1 } })
  expect([changed.name, changed.version]).toEqual(['Mower 4', 2])
  const old = await business.api.call(equipmentApi.update, { params, body: { ...fields, version: 1 } })
  expect(old.error.code).toBe('version_conflict')
  const otherMeter = await business.api.call(equipmentApi.update, {
    params,
    body: { ...fields, meter: 'miles', version: 2 },
  })
  expect([otherMeter.status, otherMeter.error.errors?.[0]?.path]).toEqual([422, 'meter'])
  const gone = await business.api.ok(equipmentApi.archive, { params, body: { version: 2 } })
  expect([gone.archived, gone.crew]).toEqual([true, null])
  expect((await business.api.ok(equipmentApi.list, { query: {} })).items).toEqual([])
  expect((await business.api.call(equipmentApi.read, { params, body: { tenths: 12_100 } })).error.message).toContain(
    'put away',
  )
  await business.api.ok(equipmentApi.restore, { params, body: { version: gone.version } })
  expect((await business.api.ok(equipmentApi.list, { query: {} })).items).toHaveLength(1)
})

it('has one crew a day: another one from a day on takes the place of what was planned', async () => {
  const { id } = await add()
  const south = await aCrew(business, { name: 'South' })
  const params = { id }
  await business.api.ok(equipmentApi.assign, { params, body: { crewId: south, from: addDays(now, 7), version: 1 } })
  const planned = await business.api.ok(equipmentApi.get, { params })
  expect([planned.crew?.name, planned.crews.map(({ crew, from, to }) => [crew.name, from, to])]).toEqual([
    'North',
    [
      ['South', addDays(now, 7), null],
      ['North', now, addDays(now, 6)],
    ],
  ])
  const back = await business.api.ok(equipmentApi.assign, { params, body: { crewId: null, from: now, version: 2 } })
  expect([back.crew, back.crews]).toEqual([null, []])
  const past = await business.api.call(equipmentApi.assign, {
    params,
    body: { crewId, from: addDays(now, -1), version: 3 },
  })
  expect(past.error.errors?.[0]?.path).toBe('from')
})

it('its meter goes forward, and back only with a reason', async () => {
  const { id } = await add()
  const read = (tenths: number, reason = '') =>
    business.api.call(equipmentApi.read, { params: { id }, body: { tenths, reason } })
  expect((await read(12_050)).body.reading?.tenths).toBe(12_050)
  const lower = await read(11_000)
  expect([lower.status, lower.error.errors?.[0]]).toMatchObject([
    422,
    { path: 'tenths', message: 'The meter read 1,205 h before. Look at it again, or say why it went back.' },
  ])
  expect((await read(12_050 + 500)).status).toBe(422)
  const corrected = await read(11_000, 'New meter')
  expect(corrected.body.readings[0]).toMatchObject({ tenths: 11_000, reason: 'New meter', state: 'counted' })
})

it('service is due by hours or months, done with what it cost among the expenses, and can be taken back', async () => {
  const { id } = await add()
  const params = { id }
  const planned = await business.api.ok(equipmentApi.addPlan, {
    params,
    body: { what: 'Oil and filter', everyTenths: 500, everyMonths: 12, lastTenths: 11_550, lastOn: addDays(now, -60) },
  })
  expect(planned.due).toMatchObject({ what: 'Oil and filter', state: 'soon', leftTenths: 50 })
  expect(await needs()).toContainEqual([
    'service',
    'Mower 3: Oil and filter is due soon',
    expect.stringMatching(/^in 5 h/),
  ])
  const planId = planned.plans[0]?.id ?? ''
  const done = await business.api.ok(equipmentApi.service, {
    params,
    body: {
      planId,
      what: 'Oil and filter',
      doneOn: now,
      tenths: 12_040,
      expense: { totalCents: 8450, vendor: 'Mower Shop', method: 'card' },
    },
  })
  expect(done.due).toMatchObject({ state: 'later', leftTenths: 500 })
  expect([done.reading?.tenths, done.work[0]?.costCents]).toEqual([12_040, 8450])
  const [expense] = (await business.api.ok(expensesApi.list, { query: { from: now, to: now } })).items
  expect(expense).toMatchObject({
    totalCents: 8450,
    vendor: 'Mower Shop',
    category: { name: 'Repairs and maintenance' },
    note: 'Mower 3: Oil and filter',
    parts: [{ crew: { id: crewId }, vehicle: 'Mower 3' }],
  })
  expect((await needs()).filter(([kind]) => kind === 'service')).toEqual([])
  const taken = await business.api.ok(equipmentApi.removeWork, { params, body: { workId: done.work[0]?.id ?? '' } })
  expect([taken.due?.leftTenths, taken.work]).toEqual([10, []])
  const changed = await business.api.ok(equipmentApi.changePlan, {
    params,
    body: { planId, what: 'Oil', everyTenths: 1000, version: 1 },
  })
  expect(changed.due).toMatchObject({ what: 'Oil', state: 'later' })
  expect((await business.api.ok(equipmentApi.removePlan, { params, body: { planId } })).due).toBeNull()
})

it('who has no part in money books no cost and sees none; who only works in a crew has no list', async () => {
  const { id } = await add()
  const dispatcher = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
  const body = { what: 'Blades', doneOn: now, expense: { totalCents: 900, method: 'cash' as const } }
  const refused = await dispatcher.api.call(equipmentApi.service, { params: { id }, body })
  expect(refused.status).toBe(403)
  await business.api.ok(equipmentApi.service, { params: { id }, body })
  expect((await dispatcher.api.ok(equipmentApi.get, { params: { id } })).work[0]).toMatchObject({
    what: 'Blades',
    costCents: null,
  })
  const luis = await business.employee()
  expect((await luis.api.call(equipmentApi.list, { query: {} })).status).toBe(403)
})

it('out of service is a conflict with the crew that has it, until it is back', async () => {
  const made = await add()
  const params = { id: made.id }
  const out = await business.api.ok(equipmentApi.takeOut, { params, body: { reason: 'Belt is torn', version: 1 } })
  expect(out.out?.reason).toBe('Belt is torn')
  expect(await needs()).toContainEqual(['equipment', 'North has Mower 3, which is out of service', 'Belt is torn'])
  expect(
    (await business.api.call(equipmentApi.takeOut, { params, body: { reason: 'Again', version: 2 } })).status,
  ).toBe(409)
  await business.api.ok(equipmentApi.bringBack, { params, body: { version: 2 } })
  expect((await needs()).filter(([kind]) => kind === 'equipment')).toEqual([])
})

it('a replaced meter hides no service: what both counted counts, and what crews read off the new one falls into place', async () => {
  const { id } = await add()
  const params = { id }
  await business.api.ok(equipmentApi.addPlan, {
    params,
    body: { what: 'Oil', everyTenths: 500, lastTenths: 11_560 },
  })
  const refused = await business.api.call(equipmentApi.read, { params, body: { tenths: 30, newMeterFrom: 40 } })
  expect([refused.status, refused.error.errors?.[0]?.path]).toEqual([422, 'newMeterFrom'])
  const replaced = await business.api.ok(equipmentApi.read, { params, body: { tenths: 70, newMeterFrom: 0 } })
  expect(replaced.reading?.tenths).toBe(70)
  expect(replaced.readings[0]).toMatchObject({ newMeter: true, state: 'counted' })
  expect(replaced.due).toMatchObject({ state: 'overdue', leftTenths: -10 })
  const done = await business.api.ok(equipmentApi.service, {
    params,
    body: { planId: replaced.plans[0]?.id ?? null, what: 'Oil', doneOn: now },
  })
  expect([done.due?.leftTenths, done.work[0]?.tenths]).toEqual([500, 70])
  const on = await business.api.ok(equipmentApi.read, { params, body: { tenths: 110 } })
  expect(on.due?.leftTenths).toBe(460)
})

it('what the meter read when service was done has to fit the readings around that day', async () => {
  const { id } = await add()
  const params = { id }
  const done = (tenths: number, doneOn: string) =>
    business.api.call(equipmentApi.service, { params, body: { what: 'Blades', doneOn, tenths } })
  const higher = await done(12_500, addDays(now, -3))
  expect([higher.status, higher.error.errors?.[0]?.path]).toEqual([422, 'tenths'])
  expect(higher.error.errors?.[0]?.message).toMatch(/it read 1,200 h, which is less/)
  const absurd = await done(99_000, now)
  expect([absurd.status, absurd.error.errors?.[0]?.path]).toEqual([422, 'tenths'])
  expect((await done(11_900, addDays(now, -3))).body.work[0]).toMatchObject({ tenths: 11_900 })
  const plan = await business.api.call(equipmentApi.addPlan, {
    params,
    body: { what: 'Oil', everyTenths: 500, lastTenths: 12_600 },
  })
  expect(plan.error.errors?.[0]?.path).toBe('lastTenths')
})
