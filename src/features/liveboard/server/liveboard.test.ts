import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { calendarEventsApi } from '../../calendar/events/contract.ts'
import { crewappApi } from '../../crewapp/contract.ts'
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
