import { afterAll, beforeAll, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Api, runTasks } from '../../../../test/api.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { type JobRecord, jobsApi } from '../../contract.ts'
import type { Recurrence } from '../../rules.ts'
import { topUpAll } from '../../server/tasks.ts'

// A Monday in season.
const today = '2026-04-06'
/** Signed in anew: a session of another day has run out, or has not begun. */
const at = async (day: string) => {
  setClock(() => new Date(`${day}T16:00:00Z`))
  if (business) api = (await aPerson(business.id, 'Admin')).api
}
let business: TestBusiness
let api: Api
let mow: string

const afterTwoWeeks = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 2,
  weekdays: [2],
  phaseOn: today,
  holiday: 'next',
  exceptions: [],
  anchor: 'completion',
  ...changes,
})
const aJob = async (recurrence = afterTwoWeeks()) => {
  await at(today)
  const [customerId, propertyId] = [newId(), newId()]
  await business.db(async (db) => {
    await db.insertInto('customers').values({ businessId: business.id, id: customerId, name: 'Ann Example' }).execute()
    await db
      .insertInto('properties')
      .values({ businessId: business.id, id: propertyId, customerId, street: '1 Oak St', city: 'Savannah' })
      .execute()
  })
  const lines = [{ serviceId: mow, recurrence, unitPriceCents: 5000 }]
  return api.ok(jobsApi.create, { body: { propertyId, startOn: today, lines } })
}
const visitsOf = (job: JobRecord) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'status'])
      .where('businessId', '=', business.id)
      .where('jobId', '=', job.id)
      .orderBy('occurrenceOn')
      .execute(),
  )
const seen = async (job: JobRecord) => (await visitsOf(job)).map((v) => `${v.day} ${v.status}`)
const idOf = async (job: JobRecord, nth: number) => (await visitsOf(job))[nth]?.id ?? ''
const finish = async (visitId: string) => {
  await api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  await runTasks()
}

beforeAll(async () => {
  await at(today)
  business = await aBusiness()
  api = business.api
  const { items } = await api.ok(servicesApi.addDefaults, {})
  mow = items.find((s) => s.code === 'mow')?.id ?? ''
})
afterAll(() => resetClock())

it('has one open visit; the next is made when it is done, two weeks later on the weekday of the route', async () => {
  const job = await aJob()
  expect(job.scheduleText).toContain('2 weeks after the last one is done, on Tuesday')
  expect(await seen(job)).toEqual(['2026-04-07 scheduled'])
  await at('2026-04-09')
  await finish(await idOf(job, 0))
  expect(await seen(job)).toEqual(['2026-04-07 completed', '2026-04-21 scheduled'])
  await topUpAll.run(undefined as never)
  await runTasks()
  expect(await seen(job)).toHaveLength(2)
})

it('opened again, takes the made one back, unless somebody gave that its place', async () => {
  const job = await aJob()
  const first = await idOf(job, 0)
  await at('2026-04-07')
  await finish(first)
  const reopen = async () => {
    await api.ok(visitsApi.reopen, {
      params: { visitId: first },
      body: { reason: 'The back yard is missing' },
    })
    await runTasks()
  }
  await reopen()
  expect(await seen(job)).toEqual(['2026-04-07 paused'])
  await finish(first)
  await api.ok(visitsApi.move, {
    params: { visitId: await idOf(job, 1) },
    body: { day: '2026-04-22', crewId: null },
  })
  await reopen()
  expect(await seen(job)).toEqual(['2026-04-07 paused', '2026-04-22 scheduled'])
  await finish(first)
  expect(await seen(job)).toEqual(['2026-04-07 completed', '2026-04-22 scheduled'])
})

