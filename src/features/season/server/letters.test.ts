import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { accept, aSeason, openIds, planned, today } from '../../../test/season.ts'
import { jobEditsApi } from '../../jobs/bulk/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import type { Recurrence } from '../../jobs/rules.ts'
import { type SeasonLetters, seasonApi } from '../contract.ts'

const noon = () => setClock(() => new Date(`${today}T12:00:00Z`))
beforeAll(noon)
afterEach(noon)
afterAll(() => resetClock())

/** A plan of which everything was taken over. */
const moved = async () => {
  const season = await aSeason()
  const run = await planned(season.business.api)
  const ids = openIds(run)
  const done = await accept(season.business.api, run, ids)
  const step = done.body.acceptances[0]
  return { ...season, run, ids, params: { id: step?.id ?? '' } }
}

const seen = (api: Api, params: { id: string }) => api.ok(seasonApi.letters, { params })
const reached = ({ counts }: SeasonLetters) => counts.texts + counts.emails
const tell = async (api: Api, params: { id: string }) =>
  api.ok(seasonApi.send, { params, body: { expected: reached(await seen(api, params)) } })

/** What waits its five minutes leaves. */
const leave = async (business: TestBusiness, minute = '06') => {
  setClock(() => new Date(`${today}T12:${minute}:00Z`))
  await ownerPool().query(
    `update graphile_worker._private_jobs set run_at = now() where payload ->> 'businessId' = $1`,
    [business.id],
  )
  await runTasks()
}

const statuses = async (business: TestBusiness) =>
  (
    await business.db((db) =>
      db
        .selectFrom('messages')
        .select('status')
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'season_acceptance')
        .execute(),
    )
  ).map((row) => row.status)

/** Changes a job by hand. */
const change = async (api: Api, id: string, rule: Partial<Recurrence>, more: object = {}) => {
  const { version, lines } = await api.ok(jobsApi.get, { params: { id } })
  const [line] = lines
  const recurrence = { ...(line?.recurrence as Recurrence), ...rule }
  await api.ok(jobsApi.update, {
    params: { id },
    body: { version, lines: [{ id: line?.id, serviceId: line?.serviceId, recurrence, ...more }] } as never,
  })
}

/** Jobs whose customers have an address, so that they can be told. */
const customersOf = (business: TestBusiness, jobIds: readonly string[]) =>
  business.db((db) =>
    db
      .selectFrom('jobs as j')
      .innerJoin('customers as c', (x) =>
        x.onRef('c.businessId', '=', 'j.businessId').onRef('c.id', '=', 'j.customerId'),
      )
      .select(['j.id as jobId', 'c.id', 'c.email'])
      .where('j.businessId', '=', business.id)
      .where('j.id', 'in', [...jobIds])
      .orderBy('j.id')
      .execute(),
  )

