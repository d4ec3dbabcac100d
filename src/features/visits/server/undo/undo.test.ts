import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today } from '../../../../test/field.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { type Visit, visitsApi } from '../../contract.ts'

// A Wednesday, 2 PM where the business is.
let own: TestBusiness
beforeAll(async () => {
  setClock(() => new Date('2026-06-10T18:00:00Z'))
  own = await aBusiness()
})
afterAll(() => resetClock())

const get = (visitId: string) => own.api.ok(visitsApi.get, { params: { visitId } })
const undo = (visit: Pick<Visit, 'id' | 'version'>) =>
  own.api.call(visitsApi.undo, { params: { visitId: visit.id }, body: { version: visit.version } })
const rowOf = async (visitId: string) => {
  const {
    version: _,
    updatedAt: __,
    ...row
  } = await own.db((db) =>
    db
      .selectFrom('visits')
      .selectAll()
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .executeTakeFirstOrThrow(),
  )
  return row
}
const dirtyOf = async (crewId: string) =>
  (
    await own.db((db) =>
      db
        .selectFrom('routes')
        .select(['dirty', 'status'])
        .where('businessId', '=', own.id)
        .where('crewId', '=', crewId)
        .executeTakeFirstOrThrow(),
    )
  ).dirty
const at = (visitId: string) => ({ params: { visitId } })

type Do = (visitId: string, version: number) => Promise<Visit>
const deeds: Record<string, Do> = {
  'a skip': (id, version) => own.api.ok(visitsApi.skip, { ...at(id), body: { reason: 'dog', version } }),
  'a move': (id, version) =>
    own.api.ok(visitsApi.move, { ...at(id), body: { day: addDays(today(), 1), crewId: null, version } }),
  'a visit that was taken off the calendar': (id, version) =>
    own.api.ok(visitsApi.move, { ...at(id), body: { day: null, crewId: null, version } }),
  'a cancellation': (id, version) => own.api.ok(visitsApi.cancel, { ...at(id), body: { reason: 'Away', version } }),
  'a finish': (id, version) =>
    own.api.ok(visitsApi.finish, { ...at(id), body: { startMinute: 540, endMinute: 600, note: 'By phone', version } }),
}

