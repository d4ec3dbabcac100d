import { beforeAll, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../../test/field.ts'
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
const send = async (who: Person, ...commands: ReturnType<typeof tap>[]) =>
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
  return { visitId, ids: taps.map(({ id }) => id) }
}

it('work that counts becomes the visit with its times, once, and its phone hears it with the words', async () => {
  const { visitId, ids } = await aConflict()
  const [need] = await needs()
  expect(need).toMatchObject({ visitId, title: 'Luis finished 7 Bay St, but the office had canceled it' })
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
  // decided is decided: a second person is told that nothing waits
  expect((await decide(need.action.commandId, 'stands')).status).toBe(404)
})

it('work that does not count leaves the visit, its time and its photos; another deed of the office is an answer too', async () => {
  const stands = await aConflict()
  const before = await visitOf(stands.visitId)
  expect((await decide(stands.ids[0] ?? '', 'stands', 'They had moved out')).status).toBe(200)
  expect(await visitOf(stands.visitId)).toMatchObject({ status: 'canceled', workedSeconds: before.workedSeconds })
  const seen = await aConflict()
  await business.api.ok(visitsApi.reopen, { params: { visitId: seen.visitId }, body: { reason: '' } })
  const told = await answers(luis)
  expect(stands.ids.map((id) => told?.find((one) => one.commandId === id)?.decision)).toEqual(['stands', 'stands'])
  expect(seen.ids.map((id) => told?.find((one) => one.commandId === id)?.decision)).toEqual(['seen', 'seen'])
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
