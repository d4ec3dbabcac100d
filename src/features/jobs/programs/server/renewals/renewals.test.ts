import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../../platform/clock.ts'
import { type Api, runTasks } from '../../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../../test/factories.ts'
import { aLawn, everyDay } from '../../../../../test/field.ts'
import { dashboardApi } from '../../../../dashboard/contract.ts'
import { servicesApi } from '../../../../services/contract.ts'
import { visitsApi } from '../../../../visits/contract.ts'
import { jobsApi } from '../../../contract.ts'
import { pricesApi } from '../../../prices/contract.ts'
import { topUpVisits } from '../../../server/tasks.ts'
import { type ProgramRecord, programsApi } from '../../contract.ts'
import { sixRounds } from '../../rules.ts'

let business: TestBusiness
let api: Api
let treat: string
let program: ProgramRecord

const on = async (day: string) => {
  setClock(() => new Date(`${day}T15:00:00Z`))
  if (business) api = (await aPerson(business.id, 'Admin')).api
}
/** The night comes twice. */
const night = async (day: string) => {
  await on(day)
  for (let turn = 0; turn < 2; turn++) await topUpVisits.run(systemActor(business.id), {})
  await runTasks()
}
const jobsAt = (propertyId: string) =>
  business.db((db) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('businessId', '=', business.id)
      .where('propertyId', '=', propertyId)
      .orderBy('id')
      .execute(),
  )
const renewalOf = (id: string) => api.ok(programsApi.renewal, { params: { id } })
const lawn = async (squareFeet: number | null = 9000) => {
  const { propertyId } = await aLawn(business)
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: squareFeet }).where('id', '=', propertyId).execute(),
  )
  return propertyId
}
const putOn = async (more: object = {}) => {
  const propertyId = await lawn()
  const body = { propertyId, year: 2026, ...more }
  return { propertyId, job: await api.ok(programsApi.putOn, { params: { id: program.id }, body }) }
}
const needs = async () => (await api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'renewal')

beforeAll(async () => {
  await on('2026-02-02')
  business = await aBusiness({ workDays: everyDay })
  await on('2026-02-02')
  const { items } = await api.ok(servicesApi.addDefaults, {})
  treat = items.find((s) => s.code === 'fert-weed')?.id ?? ''
  const steps = sixRounds.map((step) => ({ ...step, serviceId: treat }))
  program = await api.ok(programsApi.create, { body: { name: 'Six rounds', steps, renews: true } })
})
afterAll(() => resetClock())