describe('Undo puts back', () => {
  it.each(Object.entries(deeds))('%s, with its place on the plan that was sent', async (_, deed) => {
    const crewId = await aCrew(own, { members: [await own.employee()] })
    const { visitId } = await aVisit(own, { crewId, position: 1, startMinute: 480 })
    await aVisit(own, { crewId, position: 2, startMinute: 540 })
    await publishDay(own, crewId)
    const before = await rowOf(visitId)
    const done = await deed(visitId, 1)
    expect(await rowOf(visitId)).not.toEqual(before)
    const answer = await undo(done)
    expect(answer.status, answer.text).toBe(200)
    expect(await rowOf(visitId)).toEqual(before)
    expect(await dirtyOf(crewId)).toBe(false)
    // The history keeps both, and nothing is left to undo.
    expect(answer.body.history.map((line) => line.text)[0]).toMatch(/^Took back/)
    expect((await undo(answer.body)).status).toBe(409)
  })

  it('work that was going on, as it went on', async () => {
    const crewId = await aCrew(own, { members: [await own.employee()] })
    const { visitId } = await aVisit(own, { crewId, status: 'in_progress' })
    const since = { startedAt: '2026-06-10T17:30:00.000Z', intervalStartedAt: '2026-06-10T17:40:00.000Z' }
    await own.db((db) => db.updateTable('visits').set(since).where('id', '=', visitId).execute())
    const before = await rowOf(visitId)
    await undo(await own.api.ok(visitsApi.skip, { ...at(visitId), body: { reason: 'too_wet' } }))
    expect(await rowOf(visitId)).toEqual(before)
  })

  it.each(['skipped', 'canceled', 'completed'] as const)('%s, after it was brought back', async (status) => {
    const { visitId } = await aVisit(own, { status })
    const before = await rowOf(visitId)
    const open = await own.api.ok(visitsApi.reopen, { ...at(visitId), body: { reason: 'By mistake' } })
    expect(open.status).toBe(status === 'completed' ? 'paused' : 'scheduled')
    expect((await undo(open)).body.status).toBe(status)
    expect(await rowOf(visitId)).toEqual(before)
  })

  it('another day for a skipped visit: the new one is gone, the old one can get a day again', async () => {
    const { visitId } = await aVisit(own, { status: 'skipped' })
    const body = { day: addDays(today(), 1) }
    const made = await own.api.ok(visitsApi.rebook, { ...at(visitId), body })
    expect(made.rebookedFrom?.id).toBe(visitId)
    const answer = await undo(made)
    expect(answer.body).toMatchObject({ id: visitId, status: 'skipped', rebookedAs: null, can: { rebook: true } })
    expect((await own.api.call(visitsApi.get, at(made.id))).status).toBe(404)
    expect((await own.api.call(visitsApi.rebook, { ...at(visitId), body })).status).toBe(200)
  })

  it('the services that were not done, with their price', async () => {
    const { visitId } = await aVisit(own, { priceCents: 5500 })
    const [first] = (await get(visitId)).lines
    const extra = newId()
    await own.db(async (db) => {
      const line = { serviceId: first?.serviceId ?? '', unitPriceCents: 2000, budgetMinutes: 10 }
      await db
        .insertInto('visitLines')
        .values({ ...line, businessId: own.id, id: extra, visitId, position: 1 })
        .execute()
      await db.updateTable('visits').set({ priceCents: 7500 }).where('id', '=', visitId).execute()
    })
    const done = await own.api.ok(visitsApi.finish, { ...at(visitId), body: { lineIds: [first?.id ?? ''] } })
    expect([done.priceCents, done.lines.map((line) => line.id)]).toEqual([5500, [first?.id]])
    const back = (await undo(done)).body
    expect([back.priceCents, back.lines.map((line) => line.totalCents)]).toEqual([7500, [5500, 2000]])
    const foreign = await own.api.call(visitsApi.finish, { ...at(visitId), body: { lineIds: [newId()] } })
    expect(foreign.status).toBe(422)
  })

  it('once, however often it is clicked, and never over what happened since', async () => {
    const { visitId, customerId } = await aVisit(own)
    const skipped = await own.api.ok(visitsApi.skip, { ...at(visitId), body: { reason: 'dog' } })
    const key = { 'idempotency-key': newId() }
    const call = () => own.api.ok(visitsApi.undo, { ...at(visitId), body: { version: skipped.version } }, key)
    const [one, two] = [await call(), await call()]
    expect([one.version, two.version]).toEqual([3, 3])
    expect((await undo(skipped)).error.code).toBe('version_conflict')
    const done = await own.api.ok(visitsApi.finish, { ...at(visitId), body: {} })
    await own.api.ok(invoicesApi.createBatch, { body: { send: false, customerIds: [customerId] } as never })
    const billed = await get(visitId)
    expect(billed.invoice?.number).toBeGreaterThan(1000)
    expect([(await undo(done)).error.code, (await undo(billed)).error.code]).toEqual([
      'version_conflict',
      'state_conflict',
    ])
    expect((await get(visitId)).status).toBe('completed')
  })

  it('for nobody else: another business, an employee, a version that was never shown', async () => {
    const { visitId } = await aVisit(own)
    const { version } = await own.api.ok(visitsApi.skip, { ...at(visitId), body: { reason: 'dog' } })
    const input = { ...at(visitId), body: { version } }
    expect((await (await aBusiness()).api.call(visitsApi.undo, input)).status).toBe(404)
    expect((await (await own.employee()).api.call(visitsApi.undo, input)).status).toBe(403)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money', 'customers'] })
    expect((await clerk.api.call(visitsApi.undo, input)).status).toBe(403)
    expect((await own.api.call(visitsApi.undo, { ...at(visitId), body: {} as never })).status).toBe(422)
    expect((await get(visitId)).status).toBe('skipped')
  })
})

describe('bringing a visit back', () => {
  it('is refused while it has another day, and works once that one is canceled', async () => {
    const { visitId } = await aVisit(own, { status: 'skipped' })
    const made = await own.api.ok(visitsApi.rebook, { ...at(visitId), body: { day: addDays(today(), 1) } })
    expect((await own.api.call(visitsApi.reopen, { ...at(visitId), body: {} })).status).toBe(409)
    await own.api.ok(visitsApi.cancel, { ...at(made.id), body: {} })
    expect((await get(visitId)).can.reopen).toBe(true)
    const back = await own.api.ok(visitsApi.reopen, { ...at(visitId), body: {} })
    expect(back).toMatchObject({ status: 'scheduled', skipReason: null, day: today() })
  })
})

