import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addDays, weekdayOf } from '../../../../shared/dates.ts'
import { aBusiness, aPerson } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { placeNear } from '../../../../test/planning.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { weatherApi } from '../../../weather/contract.ts'
import { routesApi } from '../../contract.ts'
import { type FillPreview, fillApi } from '../contract.ts'
import { whyNone } from './places.ts'

const day = addDays(today(), 2)

const aBoard = async () => {
  const business = await aBusiness({ workDays: everyDay })
  const crewId = await aCrew(business, { name: 'North', workDays: everyDay })
  let n = 0
  const due = (changes: object = {}) =>
    aVisit(business, { day, street: `${++n} Oak St`, budgetMinutes: 60, ...placeNear(n, 0.01), ...changes })
  const preview = () => business.api.ok(fillApi.preview, { query: { day } })
  const wish = ({ places }: FillPreview) =>
    places.map(({ visitId, version, crewId: crew }) => ({ visitId, version, crewId: crew }))
  const fill = (places: ReturnType<typeof wish>) => business.api.call(fillApi.fill, { body: { day, places } })
  const at = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
  const plan = () => business.api.ok(routesApi.day, { query: { day } })
  return { business, crewId, due, preview, wish, fill, at, plan }
}

describe('filling a day', () => {
  it('shows what goes where until 90 % with its driving, does just that, and is one step to undo', async () => {
    const { business, crewId, due, preview, wish, fill, at, plan } = await aBoard()
    const stays = await due({ crewId, position: 1 })
    const late = await due({ day: addDays(today(), -3), priceCents: 1000 })
    const poor = await due({ priceCents: 500 })
    const waiting = await due({ day: null, priceCents: 4000 })
    for (let i = 0; i < 8; i++) await due({ priceCents: 9000 })
    const seen = await preview()
    const [crew] = seen.crews
    expect(seen.places[0]).toMatchObject({ visitId: late.visitId, crewId, daysLate: 3, priceCents: 1000 })
    expect(crew?.percentAfter).toBeGreaterThan(70)
    expect(crew?.percentAfter).toBeLessThanOrEqual(90)
    expect(seen.left.map((one) => one.visitId)).toContain(poor.visitId)
    expect(seen.left[0]?.reason).toMatch(/^North would be at \d+% of its day; it is filled to 90%\.$/)
    expect(seen.places.length + seen.left.length).toBe(11)
    expect((await at(late.visitId)).crewId).toBeNull()
    const before = await plan()

    const done = await fill(wish(seen))
    expect([done.status, done.body.placed]).toEqual([200, seen.places.length])
    const now = done.body.plan.crews[0]
    expect(now?.totals.shiftPercent).toBe(crew?.percentAfter)
    expect(now?.totals.driveSeconds).toBe((before.crews[0]?.totals.driveSeconds ?? 0) + seen.addedDriveSeconds)
    for (const place of seen.places)
      expect(now?.stops.find((stop) => stop.visitId === place.visitId)?.startMinute).toBe(place.startMinute)
    expect(now?.stops.map((stop) => stop.visitId)).toContain(stays.visitId)
    expect(done.body.plan.undo?.label).toMatch(/^Fill .*: \d+ visits$/)

    await business.api.ok(routesApi.undo, { body: { day, changeId: done.body.plan.undo?.id as string } })
    expect(await at(late.visitId)).toMatchObject({ crewId: null, day: addDays(today(), -3), status: 'scheduled' })
    expect(await at(waiting.visitId)).toMatchObject({ crewId: null, day: null, status: 'unscheduled' })
    expect((await plan()).crews[0]?.stops.map((stop) => stop.visitId)).toEqual([stays.visitId])
    expect(wish(await preview()).map((one) => one.visitId)).toEqual(wish(seen).map((one) => one.visitId))
  })

  it('pressed twice places once; over a change not seen nothing is placed', async () => {
    const { business, crewId, due, preview, wish, fill, at } = await aBoard()
    const [one, two] = [await due(), await due()]
    const places = wish(await preview())
    const [a, b] = await Promise.all([fill(places), fill(places)])
    expect([a.status, b.status].sort()).toEqual([200, 409])
    const steps = await business.db((db) => db.selectFrom('routeChanges').select('id').execute())
    expect(steps).toHaveLength(1)
    await business.api.ok(routesApi.undo, { body: { day } })
    const again = wish(await preview())
    await business.api.ok(routesApi.move, { body: { visitId: one.visitId, crewId, day: addDays(day, 1) } })
    expect((await fill(again)).status).toBe(409)
    expect(await at(two.visitId)).toMatchObject({ crewId: null })
  })

  it('says who was faster, not to save again', async () => {
    const { business, crewId, due, preview, wish, fill } = await aBoard()
    const one = await due()
    const seen = wish(await preview())
    const other = await aPerson(business.id, 'Admin', { name: 'Priya Shah' })
    await other.api.ok(fillApi.fill, { body: { day, places: seen } })
    const second = await fill(seen)
    expect([second.status, second.error.message]).toEqual([
      409,
      'Nothing was placed: Priya Shah was faster, and a visit of this list is not as it was. The list shows what is left now.',
    ])
    await business.api.ok(routesApi.move, { body: { visitId: one.visitId, crewId, day: addDays(day, 1) } })
    expect((await fill(seen)).error.message).toMatch(/^Nothing was placed: /)
  })

  it('does not put the same work on one lawn twice, from whatever job', async () => {
    const { business, crewId, due, preview, fill } = await aBoard()
    const stands = await due({ crewId, position: 1 })
    const round = await due()
    const third = await due()
    await business.db(async (db) => {
      const { propertyId } = await db
        .selectFrom('visits')
        .select('propertyId')
        .where('id', '=', stands.visitId)
        .executeTakeFirstOrThrow()
      for (const { visitId } of [round, third])
        await db.updateTable('visits').set({ propertyId }).where('id', '=', visitId).execute()
      await sql`update visit_lines set service_id = (select service_id from visit_lines where visit_id = ${stands.visitId} limit 1)`.execute(
        db,
      )
    })
    const seen = await preview()
    expect(seen.places).toEqual([])
    expect(seen.left.map((one) => one.reason)).toEqual([
      expect.stringMatching(/^J-\d+ does the same work at this property on this day\.$/),
      expect.stringMatching(/^J-\d+ does the same work at this property on this day\.$/),
    ])
    expect((await fill([{ visitId: round.visitId, version: 1, crewId }])).status).toBe(409)
    // Two of them, and nothing that stands there: one is enough.
    await business.db((db) =>
      db.updateTable('visits').set({ crewId: null, position: null }).where('id', '=', stands.visitId).execute(),
    )
    const now = await preview()
    expect([now.places.length, new Set(now.left.map((one) => one.reason))]).toEqual([
      1,
      new Set(['The same work is placed at this property on this day.']),
    ])
  })

  it('reckons without what is left out, and the room goes to others', async () => {
    const { business, due, preview, wish, fill } = await aBoard()
    for (let i = 0; i < 10; i++) await due({ priceCents: 1000 * (10 - i) })
    const all = await preview()
    const [first] = all.places
    const without = await business.api.ok(fillApi.preview, { query: { day, without: first?.visitId ?? '' } as never })
    const ids = without.places.map((one) => one.visitId)
    expect(ids).not.toContain(first?.visitId)
    expect(all.left.some((one) => ids.includes(one.visitId))).toBe(true)
    const done = await fill(wish(without))
    expect(done.body.plan.crews[0]?.totals.shiftPercent).toBe(without.crews[0]?.percentAfter)
    expect((await business.api.call(fillApi.preview, { query: { day, without: 'x' } as never })).status).toBe(422)
  })

  it('says how much later what stands there begins, and pushes no treatment into the rain', async () => {
    const { business, crewId, due, preview, wish, fill, plan } = await aBoard()
    const stands = await due({ crewId, position: 1, ...placeNear(9, 0.01) })
    await due({ ...placeNear(5, 0.01) })
    const startOf = async () =>
      (await plan()).crews[0]?.stops.find((stop) => stop.visitId === stands.visitId)?.startMinute ?? 0
    const before = await startOf()
    const seen = await preview()
    expect((await fill(wish(seen))).status).toBe(200)
    const more = (await startOf()) - before
    expect([seen.crews[0]?.laterStops, seen.crews[0]?.laterMinutes]).toEqual(more > 0 ? [1, more] : [0, 0])
    await business.api.ok(routesApi.undo, { body: { day } })
    // A treatment stands there: the rain begins two hours after it ends, so it may not begin later.
    await business.db(async (db) => {
      await sql`insert into services (business_id, id, code, name, category, price_rule, time_rule, position)
        select business_id, gen_random_uuid(), 'spray', 'Spray', 'treat', price_rule, time_rule, 90 from services limit 1`.execute(
        db,
      )
      await sql`update visit_lines set service_id = (select id from services where code = 'spray') where visit_id = ${stands.visitId}`.execute(
        db,
      )
      await db.updateTable('visits').set({ budgetMinutes: 59 }).where('id', '=', stands.visitId).execute()
    })
    const start = await startOf()
    const dryUntil = Math.ceil((start + 59 + 120) / 60)
    await business.api.ok(weatherApi.mark, { body: { day, hours: [dryUntil, dryUntil + 1], version: 0 } })
    const wet = await preview()
    expect([wet.crews[0]?.laterStops, wet.places.every((one) => (one.startMinute ?? 0) > start)]).toEqual([0, true])
  })

  it('takes only what was ticked', async () => {
    const { due, preview, wish, fill, at } = await aBoard()
    const [one, two] = [await due(), await due()]
    const places = wish(await preview()).filter((place) => place.visitId === two.visitId)
    expect((await fill(places)).status).toBe(200)
    expect([(await at(one.visitId)).crewId, (await at(two.visitId)).crewId !== null]).toEqual([null, true])
  })

  it('breaks no skill, gap, window of a round or closed day, not asked to either', async () => {
    const { business, crewId, due, preview, fill, at } = await aBoard()
    const near = await due()
    const early = await due({ day: null })
    const twin = await due()
    await business.db(async (db) => {
      await sql`update services set min_gap_days = 5`.execute(db)
      await sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, budget_minutes, price_cents)
        select business_id, gen_random_uuid(), job_id, customer_id, property_id, ${addDays(day, 2)}, ${addDays(day, 2)}, 1, 1 from visits where id = ${near.visitId}`.execute(
        db,
      )
      await sql`update job_lines set recurrence = null, once_on = null, undated = jsonb_build_object('kind', 'step', 'name', 'Round 1', 'opensOn', ${addDays(day, 9)}::text, 'closesOn', ${addDays(day, 30)}::text)
        where id in (select job_line_id from visit_lines where visit_id = ${early.visitId})`.execute(db)
    })
    const seen = await preview()
    const why = (id: string) => seen.left.find((one) => one.visitId === id)?.reason
    expect(why(near.visitId)).toMatch(/^Only 2 days from its visit/)
    expect(why(early.visitId)).toMatch(/^Its window opens on/)
    expect(seen.places.map((one) => one.visitId)).toEqual([twin.visitId])
    for (const { visitId } of [near, early]) {
      const refused = await fill([{ visitId, version: (await at(visitId)).version, crewId }])
      expect([refused.status, refused.error.message]).toEqual([409, expect.stringMatching(/Nothing was placed/)])
      expect((await at(visitId)).crewId).toBeNull()
    }
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ workDays: everyDay.filter((one) => one !== weekdayOf(day)) })
        .execute(),
    )
    const closed = await preview()
    expect(closed.places).toEqual([])
    expect(closed.left.find((one) => one.visitId === twin.visitId)?.reason).toMatch(/^You do not work on/)
    expect((await fill([{ visitId: twin.visitId, version: (await at(twin.visitId)).version, crewId }])).status).toBe(
      409,
    )
  })

  it('hides prices from who sees no money, and knows no visit or crew of others', async () => {
    const { business, crewId, due, fill } = await aBoard()
    const mine = await due({ priceCents: 4000 })
    const { api } = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await api.ok(fillApi.preview, { query: { day } })).places[0]?.priceCents).toBeNull()
    const other = await aBoard()
    const theirs = await other.due()
    expect((await fill([{ visitId: theirs.visitId, version: 1, crewId }])).status).toBe(404)
    expect((await fill([{ visitId: mine.visitId, version: 1, crewId: other.crewId }])).status).toBe(404)
  })
})

it('says what is in the way of those that may do the work', () => {
  const skill = { code: 'skill' as const, text: 'No crew has all of: applicator.', crew: 'North' }
  const full = { code: 'full' as const, text: 'Full.', crew: 'South' }
  const long = { code: 'too-long' as const, text: 'It takes 2 h, the whole shift is 1 h.', crew: 'West' }
  expect([[skill], [skill, full], [full], [skill, long], [skill, long, full], []].map((all) => whyNone(all))).toEqual([
    'No crew has all of: applicator.',
    'The crews that can do it are full.',
    "Every crew's day is full.",
    'West: It takes 2 h, the whole shift is 1 h.',
    'The crews that can do it are full.',
    null,
  ])
})
