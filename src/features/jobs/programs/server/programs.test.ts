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
import { programsApi } from '../contract.ts'
import { sixRounds } from '../rules.ts'

let business: TestBusiness
let treat: string
let programId: string
let crewId: string
let api: Api

/** Another day; a session does not last that long, so somebody signs in anew. */
const on = async (day: string) => {
  setClock(() => new Date(`${day}T15:00:00Z`))
  if (business) api = (await aPerson(business.id, 'Admin')).api
}
const night = () => topUpVisits.run(systemActor(business.id as never), {})
/** The night comes twice: the second one finds nothing to do. */
const wake = async (day: string, job: JobRecord): Promise<JobRecord> => {
  await on(day)
  await night()
  const once = await fresh(job)
  await night()
  const twice = await fresh(job)
  expect(twice.lines.map((line) => line.standing)).toEqual(once.lines.map((line) => line.standing))
  expect(await visitsOf(job)).toHaveLength(once.openVisits + once.pastVisits.length)
  return twice
}
const fresh = (job: JobRecord) => api.ok(jobsApi.get, { params: { id: job.id } })
const states = (job: JobRecord) => job.lines.map((line) => line.standing?.state)
const visitsOf = (job: JobRecord) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .selectAll()
      .where('businessId', '=', business.id)
      .where('jobId', '=', job.id)
      .orderBy('id')
      .execute(),
  )
const putOn = async (year = 2026) => {
  const { propertyId } = await aLawn(business)
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 9000 }).where('id', '=', propertyId).execute(),
  )
  const input = { params: { id: programId }, body: { propertyId, year } }
  return { propertyId, input, job: await api.ok(programsApi.putOn, input) }
}
const placed = async (job: JobRecord, at: number, day: string) => {
  const visitId = (await fresh(job)).lines[at]?.standing?.visitId ?? ''
  await api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId: null } })
  return visitId
}
const doneOn = async (job: JobRecord, at: number, day: string) => {
  await on(day)
  const visitId = await placed(job, at, day)
  await api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  await runTasks()
  return fresh(job)
}

beforeAll(async () => {
  await on('2026-02-02')
  business = await aBusiness({ workDays: everyDay })
  api = business.api
  crewId = await aCrew(business, { name: 'Treatments', workDays: everyDay })
  const { items } = await api.ok(servicesApi.addDefaults, {})
  treat = items.find((s) => s.code === 'fert-weed')?.id ?? ''
  const steps = sixRounds.map((step) => ({ ...step, serviceId: treat }))
  const program = await api.ok(programsApi.create, { body: { name: 'Six-round lawn program', steps } })
  programId = program.id
})
afterAll(() => resetClock())

it('six rounds over a season: due with their window, the gap kept, one missed and done late', async () => {
  await on('2026-02-02')
  const { job } = await putOn()
  // each round is a visit of its own: the job is not sold as all of them at once
  expect(job.perVisitCents).toBe(Math.max(...job.lines.map((line) => line.unitPriceCents ?? 0)))
  expect(states(job)).toEqual(['upcoming', 'upcoming', 'upcoming', 'upcoming', 'upcoming', 'upcoming'])
  expect(job).toMatchObject({ scheduleText: 'Program of 6 rounds', openVisits: 0, flags: [] })
  expect(await visitsOf(job)).toEqual([])
  expect(states(await wake('2026-02-15', job))[0]).toBe('due')
  const due = await api.ok(calendarApi.due, { query: { day: '2026-02-16' } })
  expect(due.items.find((one) => one.jobId === job.id)).toMatchObject({
    day: null,
    waiting: {
      kind: 'step',
      name: 'Round 1, early spring',
      opensOn: '2026-02-15',
      closesOn: '2026-04-05',
      daysLate: 0,
    },
    budgetMinutes: expect.any(Number),
    priceCents: expect.any(Number),
    places: [expect.objectContaining({ crewId, addedDriveSeconds: expect.any(Number) })],
  })
  expect(states(await doneOn(job, 0, '2026-03-20'))).toEqual([
    'done',
    'upcoming',
    'upcoming',
    'upcoming',
    'upcoming',
    'upcoming',
  ])
  // 35 days after March 20 the window of the second round has been open for two weeks.
  expect((await wake('2026-04-23', job)).lines[1]?.standing).toMatchObject({ state: 'upcoming', opensOn: '2026-04-24' })
  expect(states(await wake('2026-04-24', job))[1]).toBe('due')
  expect(states(await wake('2026-05-31', job))[1]).toBe('due')
  const missed = await wake('2026-06-01', job)
  expect(states(missed).slice(1, 3)).toEqual(['missed', 'due'])
  const [, second] = missed.lines
  const decide = (decision: 'late' | 'skip' | 'undecided', lineId = second?.id ?? '') =>
    api.call(jobsApi.decideStep, { params: { id: job.id, lineId }, body: { decision } })
  const late = await decide('late')
  // The open third round waits for the gap to it again.
  expect(states(late.body).slice(1, 3)).toEqual(['due', 'upcoming'])
  expect(states(await wake('2026-06-03', job)).slice(1, 3)).toEqual(['due', 'upcoming'])
  expect((await decide('skip')).status).toBe(409)
  const after = await doneOn(job, 1, '2026-06-05')
  expect(after.lines[2]?.standing).toMatchObject({ state: 'upcoming', opensOn: '2026-07-03' })
  expect(states(await wake('2026-07-03', job))[2]).toBe('due')
  expect(states(await wake('2026-07-20', job)).slice(2, 4)).toEqual(['missed', 'due'])
  const let3 = job.lines[2]?.id ?? ''
  expect(states((await decide('skip', let3)).body)[2]).toBe('skipped')
  expect((await fresh(job)).totals.uninvoicedCents).toBe(
    job.lines.slice(0, 2).reduce((sum, line) => sum + (line.totalCents ?? 0), 0),
  )
  expect(states((await decide('undecided', let3)).body)[2]).toBe('missed')
  expect((await decide('late', newId())).status).toBe(404)
  expect((await decide('late', job.lines[5]?.id)).status).toBe(404)
  await doneOn(job, 3, '2026-08-01')
  await wake('2026-09-05', job)
  await doneOn(job, 4, '2026-09-30')
  expect((await wake('2026-11-03', job)).lines[5]?.standing).toMatchObject({ state: 'upcoming', opensOn: '2026-11-04' })
  await wake('2026-11-04', job)
  const end = await doneOn(job, 5, '2026-11-10')
  expect(states(end)).toEqual(['done', 'done', 'missed', 'done', 'done', 'done'])
  await wake('2027-02-15', job)
  expect((await fresh(job)).flags).toContain('action_required')
})

