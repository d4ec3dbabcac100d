import { beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { aProduct, aRecord } from '../../../../test/chemicals.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../../test/field.ts'
import { recordsApi } from '../../../chemicals/records/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import type { VisitStatus } from '../../../visits/rules.ts'
import { crewappApi } from '../../contract.ts'
import type { CommandPayload, CommandType } from '../../rules.ts'
import { conflictsApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { name: 'North', members: [luis, ana], workDays: everyDay })
})

const ago = (minutes: number): string => new Date(clock.nowMs() - minutes * 60_000).toISOString()
const tap = (type: CommandType, visitId: string, minutesAgo: number, payload: CommandPayload = {}) => ({
  id: newId(),
  type,
  visitId,
  at: ago(minutesAgo),
  payload,
})
const send = async (who: Person, ...commands: (ReturnType<typeof tap> & { attempt?: number })[]) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results.map((r) => r.result)
const setStatus = (visitId: string, status: VisitStatus) =>
  business.db((db) =>
    db
      .updateTable('visits')
      .set((eb) => ({ status, version: eb('version', '+', 1) }))
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'conflict')
const answers = async (who: Person) => (await who.api.ok(crewappApi.day, {})).answers
const decide = (id: string, decision: 'counts' | 'stands', note = '', who: Pick<Person, 'api'> = business) =>
  who.api.call(conflictsApi.decide, { params: { id }, body: { decision, note } })

/** A visit that Luis worked for 25 minutes while the office had closed it. */
const aConflict = async (status: VisitStatus = 'canceled') => {
  const { visitId } = await aVisit(business, { crewId, street: '7 Bay St' })
  await setStatus(visitId, status)
  const taps = [tap('start', visitId, 30), tap('finish', visitId, 5, { note: 'Gate left open' })]
  expect(await send(luis, ...taps)).toEqual(['conflict', 'conflict'])
  return { visitId, taps, ids: taps.map(({ id }) => id) }
}

it('work that counts becomes the visit with its times, once, and its phone hears it with the words', async () => {
  const { visitId, ids } = await aConflict()
  const [need] = await needs()
  expect(need).toMatchObject({ visitId, title: 'Luis finished 7 Bay St, but the office had canceled it' })
  // when it was stands there before anybody decides
  expect(need?.detail).toMatch(/\d:\d\d [AP]M to \d+:\d\d [AP]M\. The time is kept\./)
  if (need?.action.kind !== 'decide') throw new Error('It is not to be decided.')
  expect(await answers(luis)).toEqual([])
  expect((await decide(need.action.commandId, 'counts', 'Good that you did it')).status).toBe(200)
  expect(await visitOf(visitId)).toMatchObject({
    status: 'completed',
    workedSeconds: 25 * 60,
    note: 'Gate left open',
    finishedByName: 'Luis Ortega',
  })
  const told = { decision: 'counts', note: 'Good that you did it', by: business.owner.name.split(' ')[0] }
  expect((await answers(luis))?.sort((a, b) => ids.indexOf(a.commandId) - ids.indexOf(b.commandId))).toEqual(
    ids.map((commandId) => ({ commandId, ...told })),
  )
  expect(await answers(ana)).toEqual([])
  expect(await needs()).toEqual([])
  // decided is decided: a second person is told who was first and how
  const second = await decide(need.action.commandId, 'stands')
  expect([second.status, second.error.message]).toEqual([
    409,
    `${business.owner.name} has decided about this already: it counts. Nothing more was changed.`,
  ])
  expect((await answers(luis))?.map((one) => one.decision)).toEqual(['counts', 'counts'])
})

