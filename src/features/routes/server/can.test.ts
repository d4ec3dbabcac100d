import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../../shared/dates.ts'
import type { Api } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import type { VisitStatus } from '../../visits/rules.ts'
import { routesApi } from '../contract.ts'

type Action = 'move' | 'pin'
const acts: Acts<Action> = {
  move: (api, visitId) => api.call(routesApi.move, { body: { visitId, crewId: null, day: today() } }),
  pin: (api, visitId) => api.call(routesApi.pin, { body: { visitId, pinned: true } }),
}
const planOf = (api: Api, day: Day) => api.call(routesApi.day, { query: { day } })
const read = async (api: Api, visitId: string) => {
  const { status, body } = await planOf(api, today())
  const stop = status === 200 ? body.crews.flatMap((crew) => crew.stops).find((one) => one.visitId === visitId) : null
  return { status, body: { can: stop?.can ?? { move: false, pin: false } } }
}
const aStop = (own: TestBusiness, crewId: string, status: VisitStatus) => async () =>
  (await aVisit(own, { crewId, status, position: 1 })).visitId

const states: [VisitStatus, Action[]][] = [
  ['scheduled', ['move', 'pin']],
  ['en_route', ['move']],
  ['in_progress', []],
  ['paused', []],
  ['completed', []],
  ['skipped', []],
]

describe('what may be done with a stop of a route stands on it, and the commands say the same', () => {
  it.each(states)('%s', async (status, may) => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    expect(await doneOf(own.api, aStop(own, crewId, status), read, acts)).toEqual(may)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    expect(await doneOf(dispatcher.api, aStop(own, crewId, status), read, acts)).toEqual(may)
    const id = await aStop(own, crewId, status)()
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['money'] })
    for (const api of [clerk.api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })

  it('a day that is over is not changed, and support changes none', async () => {
    const own = await aBusiness({ workDays: everyDay })
    const crewId = await aCrew(own, { workDays: everyDay })
    const yesterday = addDays(today(), -1)
    const { visitId } = await aVisit(own, { crewId, day: yesterday })
    const change = async (api: Api, day: Day) => [
      (await planOf(api, day)).body.can.change,
      (await api.call(routesApi.move, { body: { visitId, crewId: null, day } })).status,
    ]
    expect(await change(own.api, yesterday)).toEqual([false, 409])
    expect(await change(await supportIn(own), today())).toEqual([false, 403])
    expect(await change(own.api, today())).toEqual([true, 200])
  })
})