it('a season renews once, with what was shown before: its day, its rounds, the prices of that day', async () => {
  const { propertyId, job } = await putOn({ instructions: 'Mind the pond.' })
  const stopped = await putOn({ renews: false })
  const before = await renewalOf(job.id)
  // 45 days before February 15
  expect(before).toMatchObject({
    renews: true,
    due: false,
    year: 2027,
    renewsOn: '2027-01-01',
    rounds: 6,
    refusal: null,
  })
  expect(before.totalCents).toBe(job.lines.reduce((sum, line) => sum + (line.unitPriceCents ?? 0), 0))
  // A raise that is scheduled for before that day is in what is shown, and in what is made.
  await api.ok(pricesApi.apply, {
    body: {
      fromOn: '2026-12-01',
      scope: 'new',
      raise: { serviceIds: [treat], by: { percent: 10, rounding: 'dollar' } },
    } as never,
  })
  const shown = await renewalOf(job.id)
  expect(shown.totalCents).toBeGreaterThan(before.totalCents ?? 0)
  await night('2026-12-31')
  expect(await jobsAt(propertyId)).toHaveLength(1)
  expect(await needs()).toMatchObject([{ badge: 'Renews', title: 'Six rounds: 1 job renews for 2027' }])
  // From midnight to the night's run it is the day itself: nothing is missing yet.
  await on('2027-01-01')
  expect(await needs()).toMatchObject([{ badge: 'Renews' }])
  await night('2027-01-01')
  const [old, next, ...others] = await jobsAt(propertyId)
  expect(others).toEqual([])
  expect(old).toMatchObject({ renewedAs: next?.id })
  const made = await api.ok(jobsApi.get, { params: { id: next?.id ?? '' } })
  expect(made).toMatchObject({ programYear: 2027, instructions: 'Mind the pond.', title: 'Six rounds' })
  expect(made.lines).toHaveLength(6)
  expect(made.lines.reduce((sum, line) => sum + (line.unitPriceCents ?? 0), 0)).toBe(shown.totalCents)
  expect(await renewalOf(job.id)).toMatchObject({
    renewedAs: { number: made.number, canceled: false },
    can: { change: false },
  })
  expect(await renewalOf(made.id)).toMatchObject({ renews: true, year: 2028, renewsOn: '2028-01-01' })
  expect(await jobsAt(stopped.propertyId)).toHaveLength(1)
  const told = await business.db((db) =>
    db
      .selectFrom('notifications')
      .select(['title', 'path'])
      .where('businessId', '=', business.id)
      .where('userId', '=', business.owner.userId)
      .where('dedupeKey', 'like', 'program-renewed:%')
      .execute(),
  )
  expect(told).toEqual([
    {
      title: 'Six rounds: 1 job renewed for 2027',
      path: `/jobs?tab=manage&programId=${program.id}&season=2027`,
    },
  ])
  const { items } = await api.ok(jobsApi.list, { query: { programId: program.id, season: 2027 } })
  expect(items.map(({ id }) => id)).toEqual([made.id])
  // A changed mind: who cancels the new season does not get it again.
  await api.ok(jobsApi.act, { params: { id: made.id, verb: 'cancel' }, body: {} })
  await night('2027-01-02')
  expect(await jobsAt(propertyId)).toHaveLength(2)
  expect(await renewalOf(job.id)).toMatchObject({ renewedAs: { canceled: true } })
  expect(await renewalOf(made.id)).toMatchObject({ refusal: expect.stringMatching(/over/), can: { change: false } })
  const archived = async (season: number) => {
    const { items, total } = await api.ok(jobsApi.list, {
      query: { view: 'archived', programId: program.id, season },
    })
    return [items.length, total]
  }
  expect([await archived(2027), await archived(2040)]).toEqual([
    [1, 1],
    [0, 0],
  ])
})

it('is stopped with one tap, taken up again, and waits for what is missing', async () => {
  await on('2027-03-01')
  const propertyId = await lawn()
  const job = await api.ok(programsApi.putOn, { params: { id: program.id }, body: { propertyId, year: 2027 } })
  const { version } = await renewalOf(job.id)
  const set = (renews: boolean, seen: number) =>
    api.call(programsApi.setRenewal, { params: { id: job.id }, body: { renews, version: seen } })
  const off = await set(false, version)
  expect(off.body).toMatchObject({ renews: false })
  expect((await set(true, version)).error.code).toBe('version_conflict')
  await night('2028-01-05')
  expect(await jobsAt(propertyId)).toHaveLength(1)
  await set(true, off.body.version)
  // Without a size the rule has no price: the office is told, and the night after it is there.
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: null }).where('id', '=', propertyId).execute(),
  )
  await night('2028-01-06')
  expect(await jobsAt(propertyId)).toHaveLength(1)
  expect((await renewalOf(job.id)).refusal).toBe(
    'The property has no lawn size, which the price rule needs. Measure the lawn, and the job renews.',
  )
  const [need] = await needs()
  expect(need).toMatchObject({ badge: 'Not renewed', title: 'Six rounds: 1 job did not renew for 2028' })
  // Its link leads to that job alone, whatever else the season has.
  const query = Object.fromEntries(new URL(need?.path ?? '', 'http://x').searchParams) as { tab: string }
  const found = await api.ok(jobsApi.list, { query: { ...query, tab: undefined } as never })
  expect([found.items.map(({ id, programYear }) => [id, programYear]), found.total]).toEqual([[[job.id, 2027]], 1])
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 7000 }).where('id', '=', propertyId).execute(),
  )
  await api.ok(jobsApi.act, { params: { id: job.id, verb: 'pause' }, body: {} })
  await night('2028-01-07')
  expect([(await jobsAt(propertyId)).length, (await renewalOf(job.id)).refusal]).toEqual([
    1,
    'This job is paused. It renews once it goes on.',
  ])
  await api.ok(jobsApi.act, { params: { id: job.id, verb: 'resume' }, body: {} })
  await night('2028-01-08')
  expect(await jobsAt(propertyId)).toHaveLength(2)
  expect(await needs()).toEqual([])
})

