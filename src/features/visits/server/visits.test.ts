import { beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today } from '../../../test/field.ts'
import { visitsApi } from '../contract.ts'
import { enRouteVisitTx, finishVisitTx, pauseVisitTx, skipVisitTx, startVisitTx } from './commands.ts'

let business: TestBusiness
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
})

const act = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant({ businessId: business.id }, work)
const get = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const routeOf = (crewId: string) =>
  business.db((db) =>
    db
      .selectFrom('routes')
      .select(['status', 'dirty'])
      .where('businessId', '=', business.id)
      .where('crewId', '=', crewId)
      .executeTakeFirst(),
  )

describe('the work on a visit', () => {
  it('counts spells and leaves pauses out, and follows the route', async () => {
    const members = [await business.employee(), await business.employee()]
    const crewId = await aCrew(business, { members })
    const { visitId } = await aVisit(business, { crewId, position: 1 })
    await publishDay(business, crewId)
    const who = systemActor(business.id)
    await act((db) => enRouteVisitTx(db, who, visitId, { at: '2026-06-12T12:50:00Z' }))
    await act((db) => startVisitTx(db, who, visitId, { at: '2026-06-12T13:00:00Z' }))
    expect(await routeOf(crewId)).toEqual({ status: 'started', dirty: false })
    await act((db) => pauseVisitTx(db, who, visitId, { at: '2026-06-12T13:10:00Z' }))
    await act((db) => startVisitTx(db, who, visitId, { at: '2026-06-12T13:30:00Z' }))
    await act((db) => finishVisitTx(db, who, visitId, { at: '2026-06-12T13:35:00Z', note: 'Sprinkler head broken' }))
    const visit = await get(visitId)
    expect(visit).toMatchObject({
      status: 'completed',
      workedSeconds: 15 * 60,
      people: 2,
      note: 'Sprinkler head broken',
      startedAt: '2026-06-12T13:00:00.000Z',
    })
    expect(await routeOf(crewId)).toEqual({ status: 'closed', dirty: false })
  })

  it('starts when it ends if nobody pressed Start', async () => {
    const { visitId } = await aVisit(business)
    await act((db) => finishVisitTx(db, systemActor(business.id), visitId, { at: '2026-06-12T13:00:00Z' }))
    expect(await get(visitId)).toMatchObject({
      startedAt: '2026-06-12T13:00:00.000Z',
      finishedAt: '2026-06-12T13:00:00.000Z',
      workedSeconds: 0,
      people: 1,
    })
  })
})

describe('the office', () => {
  it('moves a visit, says so to the route that was sent, and keeps where it came from', async () => {
    const [a, b] = [await aCrew(business), await aCrew(business, { workDays: everyDay })]
    const { visitId } = await aVisit(business, { crewId: a, position: 1 })
    await publishDay(business, a)
    const before = await get(visitId)
    const day = addDays(today(), 1)
    const body = { day, crewId: b, version: before.version }
    const moved = await business.api.ok(visitsApi.move, { params: { visitId }, body })
    expect(moved).toMatchObject({ day, crewId: b, movedFrom: today(), status: 'scheduled' })
    expect(await routeOf(a)).toEqual({ status: 'published', dirty: true })
    const stale = await business.api.call(visitsApi.move, { params: { visitId }, body })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
  })

  it('cannot move what is being worked on, nor to a crew that is not ours', async () => {
    const { visitId } = await aVisit(business, { status: 'in_progress' })
    const answer = await business.api.call(visitsApi.move, {
      params: { visitId },
      body: { day: today(), crewId: null },
    })
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
    const other = await aBusiness()
    const foreignCrew = await aCrew(other)
    const free = await aVisit(business)
    const foreign = await business.api.call(visitsApi.move, {
      params: { visitId: free.visitId },
      body: { day: today(), crewId: foreignCrew },
    })
    expect(foreign.status).toBe(404)
    expect((await get(free.visitId)).version).toBe(1)
  })

  it('takes a visit off the calendar and puts it back', async () => {
    const { visitId } = await aVisit(business)
    const off = await business.api.ok(visitsApi.move, { params: { visitId }, body: { day: null, crewId: null } })
    expect(off).toMatchObject({ status: 'unscheduled', day: null })
    const on = await business.api.ok(visitsApi.move, { params: { visitId }, body: { day: today(), crewId: null } })
    expect(on).toMatchObject({ status: 'scheduled', day: today() })
  })

  it('rebooks a skipped visit once, with its lines', async () => {
    const { visitId } = await aVisit(business, { priceCents: 6100 })
    await act((db) => skipVisitTx(db, systemActor(business.id), visitId, { reason: 'too_wet' }))
    const day = addDays(today(), 2)
    const key = { 'idempotency-key': newId() }
    const made = await business.api.ok(visitsApi.rebook, { params: { visitId }, body: { day } }, key)
    expect(made).toMatchObject({ day, status: 'scheduled', priceCents: 6100, origin: 'rebook' })
    expect(made.lines).toHaveLength(1)
    const again = await business.api.ok(visitsApi.rebook, { params: { visitId }, body: { day } }, key)
    expect(again.id).toBe(made.id)
    const second = await business.api.call(visitsApi.rebook, { params: { visitId }, body: { day } })
    expect(second.status).toBe(409)
    expect((await get(visitId)).rebookedAs).toBe(made.id)
    await runTasks()
  })

  it('reopens a finished visit with a reason, but not one on an invoice', async () => {
    const { visitId, customerId } = await aVisit(business, { status: 'completed' })
    const missing = await business.api.call(visitsApi.reopen, { params: { visitId }, body: { reason: ' ' } })
    expect(missing.status).toBe(422)
    expect((await get(visitId)).status).toBe('completed')
    const open = await business.api.ok(visitsApi.reopen, { params: { visitId }, body: { reason: 'Back yard left' } })
    expect(open).toMatchObject({ status: 'paused', finishedAt: null })
    await business.api.ok(visitsApi.finish, { params: { visitId }, body: { minutes: 20, people: 2 } })
    const invoiceId = newId()
    await business.db(async (db) => {
      await db
        .insertInto('invoices')
        .values({ businessId: business.id, id: invoiceId, number: 1, customerId })
        .execute()
      await db
        .updateTable('visits')
        .set({ invoiceId })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute()
    })
    const refused = await business.api.call(visitsApi.reopen, { params: { visitId }, body: { reason: 'x' } })
    expect(refused.status).toBe(409)
    expect(await get(visitId)).toMatchObject({ status: 'completed', workedSeconds: 1200, people: 2 })
  })

  it('needs words for "other" and cancels only what has not begun', async () => {
    const { visitId } = await aVisit(business)
    const silent = await business.api.call(visitsApi.skip, { params: { visitId }, body: { reason: 'other' } })
    expect(silent.status).toBe(422)
    const canceled = await business.api.ok(visitsApi.cancel, { params: { visitId }, body: { reason: 'Moved away' } })
    expect(canceled.status).toBe('canceled')
    const skipped = await business.api.call(visitsApi.skip, { params: { visitId }, body: { reason: 'dog' } })
    expect(skipped.status).toBe(409)
  })

  it('hides visits of others, and keeps employees and lapsed businesses from changing them', async () => {
    const other = await aBusiness({ tier: null })
    const { visitId } = await aVisit(business)
    expect((await other.api.call(visitsApi.get, { params: { visitId } })).status).toBe(404)
    const mine = await aVisit(other)
    const lapsed = await other.api.call(visitsApi.cancel, { params: { visitId: mine.visitId }, body: {} })
    expect(lapsed.status).toBe(402)
    expect((await other.api.call(visitsApi.get, { params: { visitId: mine.visitId } })).status).toBe(200)
    const employee = await business.employee()
    expect((await employee.api.call(visitsApi.list, {})).status).toBe(403)
  })
})