describe('a visit comes back only once', () => {
  const skippedAndRebooked = async () => {
    const { visitId } = await aVisit(own, { status: 'skipped' })
    const made = await own.api.ok(visitsApi.rebook, { ...at(visitId), body: { day: addDays(today(), 1) } })
    const canceled = await own.api.ok(visitsApi.cancel, { ...at(made.id), body: {} })
    return { visitId, canceled }
  }

  it('not the one that took its place, while it is back itself', async () => {
    const { visitId, canceled } = await skippedAndRebooked()
    expect(canceled.can.reopen).toBe(true)
    const back = await own.api.ok(visitsApi.reopen, { ...at(visitId), body: {} })
    const answers = [await undo(canceled), await own.api.call(visitsApi.reopen, { ...at(canceled.id), body: {} })]
    for (const answer of answers) expect(answer.error.message).toMatch(/stands on another visit/)
    expect(await get(canceled.id)).toMatchObject({ status: 'canceled', can: { reopen: false } })
    await own.api.ok(visitsApi.cancel, { ...at(visitId), body: { version: back.version } })
    expect((await undo(canceled)).body.status).toBe('scheduled')
  })

  it('not the first of two that took its place, while the second one stands', async () => {
    const { visitId, canceled } = await skippedAndRebooked()
    await own.api.ok(visitsApi.reopen, { ...at(visitId), body: {} })
    await own.api.ok(visitsApi.skip, { ...at(visitId), body: { reason: 'dog' } })
    const second = await own.api.ok(visitsApi.rebook, { ...at(visitId), body: { day: addDays(today(), 2) } })
    const first = await get(canceled.id)
    expect(first.can.reopen).toBe(false)
    const answers = [await undo(canceled), await own.api.call(visitsApi.reopen, { ...at(canceled.id), body: {} })]
    for (const answer of answers) expect([answer.status, answer.error.message]).toEqual([409, expect.any(String)])
    expect((await get(canceled.id)).status).toBe('canceled')
    // Once the second is off as well, either may come back, but not both.
    await own.api.ok(visitsApi.cancel, { ...at(second.id), body: {} })
    expect((await own.api.ok(visitsApi.reopen, { ...at(canceled.id), body: {} })).status).toBe('scheduled')
    expect((await own.api.call(visitsApi.reopen, { ...at(second.id), body: {} })).status).toBe(409)
    expect((await own.api.call(visitsApi.reopen, { ...at(visitId), body: {} })).status).toBe(409)
  })

  it('not the last of a row of three beside the first, whichever comes back before', async () => {
    const { visitId: a } = await aVisit(own, { status: 'skipped' })
    const call = (verb: 'reopen' | 'cancel', id: string) => own.api.call(visitsApi[verb], { ...at(id), body: {} })
    const rebook = (id: string, days: number) =>
      own.api.call(visitsApi.rebook, { ...at(id), body: { day: addDays(today(), days) } })
    const { id: b } = (await rebook(a, 1)).body
    await own.api.ok(visitsApi.skip, { ...at(b), body: { reason: 'dog' } })
    const { id: c } = (await rebook(b, 2)).body
    await call('cancel', c)
    await call('reopen', b)
    await call('cancel', b)
    expect((await call('reopen', a)).status).toBe(200)
    expect((await call('reopen', c)).error.message).toMatch(/stands on another visit/)
    await call('cancel', a)
    expect((await call('reopen', c)).status).toBe(200)
    expect((await call('reopen', a)).status).toBe(409)
    await own.db((db) => db.updateTable('visits').set({ status: 'skipped' }).where('id', '=', a).execute())
    expect((await get(a)).can.rebook).toBe(false)
    expect((await rebook(a, 3)).error.message).toMatch(/stands on another visit/)
  })

  it('not it itself, while the one that took its place is back', async () => {
    const { visitId, canceled } = await skippedAndRebooked()
    await own.api.ok(visitsApi.reopen, { ...at(visitId), body: {} })
    const gone = await own.api.ok(visitsApi.cancel, { ...at(visitId), body: {} })
    await own.api.ok(visitsApi.reopen, { ...at(canceled.id), body: {} })
    expect((await undo(gone)).error.message).toMatch(/already has another day/)
    expect((await get(visitId)).status).toBe('canceled')
  })

  it.each(['cancel', 'skip'] as const)('not one of a job that ended since (%s)', async (deed) => {
    const { visitId, jobId } = await aVisit(own)
    const body = { reason: 'dog' } as const
    const done = await own.api.ok(visitsApi[deed], { ...at(visitId), body })
    const act = (verb: 'complete' | 'reactivate') => own.api.ok(jobsApi.act, { params: { id: jobId, verb }, body: {} })
    await act('complete')
    const answer = await undo(done)
    expect([answer.status, answer.error.message]).toEqual([409, expect.stringContaining('Reactivate the job first')])
    expect(await get(visitId)).toMatchObject({ status: done.status, version: done.version })
    await act('reactivate')
    expect((await undo(done)).body.status).toBe('scheduled')
  })
})