describe('letters say what is so', () => {
  it('name the work where an address has more than one, in the language of the customer', async () => {
    const { business, jobs, params } = await moved()
    const { api } = business
    const before = await seen(api, params)
    const [one] = before.items
    expect(one?.text).not.toContain('(')
    // Two addresses of those who moved, one of them Spanish, get other work as well.
    const meant = before.items.map((item) => item.customerId)
    await business.db(async (db) => {
      const { id: beds } = await db
        .selectFrom('services')
        .select('id')
        .where('businessId', '=', business.id)
        .where('code', '=', 'bed-weeding')
        .executeTakeFirstOrThrow()
      // The lines of another job of the same town come to the first one's address.
      const other = jobs.find((job) => !meant.includes(job.customerId))
      const to = await db
        .selectFrom('properties')
        .select(['id', 'customerId'])
        .where('businessId', '=', business.id)
        .where('customerId', '=', one?.customerId ?? '')
        .executeTakeFirstOrThrow()
      await db
        .updateTable('jobs')
        .set({ propertyId: to.id, customerId: to.customerId })
        .where('businessId', '=', business.id)
        .where('id', '=', other?.id ?? '')
        .execute()
      await db
        .updateTable('jobLines')
        .set({ serviceId: beds })
        .where('businessId', '=', business.id)
        .where('jobId', '=', other?.id ?? '')
        .execute()
      await db
        .updateTable('customers')
        .set({ language: 'es' })
        .where('businessId', '=', business.id)
        .where('id', '=', to.customerId)
        .execute()
    })
    const items = (await seen(api, params)).items
    expect(items.find((item) => item.customerId === one?.customerId)?.text).toMatch(/Oak St \(.*[Cc]or.*\): cada /)
    expect(items.filter((item) => item.text.includes('('))).toHaveLength(1)
  })

  it('are told of when they have left, and not before; called back they told nobody', async () => {
    const { business, run, params } = await moved()
    const { api } = business
    const step = async () => (await api.ok(seasonApi.run, { params: { id: run.id } })).acceptances[0]?.letters
    expect(await step()).toEqual({ waiting: 0, left: 0, stayed: 0 })
    const letters = reached(await seen(api, params))
    await tell(api, params)
    expect(await step()).toEqual({ waiting: letters, left: 0, stayed: 0 })
    const undone = await api.ok(seasonApi.undo, { params })
    expect(undone.run.acceptances[0]?.letters).toEqual({ waiting: 0, left: 0, stayed: letters })
    const second = await moved()
    const sent = reached(await seen(second.business.api, second.params))
    await tell(second.business.api, second.params)
    await leave(second.business)
    const now = await second.business.api.ok(seasonApi.run, { params: { id: second.run.id } })
    expect(now.acceptances[0]?.letters).toEqual({ waiting: 0, left: sent, stayed: 0 })
  })

  it('an undo among the changes of many recalls them, and is known when that change is forgotten', async () => {
    const { business, run, params, ids } = await moved()
    const { api } = business
    await tell(api, params)
    const { items } = await api.ok(jobEditsApi.list, {})
    await api.ok(jobEditsApi.undo, { params: { id: items[0]?.id ?? '' } })
    await runTasks()
    expect(new Set(await statuses(business))).toEqual(new Set(['suppressed']))
    await business.db((db) => db.deleteFrom('jobEdits').where('businessId', '=', business.id).execute())
    const now = await api.ok(seasonApi.run, { params: { id: run.id } })
    expect(now.acceptances[0]).toMatchObject({ undoneMoves: ids.length, can: { undo: false } })
    expect((await seen(api, params)).items).toEqual([])
  })

  it('a job that was set to another day since, or is archived, is not told', async () => {
    const { business, params, ids } = await moved()
    const { api } = business
    const all = await seen(api, params)
    expect(all.items).toHaveLength(ids.length)
    await change(api, ids[0] ?? '', { weekdays: [5] })
    await business.db((db) =>
      db
        .updateTable('jobs')
        .set({ archivedAt: `${today}T12:00:00Z` })
        .where('businessId', '=', business.id)
        .where('id', '=', ids[1] ?? '')
        .execute(),
    )
    const gone = new Set((await customersOf(business, ids.slice(0, 2))).map((one) => one.id))
    const left = await seen(api, params)
    expect(left.items.map((item) => item.customerId)).toEqual(
      all.items.map((item) => item.customerId).filter((id) => !gone.has(id)),
    )
  })

  it('taken back in part, those who stay moved are told as before', async () => {
    const { business, params, ids } = await moved()
    const { api } = business
    const told = reached(await seen(api, params))
    await tell(api, params)
    const [known] = (await customersOf(business, ids)).filter((one) => one.email !== null)
    // Another price since: it stays where it is when the rest is taken back.
    await change(api, known?.jobId ?? '', {}, { unitPriceCents: 6000 })
    const undone = await api.ok(seasonApi.undo, { params })
    expect([undone.told, undone.restoredJobs]).toEqual([0, ids.length - 1])
    const waiting = (await statuses(business)).filter((status) => status === 'pending' || status === 'held')
    expect(waiting).toHaveLength(1)
    expect((await statuses(business)).filter((status) => status === 'suppressed')).toHaveLength(told - 1)
    await leave(business)
    expect(new Set(await statuses(business))).toEqual(new Set(['suppressed', 'sent']))
  })

  it('who was told before it was taken back is told once that the day stays', async () => {
    const { business, params } = await moved()
    const { api } = business
    await tell(api, params)
    await leave(business)
    const { counts } = await seen(api, params)
    const undone = await api.ok(seasonApi.undo, { params })
    expect(undone.told).toBe(counts.told)
    expect(undone.run.acceptances[0]?.can.send).toBe(true)
    const after = await seen(api, params)
    expect(reached(after)).toBe(counts.told)
    for (const item of after.items) {
      expect(item.kind).toBe('stays')
      expect(item.text).toMatch(
        item.language === 'es'
          ? /su día de servicio no cambia.*: cada (martes|jueves), como antes/
          : /your service day stays after all.*: every (Tues|Thurs)day, as before/,
      )
    }
    await tell(api, params)
    const again = await api.call(seasonApi.send, { params, body: { expected: counts.told } })
    expect([again.status, again.error.message]).toEqual([409, 'This was taken back: there is nothing to tell.'])
  })

  it('go to everybody who gets news of visits and to nobody who wants none; one that was suppressed told nobody', async () => {
    const { business, params, ids } = await moved()
    const { api } = business
    const [first, second] = (await customersOf(business, ids)).filter((one) => one.email !== null)
    await business.db(async (db) => {
      await db
        .insertInto('customerContacts')
        .values({
          ...{ businessId: business.id, id: newId(), customerId: first?.id ?? '', name: 'Tenant' },
          ...{ email: `tenant-${first?.id}@test.swath.test`, visitsBy: 'email' },
        })
        .execute()
      await db
        .insertInto('customerNotices')
        .values({ businessId: business.id, customerId: second?.id ?? '', muted: ['moved'] })
        .execute()
    })
    const before = await seen(api, params)
    expect(before.items.find((item) => item.customerId === second?.id)).toMatchObject({
      channel: null,
      reason: 'Wants no word of moves',
    })
    await tell(api, params)
    const rows = await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['customerId', 'address'])
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'season_acceptance')
        .execute(),
    )
    expect(rows.filter((row) => row.customerId === first?.id).map((row) => row.address)).toContain(
      `tenant-${first?.id}@test.swath.test`,
    )
    expect(rows.some((row) => row.customerId === second?.id)).toBe(false)
    await business.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'suppressed' })
        .where('businessId', '=', business.id)
        .where('customerId', '=', first?.id ?? '')
        .execute(),
    )
    const after = await seen(api, params)
    expect(after.items.find((item) => item.customerId === first?.id)?.sentAt).toBeNull()
    expect(after.counts.told).toBe(before.counts.emails - 1)
    // And they can be told anew.
    expect((await tell(api, params)).counts.told).toBe(before.counts.emails)
  })
})