it('goes on after a skip and its undo, and follows a change of the rule', async () => {
  const job = await aJob()
  await at('2026-04-07')
  const first = await idOf(job, 0)
  const skipped = await api.ok(visitsApi.skip, { params: { visitId: first }, body: { reason: 'too_wet' } })
  await runTasks()
  expect(await seen(job)).toEqual(['2026-04-07 skipped', '2026-04-21 scheduled'])
  await api.ok(visitsApi.undo, { params: { visitId: first }, body: { version: skipped.version } })
  await runTasks()
  expect(await seen(job)).toEqual(['2026-04-07 scheduled'])
  await finish(first)
  const { version, lines } = await api.ok(jobsApi.get, { params: { id: job.id } })
  const preview = await api.ok(jobsApi.previewChange, {
    params: { id: job.id },
    body: {
      version,
      lines: [{ id: lines[0]?.id, serviceId: mow, recurrence: afterTwoWeeks({ interval: 3, weekdays: [4] }) }],
    },
  })
  expect(preview).toMatchObject({ moved: 1, created: 0, removed: 0 })
  await api.ok(jobsApi.update, {
    params: { id: job.id },
    body: {
      version,
      lines: [{ id: lines[0]?.id, serviceId: mow, recurrence: afterTwoWeeks({ interval: 3, weekdays: [4] }) }],
    },
  })
  expect(await seen(job)).toEqual(['2026-04-07 completed', '2026-04-30 scheduled'])
})

it('booked again for another day after a skip has one open visit, and the made one back when that is undone', async () => {
  const job = await aJob()
  await at('2026-04-07')
  const first = await idOf(job, 0)
  await api.ok(visitsApi.skip, { params: { visitId: first }, body: { reason: 'too_wet' } })
  await runTasks()
  const again = await api.ok(visitsApi.rebook, { params: { visitId: first }, body: { day: '2026-04-10' } })
  await runTasks()
  const open = async () => (await seen(job)).filter((line) => line.endsWith('scheduled'))
  expect(await open()).toEqual(['2026-04-10 scheduled'])
  await api.ok(visitsApi.undo, { params: { visitId: again.id }, body: { version: again.version } })
  await runTasks()
  expect(await open()).toEqual(['2026-04-21 scheduled'])
  const back = await api.ok(visitsApi.rebook, { params: { visitId: first }, body: { day: '2026-04-10' } })
  await runTasks()
  await at('2026-04-10')
  await finish(back.id)
  expect(await open()).toEqual(['2026-04-21 scheduled'])
})

it('over the winter waits for the first day of the season', async () => {
  const job = await aJob(afterTwoWeeks({ season: [{ from: '04-01', to: '04-15' }] }))
  await at('2026-04-07')
  await finish(await idOf(job, 0))
  expect(await seen(job)).toEqual(['2026-04-07 completed', '2027-04-06 scheduled'])
})

const byTheCalendar = (changes: Partial<Recurrence> = {}): Recurrence => {
  const { anchor: _anchor, ...rule } = afterTwoWeeks({ interval: 1, ...changes })
  return rule
}

it('a change of the rule locks visits in the order of their ids, as the planner does', async () => {
  const job = await aJob(byTheCalendar())
  const [first, second] = await visitsOf(job)
  if (!first || !second) throw new Error('two visits are needed')
  // The later visit has the lower id.
  const low = `00000000${second.id.slice(8)}`
  await business.db(async (db) => {
    await db.deleteFrom('visitLines').where('visitId', '=', second.id).execute()
    await db.updateTable('visits').set({ id: low }).where('id', '=', second.id).execute()
  })
  const { version, lines } = await api.ok(jobsApi.get, { params: { id: job.id } })
  const change = await business.db(async (db) => {
    await db.selectFrom('visits').select('id').where('id', '=', low).forUpdate().execute()
    const made = api.call(jobsApi.update, {
      params: { id: job.id },
      body: { version, lines: [{ id: lines[0]?.id, serviceId: mow, recurrence: byTheCalendar({ weekdays: [4] }) }] },
    })
    await Promise.race([somebodyWaits(), made])
    const free = await db
      .selectFrom('visits')
      .select('id')
      .where('id', '=', first.id)
      .forUpdate()
      .skipLocked()
      .execute()
    return { made, free }
  })
  expect((await change.made).status).toBe(200)
  expect(change.free).toEqual([{ id: first.id }])
})