it('a round that is opened again takes the next one back; undo of its placing brings it back to the due list', async () => {
  await on('2026-04-15')
  const { job } = await putOn()
  // What is past was left out.
  expect(job.lines).toHaveLength(5)
  expect(states(job)[0]).toBe('due')
  const done = await doneOn(job, 0, '2026-05-04')
  expect(done.lines[1]?.standing?.opensOn).toBe('2026-06-01')
  expect(states(await wake('2026-06-02', job)).slice(0, 2)).toEqual(['done', 'due'])
  const first = done.lines[0]?.standing?.visitId ?? ''
  await api.ok(visitsApi.reopen, { params: { visitId: first }, body: { reason: 'Wrong lawn' } })
  await runTasks()
  expect(states(await fresh(job)).slice(0, 2)).toEqual(['planned', 'upcoming'])
  await api.ok(visitsApi.finish, { params: { visitId: first }, body: {} })
  await runTasks()
  await on('2026-06-30')
  await night()
  const visitId = (await fresh(job)).lines[1]?.standing?.visitId ?? ''
  expect(visitId).not.toBe('')
  const { plan } = await api.ok(routesApi.move, { body: { visitId, day: '2026-07-01', crewId } })
  expect(states(await fresh(job))[1]).toBe('planned')
  await api.ok(routesApi.undo, { body: { day: '2026-07-01', changeId: plan.undo?.id ?? '' } })
  expect(states(await fresh(job))[1]).toBe('due')
  const due = await api.ok(calendarApi.due, { query: { day: '2026-07-01' } })
  expect(due.items.map((one) => one.id)).toContain(visitId)
})

it('pause, cancel and a line that goes take what is due off the list; resume brings it back once', async () => {
  await on('2026-04-15')
  const { job } = await putOn()
  const act = (verb: 'pause' | 'resume' | 'cancel' | 'reactivate') =>
    api.ok(jobsApi.act, { params: { id: job.id, verb }, body: { until: null } })
  expect(states(await act('pause'))[0]).toBe('upcoming')
  await night()
  expect((await visitsOf(job)).length).toBe(0)
  expect(states(await act('resume'))[0]).toBe('due')
  await placed(job, 0, '2026-04-20')
  expect((await act('cancel')).openVisits).toBe(0)
  expect(states(await act('reactivate'))[0]).toBe('due')
  const now = await fresh(job)
  const drafts = now.lines.slice(1).map(({ id, serviceId, undated }) => ({ id, serviceId, recurrence: null, undated }))
  const body = { version: now.version, lines: drafts } as never
  expect((await api.ok(jobsApi.previewChange, { params: { id: job.id }, body })).removed).toBe(1)
  const changed = await api.ok(jobsApi.update, { params: { id: job.id }, body })
  expect(changed).toMatchObject({ openVisits: 0 })
  expect(changed.lines).toHaveLength(4)
})

it('a new price reaches the round that is due, not the one that is done', async () => {
  await on('2026-04-15')
  const { job } = await putOn()
  await doneOn(job, 0, '2026-04-20')
  const now = await wake('2026-06-02', job)
  const lines = now.lines.map(({ id, serviceId, undated }) => ({
    id,
    serviceId,
    recurrence: null,
    undated,
    unitPriceCents: 7700,
  }))
  await api.ok(jobsApi.update, { params: { id: job.id }, body: { version: now.version, lines } as never })
  const [done, due] = await visitsOf(job)
  expect([done?.priceCents === 7700, due?.priceCents]).toEqual([false, 7700])
})

