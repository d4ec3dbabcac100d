import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays, dayOf, instantAt, startOfWeek } from '../../../shared/dates.ts'
import type { Person, TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { aPaidCrew, clockSpell } from '../../../test/pay-week.ts'
import { wagesApi } from '../../employees/wages/contract.ts'
import { payrollApi } from '../payroll/contract.ts'
import type { EntryKind } from '../rules.ts'
import { sheetsApi } from '../sheets/contract.ts'

/** What was clocked, as the payroll comes to read it. */

const zone = 'America/New_York'
const week = startOfWeek(addDays(dayOf(Date.now(), zone), -14))
const at = (day: number, minute: number) => instantAt(addDays(week, day), minute, zone)

let business: TestBusiness
let ana: Person
let crewId: string
beforeEach(async () => {
  ;({ business, ana, crewId } = await aPaidCrew())
})

const worked = (day: number, from: number, to: number, kind: EntryKind = 'work') =>
  clockSpell(business, ana, { crewId, kind, startedAt: at(day, from), endedAt: at(day, to) })
const approve = async () => {
  const { items } = await business.api.ok(sheetsApi.list, { query: { week } })
  const seen = items.filter((one) => one.paidSeconds > 0).map(({ userId, version }) => ({ userId, version }))
  await business.api.ok(sheetsApi.approve, { body: { week, items: seen } })
}
const paid = async () =>
  (await business.api.ok(payrollApi.period, { query: { from: week, to: addDays(week, 6) } })).people[0]
const quarters = async () => {
  const { stateRule: _, stateNote: __, ...now } = await business.api.ok(payrollApi.settings, {})
  await business.api.ok(payrollApi.saveSettings, { body: { ...now, roundingMinutes: 15 } })
}
const byTheLawn = () =>
  business.api.ok(wagesApi.set, {
    params: { id: ana.userId },
    body: { from: addDays(week, -30), centsPerHour: 2000, pieceCents: 900, bonusCents: null, burdenPercent: null },
  })
const finished = async (from: number, to: number, crew = crewId) => {
  const { visitId } = await aVisit(business, { crewId: crew, day: week, status: 'completed' })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ startedAt: at(0, from), finishedAt: at(0, to) })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
}

it('a paid break stays paid when it is rounded to more than twenty minutes', async () => {
  await worked(0, 420, 725)
  await worked(0, 725, 744, 'break')
  await worked(0, 744, 900)
  await approve()
  await quarters()
  expect((await paid())?.regularSeconds).toBe(8 * 3600)
})

it('a night that is rounded past midnight stays in its week', async () => {
  await worked(0, 420, 900)
  await worked(6, 1434, 1434 + 360)
  await approve()
  await quarters()
  expect((await paid())?.regularSeconds).toBe(14 * 3600)
})

it('lawns of a day that the office added by hand are paid', async () => {
  await byTheLawn()
  for (const from of [480, 540, 600, 660]) await finished(from, from + 40)
  const { version } = await business.api.ok(sheetsApi.get, { params: { id: ana.userId }, query: { week } })
  const to = { kind: 'work' as const, startedAt: at(0, 420), endedAt: at(0, 900) }
  const body = { week, version, entryId: null, to, reason: 'No phone' }
  await business.api.ok(sheetsApi.correct, { params: { id: ana.userId }, body })
  await approve()
  expect(await paid()).toMatchObject({ lawns: 4, pieceCents: 3600 })
})

it.each([
  ['the office ends the stop after the person went', [420, 900, 'work'], [860, 905], 1],
  ['most of the stop was after the person went', [420, 870, 'work'], [860, 905], 0],
  ['the clock says shop and others told the stop', [420, 900, 'shop'], [500, 540], 0],
] as const)('a lawn counts or not when %s', async (_, [from, to, kind], [started, ended], lawns) => {
  await byTheLawn()
  await worked(0, from, to, kind)
  await finished(started, ended)
  await approve()
  expect((await paid())?.lawns).toBe(lawns)
})

type Tap = { minute: number; result?: 'applied' | 'conflict' | 'refused'; reason?: string }

/** Somebody's phone told the start of the one visit there is. */
const told = async ({ minute, result = 'applied', reason }: Tap): Promise<string> => {
  const { id: visitId } = await business.db((db) =>
    db.selectFrom('visits').select('id').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
  )
  const when = at(0, minute)
  const times = { deviceAt: when, happenedAt: when, receivedAt: when }
  const row = {
    id: newId(),
    userId: ana.userId,
    type: 'start',
    visitId,
    payload: '{}',
    ...times,
    result,
    reason: reason ?? null,
  }
  await business.db((db) =>
    db
      .insertInto('crewCommands')
      .values({ businessId: business.id, ...row })
      .execute(),
  )
  return visitId
}

it.each<[string, Tap, number]>([
  ['a person told', { minute: 500 }, 1],
  ['a person told at the same time as another', { minute: 501, reason: 'already' }, 1],
  ['a person tapped long after it was done', { minute: 800, reason: 'already' }, 0],
  ['a person tapped in conflict', { minute: 500, result: 'conflict', reason: 'canceled' }, 0],
  ['a person was refused', { minute: 500, result: 'refused', reason: 'not_yours' }, 0],
])('a lawn that %s counts or not, whatever the clock said', async (_, tap, lawns) => {
  await byTheLawn()
  await worked(0, 420, 900, 'shop')
  await finished(500, 540)
  const params = { visitId: await told(tap) }
  await approve()
  expect([(await paid())?.lawns, (await business.api.ok(payrollApi.visitLabor, { params })).seconds]).toEqual([
    lawns,
    lawns * 2400,
  ])
})

it('who is put on another crew at noon has the lawns of each while they were with it, and none twice', async () => {
  await byTheLawn()
  await worked(0, 420, 900)
  await finished(500, 540)
  await finished(800, 850)
  const other = await aCrew(business, { members: [] })
  await business.db((db) =>
    db
      .updateTable('crewMembers')
      .set({ crewId: other, createdAt: at(0, 720) })
      .where('businessId', '=', business.id)
      .where('userId', '=', ana.userId)
      .execute(),
  )
  await finished(500, 545, other)
  await finished(800, 840, other)
  await approve()
  expect(await paid()).toMatchObject({ lawns: 2, pieceCents: 1800 })
})

it('who is put on another crew when the day is over keeps the lawns of the crew they were on the clock with', async () => {
  await byTheLawn()
  await worked(0, 420, 900)
  await finished(500, 540)
  const other = await aCrew(business, { members: [] })
  await business.db((db) =>
    db
      .updateTable('crewMembers')
      .set({ crewId: other, createdAt: at(0, 1000) })
      .where('businessId', '=', business.id)
      .where('userId', '=', ana.userId)
      .execute(),
  )
  await finished(800, 840, other)
  await approve()
  expect(await paid()).toMatchObject({ lawns: 1 })
})
