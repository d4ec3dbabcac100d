import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { calendarEventsApi } from '../../calendar/events/contract.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { positionsApi } from '../../positions/contract.ts'
import { liveboardApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string
let visitId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  await business.db((db) =>
    db.updateTable('crews').set({ leaderUserId: luis.userId }).where('id', '=', crewId).execute(),
  )
  ;({ visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 }))
  await aVisit(business, { crewId, street: '9 Bay St', position: 2 })
  await publishDay(business, crewId)
})

const act = (by: Person, type: string, more: object = {}) =>
  by.api.ok(crewappApi.commands, {
    body: { commands: [{ id: newId(), type, at: new Date().toISOString(), payload: {}, ...more }] as never },
  })
const board = () => business.api.ok(liveboardApi.now, {})
const people = async () => (await board()).crews[0]?.people.map(({ name, state }) => [name, state])
const stops = async () => (await board()).crews[0]?.stops.map(({ street, state }) => [street, state])

it('says who is on the clock and how far each stop is, as the phones say it', async () => {
  expect([await people(), await stops()]).toEqual([
    [
      ['Luis Ortega', 'off'],
      ['Ana Reyes', 'off'],
    ],
    [
      ['7 Bay St', 'open'],
      ['9 Bay St', 'open'],
    ],
  ])
  await act(luis, 'clock_in')
  await act(ana, 'clock_in')
  await act(ana, 'break_start')
  await act(luis, 'en_route', { visitId })
  expect([await people(), (await stops())?.[0]]).toEqual([
    [
      ['Luis Ortega', 'working'],
      ['Ana Reyes', 'break'],
    ],
    ['7 Bay St', 'onTheWay'],
  ])
  await act(luis, 'start', { visitId })
  expect((await stops())?.[0]).toEqual(['7 Bay St', 'working'])
  await act(luis, 'pause', { visitId })
  expect((await stops())?.[0]).toEqual(['7 Bay St', 'paused'])
  await act(luis, 'finish', { visitId })
  expect((await stops())?.[0]).toEqual(['7 Bay St', 'done'])
})

it('who has the day off says so, who is in without a crew stands apart, and nobody stands there twice', async () => {
  await business.api.ok(calendarEventsApi.create, {
    body: { kind: 'time_off', title: 'Off', firstDay: today(), lastDay: today(), userId: ana.userId },
  })
  const bo = await business.employee({ name: 'Bo' })
  await act(bo, 'clock_in')
  const { crews, others } = await board()
  expect(crews.map(({ people }) => people.map(({ name, state }) => [name, state]))).toEqual([
    [
      ['Luis Ortega', 'off'],
      ['Ana Reyes', 'away'],
    ],
  ])
  expect(others.map(({ name, state }) => [name, state])).toEqual([['Bo', 'working']])
})

it('is for who plans the days', async () => {
  const bookkeeper = await aPerson(business.id, 'Admin', { permissions: ['money'] })
  expect((await bookkeeper.api.call(liveboardApi.now, {})).status).toBe(403)
  expect((await luis.api.call(liveboardApi.now, {})).status).toBe(403)
})

it('a tap that comes late says since when by its own time', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const [came, left] = [ago(8), ago(5)]
  await act(luis, 'start', { visitId, at: came })
  expect((await board()).crews[0]?.stops[0]).toMatchObject({ state: 'working', since: came })
  await act(luis, 'pause', { visitId, at: left })
  expect((await board()).crews[0]?.stops[0]).toMatchObject({ state: 'paused', since: left })
})

it('positions are those of who shares them, on the clock, and only for who may see them', async () => {
  const dispatcher = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
  const place = () => ({
    id: newId(),
    at: new Date().toISOString(),
    latitude: 32.05,
    longitude: -81.1,
    accuracyMeters: 12,
  })
  const positions = async () => (await board()).crews[0]?.people.map(({ position }) => position?.latitude ?? null)
  await act(luis, 'clock_in')
  await act(luis, 'start', { visitId })
  await act(luis, 'finish', { visitId })
  const lost = await board()
  expect([await positions(), lost.crews[0]?.lastKnownVisitId]).toEqual([[null, null], visitId])
  await luis.api.ok(positionsApi.share, { body: { on: true } })
  await luis.api.ok(positionsApi.add, { body: { positions: [place()] } })
  const seen = await board()
  expect([await positions(), seen.crews[0]?.lastKnownVisitId]).toEqual([[32.05, null], null])
  const hidden = await dispatcher.api.ok(liveboardApi.now, {})
  expect(hidden.crews[0]?.people.map(({ position }) => position)).toEqual([null, null])
  expect(hidden.crews[0]?.lastKnownVisitId).toBe(visitId)
  await act(luis, 'break_start')
  expect(await positions()).toEqual([null, null])
  await act(luis, 'break_end')
  await act(luis, 'clock_out')
  expect(await positions()).toEqual([null, null])
})
