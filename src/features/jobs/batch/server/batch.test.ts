import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { jobsApi } from '../../contract.ts'
import type { Recurrence } from '../../rules.ts'

const today = '2026-04-06'
const weekly: Recurrence = { freq: 'week', interval: 1, weekdays: [2], phaseOn: today, holiday: 'next', exceptions: [] }

type Spec = { squareFeet?: number | null; pin?: boolean; archived?: boolean; city?: string; tags?: string[] }
const places = async (b: TestBusiness, specs: readonly Spec[]): Promise<string[]> => {
  const rows = specs.map((spec, index) => ({ spec, index, customerId: newId(), propertyId: newId() }))
  await b.db(async (db) => {
    await db
      .insertInto('customers')
      .values(
        rows.map((r) => ({
          businessId: b.id,
          id: r.customerId,
          name: `Customer ${String(r.index).padStart(4, '0')}`,
          tags: r.spec.tags ?? ['mowing'],
        })),
      )
      .execute()
    await db
      .insertInto('properties')
      .values(
        rows.map((r) => ({
          businessId: b.id,
          id: r.propertyId,
          customerId: r.customerId,
          street: `${r.index} Oak St`,
          city: r.spec.city ?? 'Savannah',
          lawnSquareFeet: r.spec.squareFeet === undefined ? 10_000 : r.spec.squareFeet,
          latitude: r.spec.pin === false ? null : 32.05,
          longitude: r.spec.pin === false ? null : -81.1,
          archivedAt: r.spec.archived ? new Date().toISOString() : null,
        })),
      )
      .execute()
  })
  return rows.map((r) => r.propertyId)
}