describe('a day that is not open', () => {
  it.each([
    ['that is over', '2026-06-09', /is over/],
    ['on which the business is closed', '2026-06-14', /do not work on Sundays/],
    ['that is a holiday', '2026-07-03', /holiday/],
    ['on which the crew is rained off', '2026-06-11', /North is off on Thu, Jun 11: rain/],
    ['on which the crew never works', '2026-06-13', /North does not work on Saturdays/],
  ])('%s takes no visit, moved or booked again', async (_, day, why) => {
    const business = await aBusiness()
    const crewId = await aCrew(business, { name: 'North' })
    await business.db(async (db) => {
      await db
        .updateTable('businesses')
        .set({ holidays: ['2026-07-03'] })
        .where('businessId', '=', business.id)
        .execute()
      await db
        .insertInto('crewDaysOff')
        .values({ businessId: business.id, id: newId(), crewId, day: '2026-06-11', reason: 'rain' })
        .execute()
    })
    const open = await aVisit(business, { crewId })
    const skipped = await aVisit(business, { crewId, status: 'skipped' })
    const moved = await business.api.call(visitsApi.move, { ...at(open.visitId), body: { day, crewId } })
    const rebooked = await business.api.call(visitsApi.rebook, { ...at(skipped.visitId), body: { day } })
    expect([moved.status, rebooked.status]).toEqual([409, 409])
    for (const answer of [moved, rebooked]) expect(answer.error.message).toMatch(why)
    const after = await business.api.ok(visitsApi.get, at(open.visitId))
    expect([after.day, after.version]).toEqual([today(), 1])
    const calendar = await business.api.ok(visitsApi.calendar, {})
    expect(calendar.crews[0]?.daysOff).toEqual([{ day: '2026-06-11', reason: 'rain' }])
  })

  it('is closed when every crew is off, but a leap day is a day', async () => {
    const business = await aBusiness()
    const crewId = await aCrew(business)
    const off = { businessId: business.id, id: newId(), crewId, day: '2026-06-11', reason: 'rain' as const }
    await business.db((db) => db.insertInto('crewDaysOff').values(off).execute())
    const { visitId } = await aVisit(business)
    const move = (day: string) => business.api.call(visitsApi.move, { ...at(visitId), body: { day, crewId: null } })
    expect((await move('2026-06-11')).error.message).toMatch(/Every crew is off/)
    expect((await move('2028-02-29')).body.day).toBe('2028-02-29')
    expect((await move('2027-02-29')).status).toBe(422)
  })

  it('is no bar to another crew on the day that the visit has already', async () => {
    const business = await aBusiness()
    const [crewId, other] = [await aCrew(business), await aCrew(business, { workDays: everyDay })]
    const { visitId } = await aVisit(business, { day: '2026-06-07' })
    const move = (id: string) =>
      business.api.call(visitsApi.move, { ...at(visitId), body: { day: '2026-06-07', crewId: id } })
    expect([(await move(crewId)).status, (await move(other)).status]).toEqual([409, 200])
  })
})