describe('the list', () => {
  it('pages by day, filters, and shows prices only to who may see money', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    for (const offset of [2, 0, 1]) await aVisit(own, { day: addDays(today(), offset), crewId })
    await aVisit(own, { status: 'completed', street: '9 Wassaw Rd' })
    const first = await own.api.ok(visitsApi.list, { query: { crewId, limit: '2' as never } })
    expect([first.total, first.items.map((v) => v.day)]).toEqual([3, [today(), addDays(today(), 1)]])
    const second = await own.api.ok(visitsApi.list, { query: { crewId, cursor: first.nextCursor ?? '' } })
    expect([second.items.map((v) => v.day), second.nextCursor]).toEqual([[addDays(today(), 2)], null])
    const open = await own.api.ok(visitsApi.list, { query: { uninvoiced: 'true' as never } })
    expect(open.items.map((v) => [v.street, v.priceCents])).toEqual([['9 Wassaw Rd', 5500]])
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    const blind = await dispatcher.api.ok(visitsApi.list, { query: { q: 'wassaw' } })
    expect(blind.items.map((v) => v.priceCents)).toEqual([null])
  })
})

describe('the day board', () => {
  it('shows each crew in the order it was sent, with what is done and when it is back', async () => {
    const own = await aBusiness()
    const members = [await own.employee({ name: 'Luis Ortega' }), await own.employee({ name: 'Sam Poe' })]
    const crewId = await aCrew(own, { name: 'North', members })
    const first = await aVisit(own, { crewId, position: 1, street: '1 Oak St', budgetMinutes: 60 })
    const second = await aVisit(own, { crewId, position: 2, street: '2 Oak St' })
    await publishDay(own, crewId)
    await own.api.ok(visitsApi.move, { params: { visitId: second.visitId }, body: { day: null, crewId: null } })
    await own.api.ok(visitsApi.finish, { params: { visitId: first.visitId }, body: { minutes: 25 } })
    await aVisit(own)
    const board = await own.api.ok(visitsApi.dayBoard, {})
    expect(board.unassigned).toBe(1)
    expect(board.crews).toHaveLength(1)
    expect(board.crews[0]).toMatchObject({
      name: 'North',
      members: ['Luis', 'Sam'],
      published: true,
      dirty: true,
      counts: { total: 2, finished: 1, remaining: 1 },
      stops: [
        {
          visitId: first.visitId,
          label: '1 Oak St',
          customer: 'R. Odom',
          state: 'completed',
          minutes: 30,
          workedMinutes: 25,
        },
        { visitId: second.visitId, label: '2 Oak St' },
      ],
    })
  })
})
