import { describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { aBusiness, aPerson } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today } from '../../../test/field.ts'
import { conflictsApi } from '../../crewapp/conflicts/contract.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { routesApi } from '../../routes/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { dashboardApi } from '../contract.ts'

describe('the dashboard', () => {
  it('leads a new business through its first steps', async () => {
    const own = await aBusiness()
    const d = await own.api.ok(dashboardApi.get, {})
    expect(d.start.map((step) => [step.key, step.done])).toEqual([
      ['customers', false],
      ['services', false],
      ['crews', false],
      ['jobs', false],
    ])
    expect([d.stopCount, d.needs, d.money?.earnedTodayCents, d.money?.perLaborHourCents]).toEqual([0, [], 0, null])
  })

  it('shows the crews as they work, what was earned and what can be invoiced', async () => {
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana Ruiz' })
    const crewId = await aCrew(own, { members: [ana] })
    const first = await aVisit(own, { crewId, position: 1, startMinute: 430, priceCents: 5500 })
    await aVisit(own, { crewId, position: 2, startMinute: 480, priceCents: 4500, customer: 'Howard Prim' })
    await publishDay(own, crewId)
    const before = await own.api.ok(dashboardApi.get, {})
    expect([before.crewsOut, before.stopCount, before.finishedCount]).toEqual([1, 2, 0])
    await own.api.ok(visitsApi.finish, { params: { visitId: first.visitId }, body: {} })
    const after = await own.api.ok(dashboardApi.get, {})
    expect([after.finishedCount, after.money?.earnedTodayCents, after.money?.invoiceableVisits]).toEqual([1, 5500, 1])
    expect(after.money?.week.find((day) => day.day === today())).toMatchObject({
      doneCents: 5500,
      invoicedCents: 0,
      paidCents: 0,
    })
    expect(after.crews[0]?.stops.map((stop) => stop.state)).toEqual(['completed', 'scheduled'])
    expect(after.start).toEqual([])
    expect(after.crews[0]?.unsent).toBe(0)
    // What is booked for a crew that is out is said where one looks, before it is sent.
    await aVisit(own, { crewId })
    expect((await own.api.ok(dashboardApi.get, {})).crews[0]).toMatchObject({ unsent: 1, counts: { total: 2 } })
  })

  it('counts the lunch that a crew is still to have, until somebody of it had it on the clock', async () => {
    const own = await aBusiness()
    const luis = await aPerson(own.id, 'Employee')
    const crewId = await aCrew(own, { members: [luis] })
    const first = await aVisit(own, { crewId, position: 1, startMinute: 480, budgetMinutes: 60 })
    await aVisit(own, { crewId, position: 2, startMinute: 600, budgetMinutes: 60 })
    await publishDay(own, crewId)
    const since = new Date(clock.nowMs() - 10 * 60_000).toISOString()
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'in_progress', startedAt: since, intervalStartedAt: since })
        .where('businessId', '=', own.id)
        .where('id', '=', first.visitId)
        .execute(),
    )
    const backWith = async (breakMinutes: number): Promise<number> => {
      await own.db((db) =>
        db
          .updateTable('crews')
          .set({ breakMinutes })
          .where('businessId', '=', own.id)
          .where('id', '=', crewId)
          .execute(),
      )
      return (await own.api.ok(dashboardApi.get, {})).crews[0]?.backAtMinute ?? 0
    }
    expect((await backWith(45)) - (await backWith(0))).toBe(45)
    await own.db((db) =>
      db
        .insertInto('timeEntries')
        .values({
          id: newId(),
          businessId: own.id,
          userId: luis.userId,
          crewId,
          kind: 'break',
          startedAt: clock.iso(),
          endedAt: new Date(clock.nowMs() + 30 * 60_000).toISOString(),
        })
        .execute(),
    )
    expect((await backWith(45)) - (await backWith(0))).toBe(15)
  })

  it('says when a crew on its last stop is back by what is left of it, as the route map does, and not later with the clock', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    const { visitId } = await aVisit(own, { crewId, position: 1, startMinute: 430, budgetMinutes: 138 })
    await publishDay(own, crewId)
    const leftAfter = async (minutes: number): Promise<number> => {
      const since = new Date(clock.nowMs() - minutes * 60_000).toISOString()
      await own.db((db) =>
        db
          .updateTable('visits')
          .set({ status: 'in_progress', startedAt: since, intervalStartedAt: since })
          .where('businessId', '=', own.id)
          .where('id', '=', visitId)
          .execute(),
      )
      const [board, map] = [
        await own.api.ok(dashboardApi.get, {}),
        await own.api.ok(routesApi.day, { query: { day: today() } }),
      ]
      const back = board.crews[0]?.backAtMinute ?? 0
      const onMap = map.crews.find((crew) => crew.crewId === crewId)?.backAtMinute ?? 0
      // The minute of the clock may change between the two.
      expect(board.doneAtMinute).toBe(back)
      expect(onMap - back).toBeOneOf([0, 1])
      return back - board.nowMinute
    }
    const early = await leftAfter(10)
    expect(early).toBeGreaterThanOrEqual(127)
    expect(early - (await leftAfter(110))).toBeOneOf([99, 100, 101])
    expect(await leftAfter(500)).toBeLessThan(early - 100)
  })

  it('names what needs a person, each with a click that works', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    const skipped = await aVisit(own, { crewId, position: 1 })
    await own.api.ok(visitsApi.skip, { params: { visitId: skipped.visitId }, body: { reason: 'locked_gate' } })
    const unplaced = await aVisit(own, {})
    const late = await aVisit(own, { crewId, status: 'completed', customer: 'Late Payer' })
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'late@test.swath.test' })
        .where('businessId', '=', own.id)
        .where('id', '=', late.customerId)
        .execute(),
    )
    await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ dueOn: addDays(today(), -3) })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const { needs } = await own.api.ok(dashboardApi.get, {})
    expect(needs.map((need) => need.kind).sort()).toEqual(['overdue', 'skipped', 'unplaced'])
    expect((await own.api.ok(dashboardApi.needs, {})).items).toEqual(needs)
    const skip = needs.find((need) => need.kind === 'skipped')
    const action = skip?.action.kind === 'rebook' ? skip.action : null
    expect(action?.visitId).toBe(skipped.visitId)
    await own.api.ok(visitsApi.rebook, { params: { visitId: action?.visitId ?? '' }, body: { day: action?.day ?? '' } })
    const overdue = needs.find((need) => need.kind === 'overdue')
    if (overdue?.action.kind === 'remind')
      await own.api.ok(invoicesApi.remind, { params: { id: overdue.action.invoiceId } })
    const left = (await own.api.ok(dashboardApi.get, {})).needs
    expect(left.map((need) => need.kind)).toEqual(['unplaced'])
    expect(left[0]?.path).toContain(`day=${today()}`)
    expect(unplaced.visitId).toBeTruthy()
  })

  it('never offers to rebook onto a day on which the crew is rained off, out, on holiday or not at work', async () => {
    const own = await aBusiness({ workDays: everyDay })
    const crewId = await aCrew(own, { workDays: everyDay })
    const weekday = weekdayOf(addDays(today(), 3))
    const half = await aCrew(own, { workDays: everyDay.filter((day) => day !== weekday) })
    await own.db(async (db) => {
      await db
        .updateTable('businesses')
        .set({ holidays: [addDays(today(), 2)] })
        .where('businessId', '=', own.id)
        .execute()
      for (const id of [crewId, half])
        await db
          .insertInto('crewDaysOff')
          .values({ businessId: own.id, id: newId(), crewId: id, day: addDays(today(), 1), reason: 'rain' })
          .execute()
    })
    const offered = new Map<string, string>()
    for (const crew of [crewId, half, null]) {
      const { visitId } = await aVisit(own, { crewId: crew })
      await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'too_wet' } })
      const need = (await own.api.ok(dashboardApi.get, {})).needs.find((one) => one.visitId === visitId)
      if (need?.action.kind === 'rebook') offered.set(visitId, need.action.day)
    }
    expect([...offered.values()]).toEqual([addDays(today(), 3), addDays(today(), 4), addDays(today(), 3)])
    for (const [visitId, day] of offered) await own.api.ok(visitsApi.rebook, { params: { visitId }, body: { day } })
  })

  it('shows no money to who may not see it, and nothing to an employee', async () => {
    const own = await aBusiness()
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const d = await dispatcher.api.ok(dashboardApi.get, {})
    expect(d.money).toBeNull()
    expect((await (await own.employee()).api.call(dashboardApi.get, {})).status).toBe(403)
  })

  it('shows what a crew did on a visit that the office had canceled, first, until somebody decides', async () => {
    const own = await aBusiness({ workDays: everyDay })
    const luis = await own.employee({ name: 'Luis Ortega' })
    const crewId = await aCrew(own, { members: [luis], workDays: everyDay })
    const { visitId, jobId } = await aVisit(own, { crewId, street: '7 Bay St' })
    await aVisit(own, {})
    await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'too_wet' } })
    const command = { id: newId(), type: 'finish' as const, visitId, at: clock.iso(), payload: {} }
    const body = { commands: [command], sentAt: clock.iso() }
    expect((await luis.api.ok(crewappApi.commands, { body })).results[0]?.result).toBe('conflict')
    const [first] = (await own.api.ok(dashboardApi.get, {})).needs
    expect(first).toMatchObject({
      kind: 'conflict',
      title: 'Luis finished 7 Bay St, but it was already skipped',
      action: { kind: 'decide' },
    })
    expect(first?.path).toContain(jobId)
    expect(first?.path).toContain(visitId)
    const planner = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    expect((await planner.api.ok(dashboardApi.get, {})).needs.map((n) => n.kind)).not.toContain('conflict')
    await own.api.ok(visitsApi.rebook, { params: { visitId }, body: { day: addDays(today(), 1) } })
    // what else is done with the visit decides nothing
    expect((await own.api.ok(dashboardApi.get, {})).needs.map((n) => n.kind)).toContain('conflict')
    await own.api.ok(conflictsApi.decide, { params: { id: command.id }, body: { decision: 'stands' } })
    expect((await own.api.ok(dashboardApi.get, {})).needs.map((n) => n.kind)).not.toContain('conflict')
  })
})