describe('a finish by the office', () => {
  it('takes the times that were said, as the wall clock showed them on the day of the change of clocks', async () => {
    setClock(() => new Date('2026-11-01T20:00:00Z'))
    const business = await aBusiness()
    const { visitId } = await aVisit(business, { day: '2026-11-01' })
    // Between 0:30 and 3:30 the hour after 1 AM comes twice.
    const body = { startMinute: 30, endMinute: 210, people: 2 }
    const done = await business.api.ok(visitsApi.finish, { ...at(visitId), body })
    expect(done).toMatchObject({
      status: 'completed',
      startedAt: instantAt('2026-11-01', 30, 'America/New_York'),
      finishedAt: instantAt('2026-11-01', 210, 'America/New_York'),
      workedSeconds: 4 * 3600,
      people: 2,
    })
    setClock(() => new Date('2026-06-10T18:00:00Z'))
  })

  it('refuses an end before the start, or one that is still to come, and changes nothing', async () => {
    const { visitId } = await aVisit(own)
    const finish = (startMinute: number, endMinute: number) =>
      own.api.call(visitsApi.finish, { ...at(visitId), body: { startMinute, endMinute } })
    expect((await finish(600, 540)).error.errors).toMatchObject([{ path: 'endMinute', message: /after the start/ }])
    expect((await finish(600, 900)).error.errors).toMatchObject([{ path: 'endMinute', message: /still to come/ }])
    expect((await get(visitId)).version).toBe(1)
  })

  it('gives way to the times of a phone that had no signal, until it is billed', async () => {
    const luis = await own.employee({ name: 'Luis Ortega' })
    const crewId = await aCrew(own, { members: [luis], workDays: everyDay })
    const send = async (visitId: string) => {
      const commands = [
        ['start', '2026-06-10T16:00:00Z'],
        ['pause', '2026-06-10T16:10:00Z'],
        ['resume', '2026-06-10T16:20:00Z'],
        ['finish', '2026-06-10T16:35:00Z'],
      ].map(([type, time]) => ({ id: newId(), type: type as never, visitId, at: time as string, payload: {} }))
      const body = { commands, sentAt: '2026-06-10T18:00:00Z' }
      return (await luis.api.ok(crewappApi.commands, { body })).results.map((one) => one.result)
    }
    const { visitId } = await aVisit(own, { crewId })
    await own.api.ok(visitsApi.finish, { ...at(visitId), body: { startMinute: 540, endMinute: 600 } })
    expect(await send(visitId)).toEqual(['applied', 'applied', 'applied', 'applied'])
    const visit = await get(visitId)
    expect(visit).toMatchObject({
      status: 'completed',
      startedAt: '2026-06-10T16:00:00.000Z',
      finishedAt: '2026-06-10T16:35:00.000Z',
      workedSeconds: 25 * 60,
      finishedByName: 'Luis Ortega',
    })
    expect(visit.history.map((line) => line.text)).toContain("The phone's times took the place of the office's")
    const billed = await aVisit(own, { crewId })
    await own.api.ok(visitsApi.finish, { ...at(billed.visitId), body: { startMinute: 540, endMinute: 600 } })
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    await send(billed.visitId)
    expect((await get(billed.visitId)).workedSeconds).toBe(3600)
  })

  it('keeps its time where no phone of the crew had pressed Start, and takes the note of a late Finish', async () => {
    const luis = await own.employee({ name: 'Luis Ortega' })
    const crewId = await aCrew(own, { members: [luis], workDays: everyDay })
    const { visitId } = await aVisit(own, { crewId })
    await own.api.ok(visitsApi.finish, { ...at(visitId), body: { startMinute: 540, endMinute: 600, note: 'By phone' } })
    const one = { id: newId(), type: 'finish' as const, visitId, at: '2026-06-10T14:05:00Z' }
    const body = { commands: [{ ...one, payload: { note: 'Gate was open' } }], sentAt: '2026-06-10T18:00:00Z' }
    for (const result of ['applied', 'duplicate'])
      expect((await luis.api.ok(crewappApi.commands, { body })).results.map((r) => r.result)).toEqual([result])
    expect(await get(visitId)).toMatchObject({
      startedAt: '2026-06-10T13:00:00.000Z',
      finishedAt: '2026-06-10T14:00:00.000Z',
      workedSeconds: 3600,
      note: 'By phone\nGate was open',
    })
  })

  it('gives way to what one phone began and another one ended', async () => {
    const [ann, bob] = [await own.employee({ name: 'Ann Lee' }), await own.employee({ name: 'Bob Gray' })]
    const crewId = await aCrew(own, { members: [ann, bob], workDays: everyDay })
    const { visitId } = await aVisit(own, { crewId })
    const send = async (who: typeof ann, type: 'start' | 'finish', time: string, payload = {}) => {
      const body = { commands: [{ id: newId(), type, visitId, at: time, payload }], sentAt: '2026-06-10T18:00:00Z' }
      expect((await who.api.ok(crewappApi.commands, { body })).results[0]).toMatchObject({ result: 'applied' })
    }
    await send(ann, 'start', '2026-06-10T16:00:00Z')
    await own.api.ok(visitsApi.finish, { ...at(visitId), body: { startMinute: 540, endMinute: 600 } })
    await send(bob, 'finish', '2026-06-10T16:45:00Z', { note: 'Wet in the back' })
    expect(await get(visitId)).toMatchObject({
      startedAt: '2026-06-10T16:00:00.000Z',
      finishedAt: '2026-06-10T16:45:00.000Z',
      workedSeconds: 45 * 60,
      finishedByName: 'Bob Gray',
      note: 'Wet in the back',
    })
  })

  it('is told of a phone that was first', async () => {
    const { visitId } = await aVisit(own, { status: 'completed' })
    const late = await own.api.call(visitsApi.skip, { ...at(visitId), body: { reason: 'dog', version: 0 } })
    expect(late.error.code).toBe('version_conflict')
  })
})

