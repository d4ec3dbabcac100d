import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, weekdayOf } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { jobEditsApi } from '../../bulk/contract.ts'
import { type JobRecord, jobsApi } from '../../contract.ts'
import type { Recurrence } from '../../rules.ts'
import { topUpVisits } from '../../server/tasks.ts'

// A Monday in season.
const today = '2026-04-06'
let business: TestBusiness
let mow: string
let beds: string

const every = (weekday: number, changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [weekday],
  phaseOn: today,
  holiday: 'next',
  exceptions: [],
  ...changes,
})

const aJob = async (lines: object[] = [{ serviceId: mow, recurrence: every(2), unitPriceCents: 5000 }]) => {
  const [customerId, propertyId] = [newId(), newId()]
  await business.db(async (db) => {
    await db.insertInto('customers').values({ businessId: business.id, id: customerId, name: 'Ann Example' }).execute()
    await db
      .insertInto('properties')
      .values({
        businessId: business.id,
        id: propertyId,
        customerId,
        street: '1 Oak St',
        city: 'Savannah',
        lawnSquareFeet: 9000,
      })
      .execute()
  })
  return business.api.ok(jobsApi.create, { body: { propertyId, startOn: today, lines } as never })
}
const visitsOf = (job: JobRecord) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .selectAll()
      .where('businessId', '=', business.id)
      .where('jobId', '=', job.id)
      .orderBy('day')
      .execute(),
  )
const fresh = (job: JobRecord) => business.api.ok(jobsApi.get, { params: { id: job.id } })
const change = async (job: JobRecord, body: object) => {
  const { version } = await fresh(job)
  const input = { params: { id: job.id }, body: { version, ...body } as never }
  const preview = await business.api.ok(jobsApi.previewChange, input)
  await business.api.ok(jobsApi.update, input)
  return preview
}
const lineOf = (job: JobRecord, recurrence: Recurrence, more: object = {}) => [
  { id: job.lines[0]?.id, serviceId: mow, recurrence, unitPriceCents: 5000, ...more },
]

beforeAll(async () => {
  setClock(() => new Date(`${today}T12:00:00Z`))
  business = await aBusiness()
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mow = items.find((s) => s.code === 'mow')?.id ?? ''
  beds = items.find((s) => s.code === 'bed-weeding')?.id ?? ''
})
afterAll(() => resetClock())

it('a new weekday moves the visits, and one that was placed by hand keeps its place without a double', async () => {
  const job = await aJob()
  const before = await visitsOf(job)
  const placed = before[2]
  await business.api.ok(visitsApi.move, {
    params: { visitId: placed?.id ?? '' },
    body: { day: '2026-04-22', crewId: null },
  })
  const preview = await change(job, { lines: lineOf(job, every(4)) })
  expect(preview).toMatchObject({ moved: 11, created: 0, removed: 0 })
  expect(preview.kept).toEqual([{ visitId: placed?.id, day: '2026-04-22', reason: 'moved' }])
  const after = await visitsOf(job)
  expect(after.map((v) => v.id).toSorted()).toEqual(before.map((v) => v.id).toSorted())
  expect(after.filter((v) => v.id !== placed?.id).every((v) => weekdayOf(v.day ?? '') === 4)).toBe(true)
  // Neither the nightly walk nor a further change makes the day that it stands for.
  await topUpVisits.run(systemActor(business.id as never), {})
  await change(job, { lines: lineOf(job, every(4), { unitPriceCents: 5100 }) })
  const last = await visitsOf(job)
  expect(last.map((v) => v.id)).toEqual(after.map((v) => v.id))
  expect(last.find((v) => v.id === placed?.id)?.day).toBe('2026-04-22')
  const weeks = last.map((v) => addDays(v.day ?? '', -((weekdayOf(v.day ?? '') + 6) % 7)))
  expect(new Set(weeks).size).toBe(weeks.length)
})

it('from a day on begins after the visit of that week, so that no lawn is mowed twice within it', async () => {
  const job = await aJob()
  const preview = await change(job, { scope: 'this_and_following', fromOn: '2026-04-22', lines: lineOf(job, every(3)) })
  expect(preview).toMatchObject({ created: 0, removed: 0 })
  const days = (await visitsOf(job)).map((v) => v.day)
  expect(days.slice(0, 5)).toEqual(['2026-04-07', '2026-04-14', '2026-04-21', '2026-04-29', '2026-05-06'])
  // Also where the new weekday is far from the old one.
  const far = await aJob()
  await change(far, { scope: 'this_and_following', fromOn: '2026-04-22', lines: lineOf(far, every(6)) })
  expect((await visitsOf(far)).map((v) => v.day).slice(2, 4)).toEqual(['2026-04-21', '2026-05-02'])
})

it('every second week takes half of the visits off and says so before', async () => {
  const job = await aJob()
  expect(await change(job, { lines: lineOf(job, every(2, { interval: 2 })) })).toMatchObject({
    moved: 0,
    created: 0,
    removed: 6,
  })
  expect(await visitsOf(job)).toHaveLength(6)
})

