import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Api, runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aLawn, everyDay } from '../../../../test/field.ts'
import { calendarApi } from '../../../calendar/contract.ts'
import { routesApi } from '../../../routes/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { type JobRecord, jobsApi } from '../../contract.ts'
import { topUpVisits } from '../../server/tasks.ts'

let business: TestBusiness
let crewId: string
let hedge: string
let mow: string
let api: Api

const on = async (day: string) => {
  setClock(() => new Date(`${day}T15:00:00Z`))
  if (business) api = (await aPerson(business.id, 'Admin')).api
}
const night = async () => {
  await topUpVisits.run(systemActor(business.id as never), {})
  await topUpVisits.run(systemActor(business.id as never), {})
}
const aJob = async (...lines: object[]) => {
  const { propertyId } = await aLawn(business)
  return api.ok(jobsApi.create, { body: { propertyId, startOn: '2026-05-01', lines } as never })
}
const fresh = (job: JobRecord) => api.ok(jobsApi.get, { params: { id: job.id } })
const dueOf = async (job: JobRecord, day = '2026-05-20') =>
  (await api.ok(calendarApi.due, { query: { day } })).items.filter((one) => one.jobId === job.id)
const onDemand = () => ({ serviceId: hedge, recurrence: null, unitPriceCents: 9000, undated: { kind: 'on_demand' } })
const waiting = (fromOn: string, warnOn: string | null) => ({
  serviceId: hedge,
  recurrence: null,
  unitPriceCents: 9000,
  undated: { kind: 'waiting', fromOn, warnOn },
})
const everyTuesday = { freq: 'week', interval: 1, weekdays: [2], phaseOn: '2026-05-01', holiday: 'next' }

beforeAll(async () => {
  await on('2026-05-01')
  business = await aBusiness({ workDays: everyDay })
  api = business.api
  crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  const { items } = await api.ok(servicesApi.addDefaults, {})
  hedge = items.find((s) => s.code === 'hedge')?.id ?? ''
  mow = items.find((s) => s.code === 'mow')?.id ?? ''
})
afterAll(() => resetClock())

it('what waits is due from its start, late past its warning, placed with one tap and done once', async () => {
  await on('2026-05-01')
  const job = await aJob(waiting('2026-05-04', '2026-05-18'))
  expect(job).toMatchObject({ openVisits: 0, flags: [], scheduleText: 'Waiting list from May 4, 2026' })
  await night()
  expect(await dueOf(job, '2026-05-05')).toEqual([])
  await on('2026-05-20')
  await night()
  const [due] = await dueOf(job, '2026-05-21')
  expect(due).toMatchObject({
    waiting: { kind: 'waiting', daysLate: 2 },
    budgetMinutes: 60,
    priceCents: 9000,
    places: [expect.objectContaining({ crewId, addedDriveSeconds: expect.any(Number) })],
  })
  // the list of late jobs says the same as the due list
  expect(await fresh(job)).toMatchObject({ flags: expect.arrayContaining(['late']), perVisitCents: 9000 })
  expect((await api.ok(jobsApi.list, { query: { view: 'late' } })).items.map(({ id }) => id)).toContain(job.id)
  const place = due?.places[0]
  await api.ok(routesApi.move, {
    body: { visitId: due?.id ?? '', day: '2026-05-21', crewId, position: place?.position, version: due?.version },
  })
  expect((await fresh(job)).lines[0]?.standing).toMatchObject({ state: 'planned', day: '2026-05-21' })
  await on('2026-05-21')
  await api.ok(visitsApi.finish, { params: { visitId: due?.id ?? '' }, body: {} })
  await runTasks()
  await on('2026-06-30')
  await night()
  expect(await fresh(job)).toMatchObject({ openVisits: 0, flags: expect.arrayContaining(['action_required']) })
})

it('work on demand asks for nothing until it is booked, one at a time, for a day or into the due list', async () => {
  await on('2026-05-20')
  const job = await aJob(onDemand())
  await night()
  expect(await fresh(job)).toMatchObject({ openVisits: 0, flags: [], scheduleText: 'On demand' })
  const lineId = job.lines[0]?.id ?? ''
  const book = (day: string | null, id = lineId) =>
    api.call(jobsApi.bookLine, { params: { id: job.id, lineId: id }, body: { day, crewId: day ? crewId : null } })
  expect((await book('2026-05-19')).status).toBe(409)
  expect((await book(null, newId())).status).toBe(404)
  // Two tabs ask at once: one visit.
  expect((await Promise.all([book(null), book(null)])).map((one) => one.status).sort()).toEqual([200, 409])
  const [due] = await dueOf(job)
  expect(due).toMatchObject({ day: null, waiting: { kind: 'on_demand', daysLate: 0 } })
  await api.ok(visitsApi.cancel, { params: { visitId: due?.id ?? '' }, body: { reason: '' } })
  expect((await book('2026-05-25')).body.lines[0]?.standing).toMatchObject({ state: 'planned', day: '2026-05-25' })
  const foreign = await aBusiness()
  const theirs = await foreign.api.call(jobsApi.bookLine, { params: { id: job.id, lineId }, body: { day: null } })
  expect(theirs.status).toBe(404)
})

it('beside a rule it takes no day of that away, and no change of the rule touches it', async () => {
  await on('2026-05-01')
  const job = await aJob(
    { serviceId: mow, recurrence: everyTuesday, unitPriceCents: 5000 },
    waiting('2026-05-05', null),
    onDemand(),
  )
  await on('2026-05-05')
  await night()
  const lineId = job.lines[2]?.id ?? ''
  const demand = await api.ok(jobsApi.bookLine, { params: { id: job.id, lineId }, body: { day: null } })
  const rows = () =>
    business.db((db) =>
      db
        .selectFrom('visits')
        .select(['id', 'day', 'occurrenceOn', 'origin'])
        .where('businessId', '=', business.id)
        .where('jobId', '=', job.id)
        .orderBy('occurrenceOn')
        .execute(),
    )
  const before = await rows()
  expect(before.filter((row) => row.origin === 'undated')).toHaveLength(2)
  expect(before.filter((row) => row.origin === 'rule').map((row) => row.day)).toContain('2026-05-05')
  const lines = demand.lines.map(({ id, serviceId, recurrence, undated, unitPriceCents }) => ({
    id,
    serviceId,
    recurrence: recurrence && { ...recurrence, weekdays: [4] },
    undated,
    unitPriceCents: unitPriceCents ?? 0,
  }))
  await api.ok(jobsApi.update, { params: { id: job.id }, body: { version: demand.version, lines } as never })
  const undated = (list: typeof before) => list.filter((row) => row.origin === 'undated')
  expect(undated(await rows())).toEqual(undated(before))
})