describe('the panel of a visit', () => {
  it('is one read with everything, by what the person may see', async () => {
    const luis = await own.employee({ name: 'Luis Ortega' })
    const crewId = await aCrew(own, { name: 'North', members: [luis] })
    const { visitId, customerId } = await aVisit(own, { crewId, dog: 'Rex', gateCode: '4711', startMinute: 480 })
    await own.db((db) =>
      db
        .insertInto('messages')
        .values({
          businessId: own.id,
          id: newId(),
          channel: 'sms',
          direction: 'inbound',
          customerId,
          address: '+19125550101',
          bodyText: 'Mind the roses',
          dedupeKey: newId(),
          status: 'received',
          createdAt: '2026-06-10T12:00:00Z',
        })
        .execute(),
    )
    const moved = { day: addDays(today(), 1), crewId }
    await own.api.ok(visitsApi.move, { ...at(visitId), body: moved })
    const visit = await get(visitId)
    expect(visit).toMatchObject({
      place: { dog: 'Rex', hasGateCode: true },
      crew: { name: 'North', people: 1 },
      plannedMinutes: 56,
      sent: 'no',
      lines: [{ totalCents: 5500 }],
      messages: [{ text: 'Mind the roses' }],
    })
    expect(JSON.stringify(visit)).not.toContain('4711')
    expect(visit.history[0]).toMatchObject({
      text: 'Moved from Wed, Jun 10, North to Thu, Jun 11, North',
      fromPhone: false,
    })
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    const blind = await dispatcher.api.ok(visitsApi.get, at(visitId))
    expect([blind.priceCents, blind.lines[0]?.totalCents, blind.messages, blind.phone]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('says of a line what its invoice will say, to the cent', async () => {
    const { visitId } = await aVisit(own)
    // 1.15 x 50 is 57.49999999999999 to a computer.
    const line = { quantity: 1.15, unitPriceCents: 50 }
    await own.db((db) => db.updateTable('visitLines').set(line).where('visitId', '=', visitId).execute())
    expect((await get(visitId)).lines[0]?.totalCents).toBe(58)
  })

  it('does not grow with what happened', async () => {
    const { visitId } = await aVisit(own)
    let visit = await get(visitId)
    for (let i = 0; i < 18; i++) {
      visit = await own.api.ok(visitsApi.skip, { ...at(visitId), body: { reason: 'dog', version: visit.version } })
      visit = (await undo(visit)).body
    }
    expect(visit.history).toHaveLength(30)
  })
})