const setUp = async () => {
  const b = await aBusiness()
  const { items } = await b.api.ok(servicesApi.addDefaults, {})
  return { b, mow: items.find((s) => s.code === 'mow')?.id ?? '' }
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const countOf = (b: TestBusiness, table: 'jobs' | 'visits' | 'jobBatches') =>
  b.db(async (db) => {
    const { n } = await db
      .selectFrom(table)
      .where('businessId', '=', b.id)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  })

beforeAll(() => setClock(() => new Date(`${today}T12:00:00Z`)))
afterAll(() => resetClock())

describe('a weekly mowing job for many customers', () => {
  it('looks first, then makes exactly that, with twelve weeks of visits each', async () => {
    const { b, mow } = await setUp()
    await places(b, [
      ...times(30, {}),
      { squareFeet: null },
      { pin: false },
      { archived: true },
      { tags: ['other'] },
      { city: 'Pooler' },
    ])
    const body = {
      customerFilter: { tag: ['mowing'], city: ['Savannah'] },
      serviceIds: [mow],
      recurrence: weekly,
      startOn: today,
      keepDay: true,
      billing: 'flat' as const,
    }
    const look = await b.api.ok(jobsApi.batch, { body: { ...body, dryRun: true } })
    expect(look.totals).toMatchObject({
      properties: 32,
      jobs: 30,
      exceptions: 2,
      roundCents: 30 * 5800,
      roundMinutes: 30 * 26,
      visitsPerJob: 12,
      firstOn: '2026-04-07',
      byReason: { no_lawn_size: 1, no_pin: 1 },
    })
    expect(look.items.slice(0, 2).map((i) => [i.reason, i.priceCents])).toEqual([
      ['no_lawn_size', null],
      ['no_pin', 5800],
    ])
    expect(look.days).toHaveLength(6)
    expect([await countOf(b, 'jobs'), await countOf(b, 'jobBatches')]).toEqual([0, 0])

    const wrong = await b.api.call(jobsApi.batch, { body: { ...body, expectedJobs: 31 } })
    expect([wrong.status, await countOf(b, 'jobs')]).toEqual([409, 0])

    const key = { 'idempotency-key': 'batch-of-thirty' }
    const made = await b.api.call(jobsApi.batch, { body: { ...body, expectedJobs: 30 } }, key)
    const again = await b.api.call(jobsApi.batch, { body: { ...body, expectedJobs: 30 } }, key)
    expect(made.body.batch).toMatchObject({ status: 'done', total: 30, done: 30 })
    expect(again.body.batch?.id).toBe(made.body.batch?.id)
    expect([await countOf(b, 'jobs'), await countOf(b, 'visits'), await countOf(b, 'jobBatches')]).toEqual([30, 360, 1])
    const { items, total } = await b.api.ok(jobsApi.list, { query: { batchId: made.body.batch?.id, limit: 200 } })
    const first = await b.api.ok(jobsApi.get, { params: { id: items[0]?.id ?? '' } })
    expect([first.keepDay, first.billing]).toEqual([true, 'flat'])
    expect(total).toBe(30)
    expect(new Set(items.map((i) => i.number)).size).toBe(30)
    expect(items.every((i) => i.openVisits === 12 && i.perVisitCents === 5800)).toBe(true)

    const second = await b.api.ok(jobsApi.batch, { body: { ...body, dryRun: true } })
    expect(second.totals.byReason).toMatchObject({ has_job: 30 })
    const nothing = await b.api.call(jobsApi.batch, { body })
    expect(nothing.status).toBe(409)

    const undone = await b.api.ok(jobsApi.undoBatch, { params: { id: made.body.batch?.id ?? '' } })
    expect(undone).toMatchObject({ status: 'undone', canceled: 30 })
    expect(await countOf(b, 'visits')).toBe(0)
    // A stale tab takes nothing away that somebody brought back since.
    const { id } = items[0] ?? { id: '' }
    await b.api.ok(jobsApi.act, { params: { id, verb: 'reactivate' }, body: { until: null } })
    const twice = await b.api.call(jobsApi.undoBatch, { params: { id: made.body.batch?.id ?? '' } })
    expect([twice.status, twice.error.message]).toEqual([409, expect.stringMatching(/taken back already/)])
    expect((await b.api.ok(jobsApi.get, { params: { id } })).status).toBe('active')
  })

  it('booked by two people at once is booked once', async () => {
    const { b, mow } = await setUp()
    const propertyIds = await places(b, times(4, {}))
    const body = { propertyIds, serviceIds: [mow], recurrence: weekly, startOn: today }
    const answers = await Promise.all([1, 2].map(() => b.api.call(jobsApi.batch, { body })))
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(await countOf(b, 'jobs')).toBe(4)
  })

  it('of more than 200 goes on in the background, once, with progress', async () => {
    const { b, mow } = await setUp()
    const propertyIds = await places(b, times(230, {}))
    const made = await b.api.ok(jobsApi.batch, {
      body: { propertyIds, serviceIds: [mow], recurrence: weekly, startOn: today },
    })
    expect(made.batch).toMatchObject({ status: 'running', total: 230, done: 0 })
    await runTasks()
    const id = made.batch?.id ?? ''
    expect(await b.api.ok(jobsApi.getBatch, { params: { id } })).toMatchObject({ status: 'done', done: 230 })
    expect([await countOf(b, 'jobs'), await countOf(b, 'visits')]).toEqual([230, 230 * 12])
    await runTasks()
    expect(await countOf(b, 'jobs')).toBe(230)
  })

  it('says so when it cannot go on', async () => {
    const { b, mow } = await setUp()
    const propertyIds = await places(b, times(201, {}))
    const made = await b.api.ok(jobsApi.batch, {
      body: { propertyIds, serviceIds: [mow], recurrence: weekly, startOn: today },
    })
    await b.api.ok(servicesApi.archive, { params: { id: mow } })
    await runTasks()
    const state = await b.api.ok(jobsApi.getBatch, { params: { id: made.batch?.id ?? '' } })
    expect(state).toMatchObject({ status: 'failed', done: 0 })
    expect(state.error).toMatch(/archived/)
  })

  it('undone, keeps the jobs on which a crew has worked', async () => {
    const { b, mow } = await setUp()
    const propertyIds = await places(b, times(3, {}))
    const made = await b.api.ok(jobsApi.batch, {
      body: { propertyIds, serviceIds: [mow], recurrence: weekly, startOn: today },
    })
    const { items } = await b.api.ok(jobsApi.list, { query: {} })
    const worked = await b.api.ok(jobsApi.get, { params: { id: items[0]?.id ?? '' } })
    await b.api.ok(visitsApi.finish, { params: { visitId: worked.nextVisits[0]?.id ?? '' }, body: {} })
    const undone = await b.api.ok(jobsApi.undoBatch, { params: { id: made.batch?.id ?? '' } })
    expect(undone.canceled).toBe(2)
    expect((await b.api.ok(jobsApi.get, { params: { id: worked.id } })).status).toBe('active')
    expect(await countOf(b, 'visits')).toBe(12)
  })

  it('takes a fixed price, also without a lawn size, and leaves out what is unticked', async () => {
    const { b, mow } = await setUp()
    const propertyIds = await places(b, [{ squareFeet: null }, {}, {}])
    const body = {
      propertyIds,
      serviceIds: [mow],
      recurrence: weekly,
      startOn: today,
      priceMode: 'fixed' as const,
      fixedPriceCents: 5000,
      exceptPropertyIds: propertyIds.slice(2),
    }
    const made = await b.api.ok(jobsApi.batch, { body })
    expect(made.totals).toMatchObject({ jobs: 2, byReason: { excluded: 1 }, roundCents: 10_000 })
    const { items } = await b.api.ok(jobsApi.list, { query: {} })
    expect(items.map((i) => i.perVisitCents)).toEqual([5000, 5000])
    const dispatcher = await b.admin()
    await b.db((db) =>
      db
        .updateTable('users')
        .set({ permissions: ['schedule'] })
        .where('businessId', '=', b.id)
        .where('id', '=', dispatcher.userId)
        .execute(),
    )
    expect((await dispatcher.api.call(jobsApi.batch, { body: { ...body, dryRun: true } })).status).toBe(403)
  })

  it('is refused for foreign ids, employees and nonsense, and changes nothing', async () => {
    const { b, mow } = await setUp()
    const other = await setUp()
    const [mine = '', theirs = ''] = [...(await places(b, [{}])), ...(await places(other.b, [{}]))]
    const body = { propertyIds: [mine], serviceIds: [mow], recurrence: weekly, startOn: today }
    const crewId = newId()
    await other.b.db((db) =>
      db.insertInto('crews').values({ businessId: other.b.id, id: crewId, name: 'X', color: '#14432f' }).execute(),
    )
    const status = async (changes: Record<string, unknown>) =>
      (await b.api.call(jobsApi.batch, { body: { ...body, ...changes } as typeof body })).status
    expect(await status({ crewId })).toBe(404)
    expect(await status({ propertyIds: [mine, theirs] })).toBe(404)
    expect(await status({ serviceIds: [other.mow] })).toBe(404)
    expect(await status({ customerFilter: {} })).toBe(422)
    expect(await status({ recurrence: null })).toBe(422)
    expect(await status({ endOn: '2026-01-01' })).toBe(422)
    expect(await status({ priceMode: 'fixed' })).toBe(422)
    const employee = await b.employee()
    expect((await employee.api.call(jobsApi.batch, { body })).status).toBe(403)
    expect([await countOf(b, 'jobs'), await countOf(b, 'jobBatches')]).toEqual([0, 0])
    const made = await b.api.ok(jobsApi.batch, { body })
    const id = made.batch?.id ?? ''
    expect((await other.b.api.call(jobsApi.getBatch, { params: { id } })).status).toBe(404)
    expect((await other.b.api.call(jobsApi.undoBatch, { params: { id } })).status).toBe(404)
  })
})