it('what somebody put on by hand is the next season; two nights at once make one; others find nothing', async () => {
  await on('2028-03-01')
  const [byHand, twice] = [await lawn(), await lawn()]
  const put = (propertyId: string, year: number) =>
    api.ok(programsApi.putOn, { params: { id: program.id }, body: { propertyId, year } })
  const first = await put(byHand, 2028)
  const second = await put(byHand, 2029)
  await put(twice, 2028)
  await on('2029-01-01')
  await Promise.all([1, 2].map(() => topUpVisits.run(systemActor(business.id), {})))
  expect(await renewalOf(first.id)).toMatchObject({ renewedAs: { id: second.id } })
  expect([(await jobsAt(byHand)).length, (await jobsAt(twice)).length]).toEqual([2, 2])
  const other = await aBusiness()
  expect((await other.api.call(programsApi.renewal, { params: { id: first.id } })).status).toBe(404)
  const plain = await api.ok(jobsApi.create, {
    body: {
      propertyId: await lawn(),
      startOn: '2029-02-01',
      lines: [{ serviceId: treat, recurrence: null, onceOn: '2029-02-01' }],
    } as never,
  })
  expect((await api.call(programsApi.renewal, { params: { id: plain.id } })).status).toBe(404)
})

it('a raise that is already scheduled is in the season that renews before it, and taken back with it', async () => {
  await on('2029-12-01')
  const propertyId = await lawn()
  const job = await api.ok(programsApi.putOn, { params: { id: program.id }, body: { propertyId, year: 2029 } })
  await on('2029-12-28')
  const { totalCents: today, due } = await renewalOf(job.id)
  expect(due).toBe(false)
  const change = await api.ok(pricesApi.apply, {
    body: {
      fromOn: '2030-04-20',
      scope: 'future',
      raise: { serviceIds: [treat], by: { percent: 10, rounding: 'dollar' } },
    } as never,
  })
  const each = (today ?? 0) / 6
  const raised = Math.ceil((each * 1.1) / 100) * 100
  // Two windows open before April 20, four after it.
  const shown = 2 * each + 4 * raised
  const preview = await api.ok(programsApi.preview, { params: { id: program.id }, query: { propertyId, year: 2030 } })
  expect(preview.steps.map(({ priceCents }) => priceCents)).toEqual([each, each, raised, raised, raised, raised])
  expect((await renewalOf(job.id)).totalCents).toBe(shown)
  await night('2030-01-01')
  const next = (await renewalOf(job.id)).renewedAs?.id ?? ''
  const lines = async () => (await api.ok(jobsApi.get, { params: { id: next } })).lines
  expect((await lines()).map(({ unitPriceCents, nextPrice }) => [unitPriceCents, nextPrice])).toEqual(
    Array.from({ length: 6 }, () => [each, { cents: raised, on: '2030-04-20' }]),
  )
  expect((await renewalOf(next)).totalCents).toBe(6 * raised)
  await api.ok(pricesApi.undo, { params: { id: change.id } })
  expect((await lines()).map(({ unitPriceCents, nextPrice }) => [unitPriceCents, nextPrice])).toEqual(
    Array.from({ length: 6 }, () => [each, null]),
  )
})

