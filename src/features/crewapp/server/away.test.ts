import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, type Day, instantAt } from '../../../shared/dates.ts'
import { apiFor } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { employeesApi } from '../../employees/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { conflictsApi } from '../conflicts/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'

/** A phone that was away for ten days: nothing that the crew did vanishes in silence. */

const zone = 'America/New_York'
let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string
let south: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { name: 'North', members: [luis], workDays: everyDay })
  south = await aCrew(business, { name: 'South', members: [ana], workDays: everyDay })
})

type Tap = { id: string; type: CommandType; visitId?: string; at: string; payload: CommandPayload; label?: string }
const tapAt = (
  type: CommandType,
  visitId: string | undefined,
  at: string,
  label = '',
  payload: CommandPayload = {},
): Tap => ({
  id: newId(),
  type,
  ...(visitId ? { visitId } : {}),
  at,
  payload,
  ...(label ? { label } : {}),
})
const send = async (who: Person, commands: Tap[], sentAt = clock.iso()) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt } })).results
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.filter((need) => need.kind === 'conflict')
const answers = async (who: Person) => (await who.api.ok(crewappApi.day, { query: {} })).answers ?? []
const decide = (id: string, decision: 'counts' | 'stands', note = '') =>
  business.api.call(conflictsApi.decide, { params: { id }, body: { decision, note } })
