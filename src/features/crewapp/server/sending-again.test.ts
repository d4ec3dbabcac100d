import { beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, instantAt } from '../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import { timeclockApi } from '../../timeclock/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import type { VisitStatus } from '../../visits/rules.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType, CrewCommand } from '../rules.ts'

let business: TestBusiness
let luis: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  crewId = await aCrew(business, { name: 'North', members: [luis], workDays: everyDay })
})

const ago = (minutes: number): string => new Date(clock.nowMs() - minutes * 60_000).toISOString()
const command = (type: CommandType, visitId?: string, minutesAgo = 0, payload: CommandPayload = {}): CrewCommand => ({
  id: newId(),
  type,
  visitId,
  at: ago(minutesAgo),
  payload,
})
const again = (one: CrewCommand): CrewCommand => ({ ...one, attempt: (one.attempt ?? 1) + 1 })
const outcomes = async (...commands: CrewCommand[]) =>
  (await luis.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results.map((r) => [
    r.result,
    r.reason,
  ])
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const setStatus = (visitId: string, status: VisitStatus) =>
  business.db((db) =>
    db
      .updateTable('visits')
      .set((eb) => ({ status, version: eb('version', '+', 1) }))
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
const countNotices = async () => {
  await runTasks()
  const rows = await business.db((db) =>
    db
      .selectFrom('events')
      .select('name')
      .where('businessId', '=', business.id)
      .where('name', '=', 'command.conflicted')
      .execute(),
  )
  return rows.length
}

describe('what a person sends again', () => {
  it('is applied when the reason is gone, once, with the time at which it was done and counted once', async () => {
    const { visitId } = await aVisit(business, { crewId })
    await setStatus(visitId, 'canceled')
    const batch = [command('start', visitId, 30), command('finish', visitId, 5, { note: 'Gate left open' })]
    const conflict = ['conflict', 'canceled']
    expect(await outcomes(...batch)).toEqual([conflict, conflict])
    const before = await countNotices()
    const second = batch.map(again)
    expect(await outcomes(...second)).toEqual([conflict, conflict])
    expect(await visitOf(visitId)).toMatchObject({ workedSeconds: 25 * 60, note: 'Gate left open' })
    expect(await countNotices()).toBe(before)
    await setStatus(visitId, 'scheduled')
    // The same try again, say because its answer was lost, is answered as before.
    expect(await outcomes(...second)).toEqual([conflict, conflict])
    const third = second.map(again)
    expect(await outcomes(...third)).toEqual([
      ['applied', null],
      ['applied', null],
    ])
    const done = await visitOf(visitId)
    expect(done).toMatchObject({
      status: 'completed',
      finishedAt: batch[1]?.at,
      workedSeconds: 25 * 60,
      note: 'Gate left open',
      conflicts: [],
    })
    const duplicate = ['duplicate', null]
    expect(await outcomes(...third, ...third.map(again))).toEqual(Array(4).fill(duplicate))
    expect((await visitOf(visitId)).version).toBe(done.version)
  })

  it('is applied after a conflict, when the visit has become theirs', async () => {
    const { visitId } = await aVisit(business, { crewId: await aCrew(business) })
    const note = command('note', visitId, 3, { note: 'Dog was out' })
    expect(await outcomes(note)).toEqual([['conflict', 'not_yours']])
    const { version } = await visitOf(visitId)
    await business.api.ok(visitsApi.move, { params: { visitId }, body: { day: today(), crewId, version } })
    expect(await outcomes(note)).toEqual([['conflict', 'not_yours']])
    const both = await Promise.all([outcomes(again(note)), outcomes(again(note))])
    expect(both.flat().sort()).toEqual([
      ['applied', null],
      ['duplicate', null],
    ])
    expect((await visitOf(visitId)).note).toBe('Dog was out')
  })

  it('never ends work that began since', async () => {
    const out = command('clock_out', undefined, 60)
    expect(await outcomes(out)).toEqual([['refused', 'not_clocked_in']])
    expect(await outcomes(command('clock_in', undefined, 10))).toEqual([['applied', null]])
    expect(await outcomes(again(out))).toEqual([['refused', 'not_clocked_in']])
    expect((await luis.api.ok(timeclockApi.clock, {})).state).toBe('working')
    await outcomes(command('clock_out'))
  })

  it('answers a command without a real time instead of failing', async () => {
    expect(await outcomes({ ...command('clock_in'), at: 'yesterday' })).toEqual([['refused', 'invalid']])
  })
})

describe('a forgotten clock-out', () => {
  it('is proposed at the last thing the person did on our clock, not on a phone that is ahead', async () => {
    const zone = 'America/New_York'
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana Diaz' })
    const yesterday = addDays(today(), -1)
    const send = async (minute: number, ahead: number, one: CommandType, payload: CommandPayload = {}) => {
      setClock(() => new Date(instantAt(yesterday, minute, zone)))
      const phone = new Date(clock.nowMs() + ahead * 60_000).toISOString()
      const { visitId } = await aVisit(own, { day: yesterday })
      const api = await apiFor(ana)
      const body = { commands: [{ id: newId(), type: one, visitId, at: phone, payload }], sentAt: phone }
      return (await api.ok(crewappApi.commands, { body })).results[0]?.reason
    }
    try {
      await send(420, 0, 'clock_in')
      // In conflict, but it shows that she was still at work: at 17:30, while her phone said 19:30.
      expect(await send(1050, 120, 'note', { note: 'Done here' })).toBe('not_yours')
      setClock(() => new Date(instantAt(addDays(yesterday, 1), 415, zone)))
      const { forgotten } = await (await apiFor(ana)).ok(timeclockApi.clock, {})
      expect(forgotten?.suggestedEnd).toBe(instantAt(yesterday, 1050, zone))
    } finally {
      resetClock()
    }
  })
})
