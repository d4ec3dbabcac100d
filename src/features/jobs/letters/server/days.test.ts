import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pricesApi } from '../../../../features/jobs/prices/contract.ts'
import { visitsApi } from '../../../../features/visits/contract.ts'
import { placeVisitTx, writePlanTx } from '../../../../features/visits/server/commands.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aJob, begin, fromOn, type Job, letterOf, mow, own, raised, send } from '../../../../test/letters.ts'

beforeEach(begin)
afterEach(resetClock)

it('a letter under a later raise that went by its price is taken back after it', async () => {
  const job = await aJob(4200)
  const { body: letter } = await send([raised(job)])
  const raise = await own.api.ok(pricesApi.apply, {
    body: {
      ...{ fromOn: addDays(fromOn, 24), scope: 'future', ownPrices: 'raise' },
      raise: { serviceIds: [mow], by: { percent: 5 } },
    },
  })
  const prices = async () => {
    const { items } = await own.api.ok(visitsApi.list, { query: { jobId: job.id, limit: '100' } })
    return [...new Set(items.filter(({ status }) => status === 'scheduled').map((visit) => visit.priceCents))]
  }
  expect(await prices()).toEqual([4200, 6000, 6300])
  expect((await letterOf(letter.id))?.canUndo).toBe(false)
  const refused = await own.api.call(pricesApi.undo, { params: { id: letter.id } })
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Undo the newer change first')])
  await own.api.ok(pricesApi.undo, { params: { id: raise.id } })
  await own.api.ok(pricesApi.undo, { params: { id: letter.id } })
  expect(await prices()).toEqual([4200])
})

describe('a visit that moves across the day of a new price', () => {
  const visitsOf = async (job: Job) =>
    (await own.api.ok(visitsApi.list, { query: { jobId: job.id, limit: '100' } })).items.filter(
      ({ status }) => status === 'scheduled',
    )
  const priceOf = async (visitId: string) => (await own.api.ok(visitsApi.get, { params: { visitId } })).priceCents
  const around = async (job: Job) => {
    const all = await visitsOf(job)
    const [before, after] = [
      all.filter(({ day }) => (day ?? '') < fromOn).at(-1),
      all.find(({ day }) => (day ?? '') >= fromOn),
    ]
    if (!before || !after) throw new Error('no visits around the day')
    return { before, after }
  }

  it('costs what its new day costs, there and back, and by Undo', async () => {
    const job = await aJob(4200, {}, { quantity: 2 })
    await send([raised(job)])
    const { before, after } = await around(job)
    expect([before.priceCents, after.priceCents]).toEqual([8400, 12_000])
    const move = (visitId: string, day: string | null) =>
      own.api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId: null } })
    await move(after.id, addDays(fromOn, -1))
    expect(await priceOf(after.id)).toBe(8400)
    const { version } = await own.api.ok(visitsApi.get, { params: { visitId: after.id } })
    await own.api.ok(visitsApi.undo, { params: { visitId: after.id }, body: { version } as never })
    expect(await priceOf(after.id)).toBe(12_000)
    const lines = await own.db((db) =>
      db
        .selectFrom('visitLines')
        .select('unitPriceCents')
        .where('businessId', '=', own.id)
        .where('visitId', '=', after.id)
        .execute(),
    )
    expect(lines).toEqual([{ unitPriceCents: 6000 }])
    await move(before.id, addDays(fromOn, 1))
    expect(await priceOf(before.id)).toBe(12_000)
    await move(before.id, null)
    await move(before.id, addDays(fromOn, -2))
    expect(await priceOf(before.id)).toBe(8400)
    // within its side of the day nothing changes, and a price of its own stays wherever it goes
    await own.db(async (db) => {
      await db
        .updateTable('visitLines')
        .set({ unitPriceCents: 5100 })
        .where('businessId', '=', own.id)
        .where('visitId', '=', after.id)
        .execute()
      await db
        .updateTable('visits')
        .set({ priceCents: 10_200 })
        .where('businessId', '=', own.id)
        .where('id', '=', after.id)
        .execute()
    })
    await move(after.id, addDays(fromOn, -1))
    expect(await priceOf(after.id)).toBe(10_200)
  })

  it('by a plan, by hand in a route, or booked anew on a make-up day as well', async () => {
    const job = await aJob(4200)
    await send([raised(job)])
    const { before, after } = await around(job)
    const place = { crewId: null, position: null, pinned: false, locked: true, plannedStartMinute: null }
    const plan = (id: string, day: string) =>
      own.db((db) => writePlanTx(db, [{ ...place, id, day, movedFrom: null, plannedDriveSeconds: null }]))
    await plan(after.id, addDays(fromOn, -1))
    await plan(before.id, addDays(fromOn, 2))
    expect([await priceOf(before.id), await priceOf(after.id)]).toEqual([6000, 4200])
    await own.db((db) =>
      placeVisitTx(
        db,
        { id: after.id, day: addDays(fromOn, -1), crewId: null, movedFrom: null },
        { day: addDays(fromOn, 3), crewId: null },
      ),
    )
    expect(await priceOf(after.id)).toBe(6000)
    await own.api.ok(visitsApi.skip, { params: { visitId: before.id }, body: { reason: 'too_wet' } })
    await own.api.ok(visitsApi.rebook, { params: { visitId: before.id }, body: { day: addDays(fromOn, -2) } })
    const booked = (await visitsOf(job)).find(({ day }) => day === addDays(fromOn, -2))
    expect(booked?.priceCents).toBe(4200)
  })
})
