import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today } from '../../../../test/field.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { type Visit, visitsApi } from '../../contract.ts'
import { rebookVisitTx, rescheduleVisitTx } from '../commands.ts'
import { lockVisit } from '../row/commands.ts'

let own: TestBusiness
let luis: Person
let crewId: string
beforeEach(async () => {
  own = await aBusiness({ workDays: everyDay })
  luis = await own.employee({ name: 'Luis Ortega' })
  crewId = await aCrew(own, { members: [luis], workDays: everyDay })
})

const call = (verb: 'reopen' | 'cancel', visitId: string) =>
  own.api.call(visitsApi[verb], { params: { visitId }, body: {} })
const done = async (verb: 'reopen' | 'cancel', visitId: string) => {
  const answer = await call(verb, visitId)
  expect(answer.status, answer.text).toBe(200)
}
const rebook = (visitId: string, days: number) =>
  own.api.call(visitsApi.rebook, { params: { visitId }, body: { day: addDays(today(), days) } })
const rebooked = async (visitId: string, days: number): Promise<Visit> => {
  const answer = await rebook(visitId, days)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const get = (visitId: string) => own.api.ok(visitsApi.get, { params: { visitId } })
const statuses = async () =>
  (
    await own.db((db) =>
      db.selectFrom('visits').select('status').where('businessId', '=', own.id).orderBy('id').execute(),
    )
  ).map((visit) => visit.status)
const write = (db: TenantDb, id: string, status: string) =>
  sql`update visits set status = ${status} where business_id = ${own.id} and id = ${id}`.execute(db)

describe('two at once', () => {
  it('who book another day for the same visit get one, and the later one is told', async () => {
    const { visitId } = await aVisit(own, { crewId, status: 'skipped' })
    let second: ReturnType<typeof rebook> | undefined
    await own.db(async (db) => {
      await rebookVisitTx(db, systemActor(own.id), visitId, { day: addDays(today(), 1) })
      second = rebook(visitId, 2)
      await somebodyWaits()
    })
    expect((await second)?.error.message).toMatch(/already has another day/)
    expect(await statuses()).toEqual(['skipped', 'scheduled'])
  })

  it.each(['the first', 'the last'] as const)(
    'who bring back different ones of a row: %s is there before',
    async (early) => {
      const { visitId: a } = await aVisit(own, { crewId, status: 'skipped' })
      const { id: b } = await rebooked(a, 1)
      await own.db((db) => write(db, b, 'skipped'))
      const { id: c } = await rebooked(b, 2)
      await done('cancel', c)
      await own.db((db) => write(db, b, 'canceled'))
      const [one, other] = early === 'the first' ? [a, c] : [c, a]
      let second: ReturnType<typeof call> | undefined
      await own.db(async (db) => {
        await lockVisit(db, one)
        await write(db, one, 'scheduled')
        second = call('reopen', other)
        await somebodyWaits()
      })
      expect([(await second)?.status, (await get(other)).can.reopen]).toEqual([409, false])
    },
  )
})

/** A skipped visit whose first other day was skipped too, after a second one that stands again was canceled. */
const skippedBesideOther = async () => {
  const { visitId: a } = await aVisit(own, { crewId, status: 'skipped' })
  const { id: first } = await rebooked(a, 0)
  await done('cancel', first)
  const { id: second } = await rebooked(a, 1)
  await done('cancel', second)
  await done('reopen', first)
  await publishDay(own, crewId)
  return { a, first, second }
}
const tap = async (type: 'skip' | 'undo_skip', visitId: string) => {
  const payload = type === 'skip' ? { reason: 'dog' as const } : {}
  const body = { commands: [{ id: newId(), type, visitId, at: clock.iso(), payload }], sentAt: clock.iso() }
  const [result] = (await luis.api.ok(crewappApi.commands, { body })).results
  return [result?.result, result?.reason]
}

describe('a skipped visit whose work stands elsewhere', () => {
  it('is not taken back by its crew, whose phone knows it, and is not offered for another day', async () => {
    const { first, second } = await skippedBesideOther()
    expect(await tap('skip', first)).toEqual(['applied', null])
    const needs = async () =>
      (await own.api.ok(dashboardApi.get, {})).needs
        .filter((need) => need.kind === 'skipped')
        .map((need) => need.visitId)
    const stop = async () => (await luis.api.ok(crewappApi.day, {})).days[0]?.stops.find((one) => one.id === first)
    expect([await needs(), (await stop())?.rebooked]).toEqual([[first], false])
    await done('reopen', second)
    expect([await needs(), (await stop())?.rebooked]).toEqual([[], true])
    expect(await tap('undo_skip', first)).toEqual(['conflict', 'rebooked'])
    expect([(await get(first)).status, (await get(second)).status]).toEqual(['skipped', 'scheduled'])
    // Once that one is off, the crew may.
    await done('cancel', second)
    expect(await tap('undo_skip', first)).toEqual(['applied', null])
  })
})

describe('the database itself', () => {
  it('holds one that stands in place of another, beside any that were skipped, missed or canceled', async () => {
    const { first, second } = await skippedBesideOther()
    await expect(own.db((db) => write(db, second, 'scheduled'))).rejects.toThrow(/visits_one_stands/)
    await own.db(async (db) => {
      await write(db, first, 'missed')
      await write(db, second, 'skipped')
    })
    expect((await get(first)).status).toBe('missed')
  })

  it('is brought there with data in which several stood: none is lost, and all stay of one family', async () => {
    await ownerPool().query('drop index visits_one_stands')
    const { visitId: a } = await aVisit(own, { crewId, status: 'skipped' })
    const ids = [a]
    for (const source of [0, 0, 0, 1]) {
      const { visitId } = await aVisit(own, { crewId })
      await own.db((db) => sql`update visits set rebooked_from = ${ids[source]} where id = ${visitId}`.execute(db))
      ids.push(visitId)
    }
    await ownerPool().query(readFileSync('migrations/0023_one_visit_stands.sql', 'utf8'))
    const rows = await own.db((db) => db.selectFrom('visits').select(['id', 'rebookedFrom']).orderBy('id').execute())
    const [, b, c, d] = ids
    expect(rows.filter(({ id }) => ids.includes(id)).map((row) => row.rebookedFrom)).toEqual([null, a, b, c, d])
    await own.db((db) => write(db, a, 'canceled'))
    expect((await get(a)).can.reopen).toBe(false)
  })

  it('lets a schedule that comes back leave a visit off whose work stands on another day', async () => {
    const { visitId: a } = await aVisit(own, { crewId, status: 'skipped' })
    const { id: b } = await rebooked(a, 1)
    await own.db((db) => write(db, a, 'canceled'))
    const { occurrenceOn } = await get(a)
    const contents = { billable: true, priceCents: 5500, budgetMinutes: 40, lines: null }
    const to = { occurrenceOn, day: today(), crewId, ...contents, moves: false }
    await own.db((db) => rescheduleVisitTx(db, a, to))
    expect(await statuses()).toEqual(['canceled', 'scheduled'])
    await done('cancel', b)
    await own.db((db) => rescheduleVisitTx(db, a, to))
    expect(await statuses()).toEqual(['scheduled', 'canceled'])
  })
})