it('a season that renews before its last round is over is completed once that is', async () => {
  await on('2030-01-16')
  const steps = [
    { ...sixRounds[0], from: '01-15', to: '03-01', serviceId: treat },
    { ...sixRounds[5], minGapDays: 0, serviceId: treat },
  ]
  const early = await api.ok(programsApi.create, { body: { name: 'Early', steps, renews: true } as never })
  const put = async () => {
    const body = { propertyId: await lawn(), year: 2030 }
    const { id } = await api.ok(programsApi.putOn, { params: { id: early.id }, body })
    return id
  }
  const [done, canceled, missed] = [await put(), await put(), await put()]
  const statuses = async () => {
    const jobs = await Promise.all([done, canceled, missed].map((id) => api.ok(jobsApi.get, { params: { id } })))
    return jobs.map((job) => job.status)
  }
  const roundOf = async (id: string, at: number) =>
    (await api.ok(jobsApi.get, { params: { id } })).lines[at]?.standing?.visitId ?? ''
  const finish = async (id: string, at: number, day: string) => {
    const visitId = await roundOf(id, at)
    await api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId: null } })
    await api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  }
  for (const id of [done, canceled, missed]) await finish(id, 0, '2030-01-16')
  await night('2030-10-25')
  // On the day itself the night is still to come.
  await on('2030-12-01')
  expect((await needs()).filter(({ title }) => title.startsWith('Early'))).toMatchObject([{ badge: 'Renews' }])
  await night('2030-12-01')
  for (const id of [done, canceled, missed]) expect((await renewalOf(id)).renewedAs).not.toBeNull()
  expect(await statuses()).toEqual(['active', 'active', 'active'])
  await on('2030-12-10')
  await finish(done, 1, '2030-12-10')
  await api.ok(visitsApi.cancel, { params: { visitId: await roundOf(canceled, 1) }, body: { reason: 'Sold' } })
  await night('2030-12-11')
  expect(await statuses()).toEqual(['completed', 'completed', 'active'])
  await night('2030-12-16')
  expect(await statuses()).toEqual(['completed', 'completed', 'active'])
  const lineId = (await api.ok(jobsApi.get, { params: { id: missed } })).lines[1]?.id ?? ''
  await api.ok(jobsApi.decideStep, { params: { id: missed, lineId }, body: { decision: 'skip' } })
  await night('2030-12-17')
  expect(await statuses()).toEqual(['completed', 'completed', 'completed'])
})

it('an archived program and a job that ends are not waited for', async () => {
  await on('2032-01-16')
  const steps = [{ ...sixRounds[0], serviceId: treat }]
  const put = async (name: string) => {
    const made = await api.ok(programsApi.create, { body: { name, steps, renews: true } as never })
    const body = { propertyId: await lawn(), year: 2032 }
    return { made, job: await api.ok(programsApi.putOn, { params: { id: made.id }, body }) }
  }
  const [away, ends, stays] = [await put('Away'), await put('Ends'), await put('Stays')]
  await api.ok(programsApi.archive, { params: { id: away.made.id }, body: { version: away.made.version } } as never)
  await api.ok(jobsApi.update, {
    params: { id: ends.job.id },
    body: { version: ends.job.version, endOn: '2032-11-30' } as never,
  })
  await on('2032-12-31')
  const titles = (await needs()).map(({ title }) => title).filter((title) => /^(Away|Ends|Stays)/.test(title))
  expect(titles).toEqual(['Stays: 1 job renews for 2033'])
  // What nobody makes a next season of needs somebody, like all work that is over.
  for (const { job } of [away, ends, stays]) {
    const { nextVisits } = await api.ok(jobsApi.get, { params: { id: job.id } })
    for (const { id } of nextVisits) await api.ok(visitsApi.finish, { params: { visitId: id }, body: {} })
  }
  await night('2032-12-31')
  const flags = async (id: string) => (await api.ok(jobsApi.get, { params: { id } })).flags.includes('action_required')
  expect([await flags(away.job.id), await flags(ends.job.id), await flags(stays.job.id)]).toEqual([true, true, false])
})
