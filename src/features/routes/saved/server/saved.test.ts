import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays, weekdayOf } from '../../../../shared/dates.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today, type VisitChanges } from '../../../../test/field.ts'
import { placeNear } from '../../../../test/planning.ts'
import { routesApi } from '../../contract.ts'
import { savedRoutesApi } from '../contract.ts'

const day = addDays(today(), 2)
const later = addDays(day, 7)

const aTuesday = async () => {
  const business = await aBusiness({ workDays: everyDay })
  const [north, coast] = [
    await aCrew(business, { name: 'North', workDays: everyDay }),
    await aCrew(business, { name: 'Coast', workDays: everyDay }),
  ]
  const visit = (n: number, changes: VisitChanges = {}) =>
    aVisit(business, {
      day,
      crewId: north,
      position: n,
      street: `${n} Oak St`,
      budgetMinutes: 30,
      ...placeNear(n, 0.04),
      ...changes,
    })
  const made = [await visit(1), await visit(2), await visit(3)]
  const save = (name = 'North Tuesday') =>
    business.api.ok(savedRoutesApi.create, { body: { name, day, crewId: north } })
  /** The visit of a job on a later day. */
  const repeat = async (of: { visitId: string }, changes: object) => {
    const id = newId()
    await business.db(async (db) => {
      const {
        id: _,
        toBill: _computed,
        ...row
      } = await db.selectFrom('visits').selectAll().where('id', '=', of.visitId).executeTakeFirstOrThrow()
      await db
        .insertInto('visits')
        .values({ ...row, id, occurrenceOn: later, day: later, position: null, ...changes })
        .execute()
    })
    return id
  }
  const orderOf = async (crewId: string, on = later) =>
    (await business.api.ok(routesApi.day, { query: { day: on } })).crews
      .find((crew) => crew.crewId === crewId)
      ?.stops.map((stop) => stop.visitId)
  return { business, north, coast, made, visit, save, repeat, orderOf }
}

describe('a stop by hand', () => {
  it('is a job of the weekday that is not in it, with the place where it costs the least', async () => {
    const { business, coast, visit, save, made, repeat } = await aTuesday()
    const [first, second] = made
    const saved = await save()
    const near = await visit(9, { day: later, crewId: coast, street: '1a Oak St', ...placeNear(1, 0.0401) })
    await visit(8, { day: addDays(later, 1), crewId: coast, street: '8 Other St' })
    await repeat(first as { visitId: string }, {})
    const ask = (q: string) => business.api.ok(savedRoutesApi.candidates, { params: { id: saved.id }, query: { q } })
    const { items } = await ask('')
    expect(items.map((item) => item.street)).toEqual(['1a Oak St'])
    expect([null, first?.jobId]).toContain(items[0]?.afterJobId)
    expect((await ask('nobody')).items).toEqual([])
    const jobIds = saved.stops.map((stop) => stop.jobId).toSpliced(1, 0, near.jobId)
    const { name, weekday, crewId, version } = saved
    const changed = await business.api.ok(savedRoutesApi.update, {
      params: { id: saved.id },
      body: { name, weekday, crewId, version, jobIds },
    })
    expect(changed.stops.map((stop) => stop.jobId).slice(0, 3)).toEqual([first?.jobId, near.jobId, second?.jobId])
    expect((await ask('')).items).toEqual([])
    const stranger = await aBusiness()
    const foreign = await stranger.api.call(savedRoutesApi.candidates, { params: { id: saved.id }, query: {} })
    expect(foreign.status).toBe(404)
  })
})