it('says whose crew was sent the old plan already', async () => {
  const job = await aJob()
  const crewId = newId()
  await business.db((db) =>
    db.insertInto('crews').values({ businessId: business.id, id: crewId, name: 'North', color: '#14432f' }).execute(),
  )
  const [first] = await visitsOf(job)
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ crewId, publishedDay: '2026-04-07', publishedCrewId: crewId })
      .where('businessId', '=', business.id)
      .where('id', '=', first?.id ?? '')
      .execute(),
  )
  const preview = await change(job, { lines: lineOf(job, every(3)) })
  expect(preview.told).toEqual([{ visitId: first?.id, day: '2026-04-07', to: '2026-04-08', crewName: 'North' }])
})

it('for one visit asks for a license and a day at work as a move does', async () => {
  const job = await aJob()
  const [first] = await visitsOf(job)
  const crewId = newId()
  await business.db(async (db) => {
    await db
      .insertInto('crews')
      .values({ businessId: business.id, id: crewId, name: 'South', color: '#14432f' })
      .execute()
    await db
      .insertInto('crewDaysOff')
      .values({ businessId: business.id, id: newId(), crewId, day: first?.day ?? '', reason: 'rain' })
      .execute()
  })
  const { version } = await fresh(job)
  const refused = await business.api.call(jobsApi.update, {
    params: { id: job.id },
    body: { version, scope: 'this', visitId: first?.id, crewId } as never,
  })
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringMatching(/South .*off/)])
  expect((await visitsOf(job))[0]?.crewId).toBe(first?.crewId)
})

it('is planned 400 days ahead at the most, with words at the field', async () => {
  const job = await aJob()
  const { version } = await fresh(job)
  const errors = async (body: object) =>
    (await business.api.call(jobsApi.previewChange, { params: { id: job.id }, body: { version, ...body } as never }))
      .error?.errors
  const lines = lineOf(job, every(3))
  expect(await errors({ lines, fromOn: '2099-01-01' })).toMatchObject([
    { path: 'fromOn', message: expect.stringMatching(/400 days ahead: .*May 11, 2027 or sooner/) },
  ])
  const once = { serviceId: mow, recurrence: null, onceOn: '2062-06-01', unitPriceCents: 100 }
  expect(await errors({ lines: [...lines, once] })).toMatchObject([{ path: 'lines.1.onceOn' }])
  const edit = { kind: 'day', weekday: 3, fromOn: '2099-01-01' }
  const many = await business.api.call(jobEditsApi.preview, {
    body: { choice: { ids: [job.id] }, change: edit } as never,
  })
  expect([many.status, many.error.errors?.[0]?.path]).toEqual([422, 'change.fromOn'])
})

it('for one visit changes its price, its services and nothing else; its schedule leaves it alone afterwards', async () => {
  const job = await aJob()
  const [first, second, third] = await visitsOf(job)
  const lines = [
    ...lineOf(job, every(2), { unitPriceCents: 9000 }),
    { serviceId: beds, recurrence: every(2), unitPriceCents: 4000 },
  ]
  const preview = await change(job, { scope: 'this', visitId: second?.id, lines })
  expect(preview).toMatchObject({ changed: 1, moved: 0, created: 0, removed: 0 })
  const after = await visitsOf(job)
  expect(after.map((v) => v.priceCents).slice(0, 3)).toEqual([5000, 13_000, 5000])
  expect((await fresh(job)).lines.map((l) => l.unitPriceCents)).toEqual([5000])
  await change(job, { lines: lineOf(job, every(2), { unitPriceCents: 5500 }) })
  expect((await visitsOf(job)).map((v) => v.priceCents).slice(0, 3)).toEqual([5500, 13_000, 5500])
  const { version } = await fresh(job)
  const refused = async (body: object) =>
    (
      await business.api.call(jobsApi.update, {
        params: { id: job.id },
        body: { version, scope: 'this', ...body } as never,
      })
    ).status
  expect(await refused({ visitId: third?.id, lines: lineOf(job, every(5)) })).toBe(422)
  expect(await refused({ visitId: third?.id, endOn: '2026-05-01' })).toBe(422)
  expect(await refused({ lines: lineOf(job, every(2)) })).toBe(422)
  expect(await refused({ visitId: newId(), lines: lineOf(job, every(2)) })).toBe(404)
  await business.api.ok(visitsApi.finish, { params: { visitId: first?.id ?? '' }, body: {} })
  expect(await refused({ visitId: first?.id, lines: lineOf(job, every(2), { unitPriceCents: 1 }) })).toBe(409)
})

it('work goes over to a contract from a day on: what comes after waits for no invoice, and back again', async () => {
  const job = await aJob()
  const bills = async () => (await visitsOf(job)).slice(0, 3).map(({ billable }) => billable)
  const preview = await change(job, { billing: 'flat', scope: 'this_and_following', fromOn: '2026-04-14' })
  expect(preview).toMatchObject({ moved: 0, created: 0, removed: 0 })
  expect(await bills()).toEqual([true, false, false])
  expect((await fresh(job)).billing).toBe('flat')
  await change(job, { billing: 'per_visit', scope: 'all_open' })
  expect(await bills()).toEqual([true, true, true])
  const [, second] = await visitsOf(job)
  const one = { version: (await fresh(job)).version, billing: 'none', scope: 'this', visitId: second?.id } as never
  const { status, body } = await business.api.call(jobsApi.update, { params: { id: job.id }, body: one })
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain('no billing of its own')
  expect(await bills()).toEqual([true, true, true])
})