const setVisit = (visitId: string, change: { crewId?: string; day?: Day }) =>
  business.db((db) =>
    db
      .updateTable('visits')
      .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
const drop = (visitId: string) =>
  business.db((db) => db.deleteFrom('visits').where('businessId', '=', business.id).where('id', '=', visitId).execute())
const agedBy = (days: number) =>
  business.db((db) =>
    db
      .updateTable('crewCommands')
      .set({ receivedAt: new Date(clock.nowMs() - days * 86_400_000).toISOString() })
      .where('businessId', '=', business.id)
      .execute(),
  )
const photo = async (who: Person, visitId: string, id = newId()) => {
  const body = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
  return who.api.call(crewappApi.addPhoto, { params: { visitId }, query: { id, kind: 'after' }, body })
}

it('ten days of taps arrive with their own times, and what the visits cannot have any more waits for the office', async () => {
  const days = Array.from({ length: 10 }, (_, index) => addDays(today(), index - 10))
  const at = (index: number, minute: number) => instantAt(days[index] ?? today(), minute, zone)
  const own: { visitId: string }[] = []
  for (const [i, day] of days.entries()) own.push(await aVisit(business, { crewId, day, street: `${i + 1} Own St` }))
  const moved = await aVisit(business, { crewId, day: days[3], street: '7 Bay St' })
  const later = await aVisit(business, { crewId, day: days[4], street: '45 Wassaw Rd' })
  const gone = await aVisit(business, { crewId, day: days[5], street: '1513 Cathy St' })
  await setVisit(moved.visitId, { crewId: south, day: addDays(today(), 3) })
  await setVisit(later.visitId, { day: addDays(today(), 5) })
  await drop(gone.visitId)
  const stop = (index: number, visitId: string, minute: number, label: string) => [
    tapAt('start', visitId, at(index, minute), label),
    tapAt('finish', visitId, at(index, minute + 40), label, { note: `At ${label}` }),
  ]
  const taps = days.flatMap((_, index) => [
    tapAt('clock_in', undefined, at(index, 480)),
    ...stop(index, own[index]?.visitId ?? '', 500, `${index + 1} Own St`),
    ...(index === 3 ? stop(index, moved.visitId, 600, '7 Bay St') : []),
    ...(index === 4 ? stop(index, later.visitId, 600, '45 Wassaw Rd') : []),
    ...(index === 5 ? stop(index, gone.visitId, 600, '1513 Cathy St') : []),
    tapAt('clock_out', undefined, at(index, 960)),
  ])
  const replies = await send(luis, taps)
  const told = new Map(replies.map((reply) => [reply.id, `${reply.result} ${reply.reason ?? ''}`.trim()]))
  const of = (visitId: string) => taps.filter((one) => one.visitId === visitId).map(({ id }) => told.get(id))
  expect(of(moved.visitId)).toEqual(['conflict not_yours', 'conflict not_yours'])
  expect(of(gone.visitId)).toEqual(['conflict not_found', 'conflict not_found'])
  expect(of(later.visitId)).toEqual(['applied', 'applied'])
  expect(replies.filter((reply) => reply.result === 'refused')).toEqual([])
  for (const [index, { visitId }] of own.entries())
    expect(await visitOf(visitId)).toMatchObject({
      status: 'completed',
      startedAt: at(index, 500),
      finishedAt: at(index, 540),
    })
  // work on a stop that the office moved stands on the day on which it was done
  expect(await visitOf(later.visitId)).toMatchObject({ status: 'completed', day: days[4], crewId })
  const untouched = await visitOf(moved.visitId)
  expect(untouched).toMatchObject({ status: 'scheduled', startedAt: null, note: '' })
  const entries = await business.db((db) =>
    db
      .selectFrom('timeEntries')
      .select(['startedAt', 'endedAt'])
      .where('businessId', '=', business.id)
      .where('userId', '=', luis.userId)
      .orderBy('startedAt')
      .execute(),
  )
  expect(entries).toEqual(days.map((_, index) => ({ startedAt: at(index, 480), endedAt: at(index, 960) })))

  for (const { visitId } of [moved, gone]) expect((await photo(luis, visitId)).status).toBe(200)
  const here = await needs()
  expect(here.map(({ title }) => title).sort()).toEqual([
    'Luis finished 1513 Cathy St, but the visit was deleted',
    'Luis finished 7 Bay St, but the stop is with another crew',
  ])
  const need = here.find((one) => one.visitId === moved.visitId)
  expect(need?.detail).toMatch(/10:00 AM to 10:40 AM\. The time and 1 photo are kept\./)
  if (need?.action.kind !== 'decide') throw new Error('It is not to be decided.')
  expect(need.action.photos).toHaveLength(1)
  expect(untouched.photos).toEqual([])
  expect((await decide(need.action.commandId, 'counts', 'Good work')).status).toBe(200)
  const counted = await visitOf(moved.visitId)
  expect(counted).toMatchObject({
    status: 'completed',
    day: days[3],
    crewId,
    startedAt: at(3, 600),
    finishedAt: at(3, 640),
    workedSeconds: 40 * 60,
    note: 'At 7 Bay St',
  })
  expect(counted.photos).toHaveLength(1)
  // one that was still on its way follows the answer
  expect((await photo(luis, moved.visitId)).status).toBe(200)
  expect((await visitOf(moved.visitId)).photos).toHaveLength(2)

  const lost = (await needs()).find((one) => one.title.includes('Cathy'))
  if (lost?.action.kind !== 'decide') throw new Error('It is not to be decided.')
  expect([lost.action.about, lost.action.photos?.length]).toEqual(['gone', 1])
  expect((await decide(lost.action.commandId, 'stands', 'They had moved out')).status).toBe(200)
  expect(await needs()).toEqual([])
  const heard = await answers(luis)
  const of2 = (visitId: string) =>
    taps.filter((one) => one.visitId === visitId).map(({ id }) => heard.find((one) => one.commandId === id)?.decision)
  expect(of2(moved.visitId)).toEqual(['counts', 'counts'])
  expect(of2(gone.visitId)).toEqual(['stands', 'stands'])
}, 120_000)

it('photos alone, of a stop that is with another crew, are told to the office once and kept when they do not count', async () => {
  const { visitId } = await aVisit(business, { crewId: south, street: '9 Elm St' })
  const id = newId()
  expect((await photo(luis, visitId, id)).status).toBe(200)
  expect((await photo(luis, visitId, id)).status).toBe(200)
  expect((await photo(luis, visitId)).status).toBe(200)
  const [need, ...others] = await needs()
  expect([need?.title, others]).toEqual(['Luis took photos at 9 Elm St, but the stop is with another crew', []])
  if (need?.action.kind !== 'decide') throw new Error('It is not to be decided.')
  expect((await decide(need.action.commandId, 'stands')).status).toBe(200)
  expect((await visitOf(visitId)).photos).toEqual([])
  const held = await business.db((db) =>
    db
      .selectFrom('heldPhotos')
      .select('id')
      .where('businessId', '=', business.id)
      .where('visitId', '=', visitId)
      .execute(),
  )
  expect(held).toHaveLength(2)
  const foreign = await aBusiness()
  const theirs = await aVisit(foreign)
  expect((await photo(luis, theirs.visitId)).status).toBe(200)
  expect((await foreign.api.ok(visitsApi.get, { params: { visitId: theirs.visitId } })).photos).toEqual([])
})

it('photos are told of although a sale at the same stop was not taken, and its answer decides nothing of them', async () => {
  const { visitId } = await aVisit(business, { crewId: south, street: '11 Elm St' })
  const payload: CommandPayload = {
    sale: {
      serviceId: newId(),
      quantity: 1,
      note: '',
      photoIds: [],
      planned: 'later',
      way: 'none',
      unitCents: null,
      signer: '',
      strokes: [],
      position: null,
    },
  }
  const sold = tapAt('sell', visitId, clock.iso(), '', payload)
  await send(luis, [sold])
  expect((await decide(sold.id, 'stands')).status).toBe(200)
  expect((await photo(luis, visitId)).status).toBe(200)
  expect((await needs()).map(({ title }) => title)).toContain(
    'Luis took photos at 11 Elm St, but the stop is with another crew',
  )
})

it('what nobody has decided waits longer than a month, and work of a deleted visit does too', async () => {
  const { visitId } = await aVisit(business, { crewId: south, street: '3 Oak St' })
  await send(luis, [tapAt('start', visitId, clock.iso(), '3 Oak St')])
  await agedBy(90)
  expect((await needs()).map(({ title }) => title)).toContain(
    'Luis started 3 Oak St, but the stop is with another crew',
  )
  await drop(visitId)
  const [need] = (await needs()).filter(({ title }) => title === 'Luis started 3 Oak St, but the visit was deleted')
  if (need?.action.kind !== 'decide') throw new Error('It is not to be decided.')
  expect((await decide(need.action.commandId, 'stands')).status).toBe(200)
  expect((await needs()).map(({ title }) => title).join()).not.toContain('Oak')
})

it('a phone whose clock is an hour ahead has been away: each tap is put on our clock by what it shows when it sends', async () => {
  const { visitId } = await aVisit(business, { crewId, street: '5 Pine St', day: addDays(today(), -2) })
  const day = addDays(today(), -2)
  const ahead = (minute: number) => instantAt(day, minute + 60, zone)
  const sentAt = new Date(clock.nowMs() + 3_600_000).toISOString()
  await send(luis, [tapAt('start', visitId, ahead(1000)), tapAt('finish', visitId, ahead(1030))], sentAt)
  const { startedAt, finishedAt } = await visitOf(visitId)
  const off = (one: string | null, minute: number) =>
    Math.abs(Date.parse(one ?? '') - Date.parse(instantAt(day, minute, zone))) / 1000
  expect(off(startedAt, 1000)).toBeLessThan(120)
  expect(off(finishedAt, 1030)).toBeLessThan(120)
})

it('a person who was let go meanwhile hands in what they did once they are let in again', async () => {
  const own = await aBusiness({ workDays: everyDay })
  const dan = await own.employee({ name: 'Dan Cole' })
  const crew = await aCrew(own, { members: [dan], workDays: everyDay })
  const day = addDays(today(), -3)
  const { visitId } = await aVisit(own, { crewId: crew, day })
  const taps = [tapAt('start', visitId, instantAt(day, 500, zone)), tapAt('finish', visitId, instantAt(day, 530, zone))]
  await own.api.ok(employeesApi.deactivate, { params: { id: dan.userId } })
  expect((await dan.api.call(crewappApi.commands, { body: { commands: taps, sentAt: clock.iso() } })).status).toBe(401)
  await own.api.ok(employeesApi.reactivate, { params: { id: dan.userId } })
  // what an invitation that is taken and a sign-in leave behind
  await own.db(async (db) => {
    await db
      .updateTable('users')
      .set({ status: 'active' })
      .where('businessId', '=', own.id)
      .where('id', '=', dan.userId)
      .execute()
    await db
      .updateTable('sessions')
      .set({ revokedAt: null })
      .where('businessId', '=', own.id)
      .where('userId', '=', dan.userId)
      .execute()
  })
  const again = await apiFor(dan)
  const { results } = await again.ok(crewappApi.commands, { body: { commands: taps, sentAt: clock.iso() } })
  expect(results.map(({ result }) => result)).toEqual(['applied', 'applied'])
  expect(await own.api.ok(visitsApi.get, { params: { visitId } })).toMatchObject({
    status: 'completed',
    startedAt: taps[0]?.at,
  })
})