it('work that does not count leaves the visit, its time and its photos, and is not judged again when the phone sends it again', async () => {
  const { visitId, ids, taps } = await aConflict()
  const before = await visitOf(visitId)
  expect((await decide(ids[0] ?? '', 'stands', 'They had moved out')).status).toBe(200)
  expect(await visitOf(visitId)).toMatchObject({ status: 'canceled', workedSeconds: before.workedSeconds })
  await business.api.ok(visitsApi.reopen, { params: { visitId }, body: { reason: '' } })
  expect(await send(luis, ...taps.map((one) => ({ ...one, attempt: 2 })))).toEqual(['conflict', 'conflict'])
  expect((await visitOf(visitId)).status).toBe('scheduled')
  const told = await answers(luis)
  expect(ids.map((id) => told?.find((one) => one.commandId === id)?.decision)).toEqual(['stands', 'stands'])
})

it('putting the visit back decides nothing: it waits on the phone and in the office until it is decided, and is then applied once', async () => {
  const { visitId, ids } = await aConflict('missed')
  expect((await decide(ids[0] ?? '', 'counts')).status).toBe(409)
  await setStatus(visitId, 'canceled')
  await business.api.ok(visitsApi.reopen, { params: { visitId }, body: { reason: '' } })
  expect((await answers(luis))?.filter((one) => ids.includes(one.commandId))).toEqual([])
  const need = (await needs()).find((one) => one.visitId === visitId)
  if (need?.action.kind !== 'decide') throw new Error('It is not to be decided.')
  expect((await decide(need.action.commandId, 'counts')).status).toBe(200)
  expect(await visitOf(visitId)).toMatchObject({ status: 'completed', workedSeconds: 25 * 60 })
  expect((await answers(luis))?.filter((one) => ids.includes(one.commandId))).toHaveLength(2)
  expect((await needs()).filter((one) => one.visitId === visitId)).toEqual([])
})

it('two people of the office who decide at once: one holds, the other is told', async () => {
  const { visitId, ids } = await aConflict()
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
  const [one, other] = await Promise.all([
    decide(ids[0] ?? '', 'counts'),
    decide(ids[1] ?? '', 'stands', 'Not ours', clerk),
  ])
  expect([one.status, other.status].sort()).toEqual([200, 409])
  const counts = one.status === 200
  expect((await visitOf(visitId)).status).toBe(counts ? 'completed' : 'canceled')
  const told = (await answers(luis))?.filter((answer) => ids.includes(answer.commandId))
  expect(new Set(told?.map((answer) => answer.decision))).toEqual(new Set([counts ? 'counts' : 'stands']))
})

it('every decision reaches a phone that asks about what it holds, however many there are since and however long ago', async () => {
  const { ids } = await aConflict()
  expect((await decide(ids[0] ?? '', 'stands', 'They had moved out')).status).toBe(200)
  const long = { decision: 'stands', decisionNote: '', decidedBy: business.owner.userId } as const
  await business.db(async (db) => {
    await db
      .updateTable('crewCommands')
      .set({ decidedAt: ago(40 * 24 * 60) })
      .where('businessId', '=', business.id)
      .where('id', 'in', ids)
      .execute()
    const many = Array.from({ length: 101 }, () => ({
      ...{ businessId: business.id, id: newId(), userId: luis.userId, type: 'finish', visitId: newId(), payload: '{}' },
      ...{ deviceAt: ago(60), happenedAt: ago(60), receivedAt: ago(50), result: 'conflict', reason: 'not_yours' },
      ...{ ...long, decidedAt: ago(20) },
    }))
    await db
      .insertInto('crewCommands')
      .values(many as never)
      .execute()
  })
  expect((await answers(luis))?.some(({ commandId }) => ids.includes(commandId))).toBe(false)
  const asks = (who: Person, commandIds = ids) => who.api.ok(conflictsApi.answers, { body: { commandIds } })
  const told = (await asks(luis)).answers
  expect(told.map(({ commandId }) => commandId).sort()).toEqual([...ids].sort())
  expect(told[0]).toMatchObject({ decision: 'stands', note: 'They had moved out' })
  // nobody hears of what is another's, and what nobody decided has no answer
  expect((await asks(ana)).answers).toEqual([])
  const open = await aConflict()
  expect((await asks(luis, open.ids)).answers).toEqual([])
  expect((await luis.api.call(conflictsApi.answers, { body: { commandIds: [] } })).status).toBe(422)
  await decide(open.ids[0] ?? '', 'stands')
})