it('is put on once a year, also by two tabs at once, and by who sees no prices', async () => {
  await on('2026-03-01')
  const { input, job } = await putOn()
  const again = await api.call(programsApi.putOn, input)
  expect(again.status).toBe(409)
  expect(JSON.stringify(again.body)).toContain(`J-${job.number}`)
  const lawn = await aLawn(business)
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 9000 }).where('id', '=', lawn.propertyId).execute(),
  )
  const both = await Promise.all(
    [1, 2].map(() =>
      api.call(programsApi.putOn, { params: { id: programId }, body: { propertyId: lawn.propertyId, year: 2026 } }),
    ),
  )
  expect(both.map((one) => one.status).sort()).toEqual([200, 409])
  const next = await api.ok(programsApi.putOn, { params: input.params, body: { ...input.body, year: 2027 } })
  expect(next.lines[0]?.undated).toMatchObject({ opensOn: '2027-02-15' })
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
  const preview = await clerk.api.ok(programsApi.preview, {
    params: { id: programId },
    query: { propertyId: input.body.propertyId },
  })
  expect(preview).toMatchObject({ year: 2026, already: { id: job.id } })
  expect(preview.steps.every((step) => step.priceCents === null)).toBe(true)
  const other = await aLawn(business)
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 5000 }).where('id', '=', other.propertyId).execute(),
  )
  const made = await clerk.api.ok(programsApi.putOn, {
    params: { id: programId },
    body: { propertyId: other.propertyId, year: 2026 },
  })
  expect(made.lines[0]?.unitPriceCents).toBeNull()
  for (const year of [1999, 2024, 2090])
    expect(
      (await api.call(programsApi.putOn, { params: { id: programId }, body: { propertyId: other.propertyId, year } }))
        .status,
    ).toBe(422)
})

it('is edited with its version, refuses a gap that nobody can keep, and is no one else’s', async () => {
  await on('2026-03-01')
  const program = (await api.ok(programsApi.list, {})).items.find((one) => one.id === programId)
  const steps = (program?.steps ?? []).map((step, at) => (at === 1 ? { ...step, minGapDays: 200 } : step))
  const save = (body: object) =>
    api.call(programsApi.update, {
      params: { id: programId },
      body: { name: 'Lawn', version: program?.version, ...body } as never,
    })
  expect((await save({ steps })).status).toBe(422)
  expect((await save({ steps: program?.steps, version: 99 })).status).toBe(409)
  expect((await save({ steps: [{ ...program?.steps[0], serviceId: newId() }] })).status).toBe(404)
  const other = await aBusiness()
  for (const call of [
    other.api.call(programsApi.archive, { params: { id: programId }, body: { version: 1 } }),
    other.api.call(programsApi.preview, { params: { id: programId }, query: { propertyId: newId() } }),
    other.api.call(programsApi.putOn, { params: { id: programId }, body: { propertyId: newId(), year: 2026 } }),
  ])
    expect((await call).status).toBe(404)
  const archived = await api.ok(programsApi.archive, {
    params: { id: programId },
    body: { version: program?.version ?? 0 },
  })
  expect(archived.can).toEqual({ update: false, archive: false, restore: true, putOn: false })
  const lawn = await aLawn(business)
  expect(
    (
      await api.call(programsApi.putOn, {
        params: { id: programId },
        body: { propertyId: lawn.propertyId, year: 2026 },
      })
    ).status,
  ).toBe(409)
  await api.ok(programsApi.restore, { params: { id: programId }, body: { version: archived.version } })
})

it('says before it is put on where another job does the same work then', async () => {
  await on('2026-03-01')
  const { propertyId } = await aLawn(business)
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 9000 }).where('id', '=', propertyId).execute(),
  )
  const also = async () =>
    (await api.ok(programsApi.preview, { params: { id: programId }, query: { propertyId, year: 2026 } })).steps.map(
      (step) => step.also?.number ?? null,
    )
  expect(new Set(await also())).toEqual(new Set([null]))
  const recurrence = {
    freq: 'week' as const,
    interval: 2,
    weekdays: [2],
    phaseOn: '2026-03-03',
    holiday: 'next' as const,
    exceptions: [],
  }
  const plain = await api.ok(jobsApi.create, {
    body: {
      propertyId,
      startOn: '2026-03-01',
      endOn: '2026-05-31',
      lines: [{ serviceId: treat, recurrence }],
    } as never,
  })
  // Rounds whose window opens after the job ends are not the same work twice.
  const windows = (await api.ok(programsApi.preview, { params: { id: programId }, query: { propertyId, year: 2026 } }))
    .steps
  expect(await also()).toEqual(windows.map(({ opensOn }) => (opensOn <= '2026-05-31' ? plain.number : null)))
  expect(new Set(await also()).size).toBe(2)
})