describe('a saved route', () => {
  it('is a crew’s day in its order, kept for the weekday; a day without stops is refused', async () => {
    const { business, coast, made, save } = await aTuesday()
    const saved = await save()
    expect(saved).toMatchObject({
      name: 'North Tuesday',
      weekday: weekdayOf(day),
      crewName: 'North',
      ended: 0,
      drift: null,
    })
    expect(saved.stops.map((stop) => stop.jobId)).toEqual(made.map((one) => one.jobId))
    const empty = await business.api.call(savedRoutesApi.create, { body: { name: 'None', day, crewId: coast } })
    expect(empty.status).toBe(409)
    expect((await business.api.ok(savedRoutesApi.list, {})).items.map((one) => one.id)).toEqual([saved.id])
  })

  it('shows what it would change, changes it in its order, once, and undo puts all back', async () => {
    const { business, north, coast, made, visit, save, repeat, orderOf } = await aTuesday()
    const [one, two, three] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
    const { id } = await save()
    const second = await repeat(two, { crewId: north, position: 1 })
    const first = await repeat(one, { crewId: coast, position: 1 })
    const extra = (await visit(9, { day: later, position: 2 })).visitId
    const before = [await orderOf(north), await orderOf(coast)]
    const asked = await business.api.ok(savedRoutesApi.differences, { params: { id }, query: { day: later } })
    expect(asked).toMatchObject({ kept: 1, reordered: false, held: [], refusal: null })
    expect(asked.brought).toEqual([{ visitId: first, street: '1 Oak St', customerName: 'R. Odom', from: 'Coast' }])
    expect(asked.missing).toMatchObject([{ jobId: three.jobId, nextDay: day }])
    expect(asked.extra.map((stop) => stop.visitId)).toEqual([extra])
    expect(asked.driveSeconds.best).toBeLessThanOrEqual(asked.driveSeconds.saved)
    expect([await orderOf(north), await orderOf(coast)]).toEqual(before)
    const apply = () => business.api.ok(savedRoutesApi.apply, { params: { id }, body: { day: later } })
    const done = await apply()
    expect(done.changed).toBe(true)
    const now = (await orderOf(north)) ?? []
    expect(now.filter((stop) => stop !== extra)).toEqual([first, second])
    expect([now.length, await orderOf(coast)]).toEqual([3, []])
    expect(done.plan.crews.find((crew) => crew.crewId === north)?.totals.driveSeconds).toBe(asked.driveSeconds.saved)
    expect((await apply()).changed).toBe(false)
    await business.api.ok(routesApi.undo, { body: { day: later } })
    expect([await orderOf(north), await orderOf(coast)]).toEqual(before)
  })

  it('leaves a stop that is pinned elsewhere, and is refused for a day that is over or off', async () => {
    const { business, north, coast, made, save, repeat, orderOf } = await aTuesday()
    const { id } = await save()
    const held = await repeat(made[0]!, { crewId: coast, position: 1, pinned: true })
    const asked = await business.api.ok(savedRoutesApi.differences, { params: { id }, query: { day: later } })
    expect(asked.held).toMatchObject([{ visitId: held, why: 'is pinned with Coast' }])
    await business.api.ok(savedRoutesApi.apply, { params: { id }, body: { day: later } })
    expect(await orderOf(coast)).toEqual([held])
    const past = await business.api.call(savedRoutesApi.apply, { params: { id }, body: { day: addDays(today(), -1) } })
    expect(past.status).toBe(409)
    await business.db((db) =>
      db
        .insertInto('crewDaysOff')
        .values({ businessId: business.id, id: newId(), crewId: north, day: later, reason: 'out' })
        .execute(),
    )
    const off = await business.api.call(savedRoutesApi.apply, { params: { id }, body: { day: later } })
    expect([off.status, off.error.message]).toEqual([409, expect.stringContaining('North does not work on this day')])
  })

  it('is changed over the version that was seen, removed and brought back', async () => {
    const { business, coast, made, save } = await aTuesday()
    const { id, version } = await save()
    const jobIds = [made[2]!.jobId, made[0]!.jobId]
    const body = { name: 'Coast Friday', weekday: 5, crewId: coast, jobIds, version }
    const changed = await business.api.ok(savedRoutesApi.update, { params: { id }, body })
    expect(changed).toMatchObject({ name: 'Coast Friday', weekday: 5, crewName: 'Coast' })
    expect(changed.stops.map((stop) => stop.jobId)).toEqual(jobIds)
    expect((await business.api.call(savedRoutesApi.update, { params: { id }, body })).status).toBe(409)
    const foreign = { ...body, version: changed.version, jobIds: [newId()] }
    expect((await business.api.call(savedRoutesApi.update, { params: { id }, body: foreign })).status).toBe(422)
    const gone = await business.api.ok(savedRoutesApi.remove, { params: { id }, body: { version: changed.version } })
    expect((await business.api.ok(savedRoutesApi.list, {})).items).toEqual([])
    expect((await business.api.call(savedRoutesApi.apply, { params: { id }, body: { day: later } })).status).toBe(409)
    await business.api.ok(savedRoutesApi.restore, { params: { id }, body: { version: gone.version } })
    expect((await business.api.ok(savedRoutesApi.list, {})).items.length).toBe(1)
  })

  it('says how its weekday has drifted, from what was driven', async () => {
    const { business, north, visit, save } = await aTuesday()
    const { id } = await save()
    for (const [n, minutes] of [100, 101, 99, 120, 141, 142].entries()) {
      const past = addDays(day, -7 * (6 - n))
      await visit(1, { day: past, status: 'completed' })
      await publishDay(business, north, past)
      await business.db((db) =>
        db
          .updateTable('routes')
          .set({ planned: JSON.stringify({ driveSeconds: minutes * 60 }) })
          .where('businessId', '=', business.id)
          .where('day', '=', past)
          .execute(),
      )
    }
    const [found] = (await business.api.ok(savedRoutesApi.list, {})).items
    expect(found).toMatchObject({ id, drift: { since: addDays(day, -42), driveMinutes: 41, stops: 0 } })
  })
})

it('a saved route of another business is nobody’s', async () => {
  const [own, other] = [await aTuesday(), await aTuesday()]
  const { id, version } = await other.save()
  const body = { name: 'X', weekday: 1, crewId: own.north, jobIds: [own.made[0]!.jobId], version }
  expect([
    (await own.business.api.call(savedRoutesApi.differences, { params: { id }, query: { day } })).status,
    (await own.business.api.call(savedRoutesApi.apply, { params: { id }, body: { day } })).status,
    (await own.business.api.call(savedRoutesApi.update, { params: { id }, body })).status,
    (await own.business.api.call(savedRoutesApi.create, { body: { name: 'X', day, crewId: other.north } })).status,
  ]).toEqual([404, 404, 404, 404])
})