describe('of one visit each thing is decided by itself', () => {
  const cash = { amountCents: 4500, method: 'cash' as const }
  const money = () =>
    business.db((db) => db.selectFrom('doorReceipts').select('id').where('businessId', '=', business.id).execute())

  it('mowing that does not count leaves the cash to decide, which is booked once, also where another crew has the stop', async () => {
    const other = await aCrew(business, { name: `South ${newId()}`, members: [] })
    const { visitId, ids } = await aConflict()
    const collect = tap('collect', visitId, 4, cash)
    expect(await send(luis, collect)).toEqual(['conflict'])
    const mine = async () => (await needs()).filter((one) => one.visitId === visitId)
    expect((await mine()).map((one) => one.action.kind === 'decide' && one.action.about).sort()).toEqual([
      'collect',
      'work',
    ])
    expect((await decide(ids[0] ?? '', 'stands')).status).toBe(200)
    expect(await mine()).toMatchObject([{ amountCents: 4500, action: { about: 'collect', commandId: collect.id } }])
    expect((await answers(luis))?.some((one) => one.commandId === collect.id)).toBe(false)
    await business.db((db) =>
      db
        .updateTable('visits')
        .set((eb) => ({ crewId: other, version: eb('version', '+', 1) }))
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    const planner = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await decide(collect.id, 'counts', '', planner)).status).toBe(403)
    expect(await money()).toEqual([])
    expect((await decide(collect.id, 'counts')).status).toBe(200)
    expect(await money()).toEqual([{ id: collect.id }])
    expect(await send(luis, { ...collect, attempt: 2 })).toEqual(['duplicate'])
    expect(await money()).toHaveLength(1)
    expect(await mine()).toEqual([])
    expect((await visitOf(visitId)).status).toBe('canceled')
  })

  it('a treatment on a stop of another crew is on file once it counts, and the skip of the visit stays', async () => {
    const other = await aCrew(business, { name: `West ${newId()}`, members: [] })
    const { visitId } = await aVisit(business, { crewId: other, street: '9 Bay St' })
    await setStatus(visitId, 'skipped')
    const product = await aProduct(business.api)
    const record = aRecord(product.id, luis.userId) as unknown as Record<string, unknown>
    const treat = tap('treat', visitId, 1, { record, whole: true })
    expect(await send(luis, treat)).toEqual(['conflict'])
    const records = async () => (await business.api.ok(recordsApi.ofVisit, { params: { visitId } })).records
    expect(await records()).toEqual([])
    const held = async () =>
      (await business.api.ok(dashboardApi.get, {})).needs.filter(
        (one) => one.kind === 'record' && one.visitId === visitId,
      )
    expect(await held()).toHaveLength(1)
    expect((await decide(treat.id, 'counts')).status).toBe(200)
    expect(await records()).toHaveLength(1)
    expect(await held()).toEqual([])
    expect((await visitOf(visitId)).status).toBe('skipped')
  })
})

it('what cannot count says what to do first and decides nothing; who may not plan and other businesses may not decide', async () => {
  const { visitId, ids } = await aConflict('missed')
  const [id = ''] = ids
  const refused = await decide(id, 'counts')
  expect([refused.status, refused.error.message]).toEqual([
    409,
    'This visit was marked as missed. Put it back on the calendar first, then decide again.',
  ])
  expect((await visitOf(visitId)).status).toBe('missed')
  expect((await needs()).map((need) => need.visitId)).toEqual([visitId])
  const clerk = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
  expect((await decide(id, 'stands', '', clerk)).status).toBe(403)
  expect((await decide(id, 'stands', '', luis)).status).toBe(403)
  expect((await decide(id, 'stands', '', await aBusiness())).status).toBe(404)
  expect((await decide(id, 'maybe' as never)).status).toBe(422)
  expect((await decide(id, 'stands')).status).toBe(200)
})