describe('called back by hand', () => {
  it('what has not left stays here, the step stays, and they can be told anew; what has left cannot', async () => {
    const { business, params, ids } = await moved()
    const { api } = business
    const told = await tell(api, params)
    expect(told.counts.waiting).toBe(told.counts.told)
    // Changed by hand since: its letter says what is not so any more.
    const [known] = (await customersOf(business, ids)).filter((one) => one.email !== null)
    await change(api, known?.jobId ?? '', { weekdays: [5] })
    const before = await seen(api, params)
    expect(before.items.filter((item) => !item.holds).map((item) => item.customerId)).toEqual([known?.id])
    const after = await api.ok(seasonApi.recall, { params })
    expect(new Set(await statuses(business))).toEqual(new Set(['suppressed']))
    expect([after.counts.told, after.counts.waiting]).toEqual([0, 0])
    // Whose day is another one is not told of the one of the plan.
    expect(reached(after)).toBe(told.counts.told - 1)
    await leave(business)
    expect(new Set(await statuses(business))).toEqual(new Set(['suppressed']))
    await tell(api, params)
    await leave(business, '12')
    const late = await api.call(seasonApi.recall, { params })
    expect([late.status, late.error.message]).toEqual([
      409,
      'No letter of this step waits any more: what has left cannot be called back.',
    ])
    const stranger = await aBusiness()
    expect((await stranger.api.call(seasonApi.recall, { params })).status).toBe(404)
  })

  it('after a step was taken back, the letters that the day stays are called back, too', async () => {
    const { business, params } = await moved()
    const { api } = business
    await tell(api, params)
    await leave(business)
    await api.ok(seasonApi.undo, { params })
    const stays = await tell(api, params)
    expect(stays.counts.waiting).toBeGreaterThan(0)
    const after = await api.ok(seasonApi.recall, { params })
    expect(after.counts).toMatchObject({ told: 0, waiting: 0 })
    expect(reached(after)).toBe(stays.counts.waiting)
    expect(after.items.every((item) => item.kind === 'stays')).toBe(true)
  })
})

describe('steps of several plans', () => {
  it('two plans of the same work: the second one is for other work by then, also at the same moment', async () => {
    const { business } = await aSeason()
    const { api } = business
    const [one, two] = [await planned(api), await planned(api)]
    const answers = await Promise.all([accept(api, one, openIds(one)), accept(api, two, openIds(two))])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    const steps = await business.db((db) =>
      db.selectFrom('seasonAcceptances').select('id').where('businessId', '=', business.id).execute(),
    )
    expect(steps).toHaveLength(1)
  })

  it('a plan that was taken over stays in the list, however many searches come after it', async () => {
    const { business, run } = await moved()
    const { api } = business
    await business.db(async (db) => {
      for (let n = 0; n < 14; n++)
        await db
          .insertInto('seasonRuns')
          .values({
            ...{ businessId: business.id, id: newId(), kind: 'plan', label: 'Season plan', request: 'null' },
            ...{ status: 'failed', error: 'Cut off', heartbeatAt: `${today}T12:00:00Z`, state: '{}' },
            createdAt: `${today}T13:${String(10 + n)}:00Z`,
          })
          .execute()
    })
    const { runs } = await api.ok(seasonApi.overview, {})
    expect(runs.find((one) => one.id === run.id)).toMatchObject({
      status: 'ready',
      savedSecondsYear: (run.result?.before.driveSecondsYear ?? 0) - (run.result?.after.driveSecondsYear ?? 0),
    })
  })
})
