import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, type Day, weekdayOf } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, today, type VisitChanges } from '../../../../test/field.ts'
import { optimized, placeNear, runOver } from '../../../../test/planning.ts'
import { type RouteRun, routesApi } from '../../contract.ts'

/** A Monday, so that five working days lie behind it. */
const monday: Day = (() => {
  let day = addDays(today(), 2)
  while (weekdayOf(day) !== 1) day = addDays(day, 1)
  return day
})()
const [tuesday, wednesday, friday, saturday] = [1, 2, 4, 5].map((n) => addDays(monday, n)) as [Day, Day, Day, Day]

let business: TestBusiness
let north: string
let coast: string

beforeEach(async () => {
  business = await aBusiness()
  north = await aCrew(business, { name: 'North', members: [await business.employee({ wageCents: 2000 })] })
  coast = await aCrew(business, { name: 'Coast', members: [await business.employee({ wageCents: 2000 })] })
})

const visit = async (i: number, changes: VisitChanges = {}) =>
  (await aVisit(business, { day: monday, budgetMinutes: 40, street: `${i} Bluff Dr`, ...placeNear(i), ...changes }))
    .visitId
const rows = () =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'crewId', 'position', 'plannedStartMinute', 'movedFrom', 'status', 'skipReason', 'pinned'])
      .where('businessId', '=', business.id)
      .orderBy('id')
      .execute(),
  )
const set = (id: string, change: Record<string, unknown>) =>
  business.db((db) =>
    db.updateTable('visits').set(change).where('businessId', '=', business.id).where('id', '=', id).execute(),
  )
const read = (day: Day) => business.api.ok(routesApi.day, { query: { day } })
const ordersOn = async (day: Day) =>
  Object.fromEntries((await read(day)).crews.map((c) => [c.name, c.stops.map((s) => s.visitId)]))
const apply = (run: RouteRun) => business.api.ok(routesApi.applyRun, { params: { id: run.id } })
const closeOn = (...holidays: Day[]) =>
  business.db((db) => db.updateTable('businesses').set({ holidays }).where('businessId', '=', business.id).execute())
const repeats = () =>
  business.db((db) =>
    db
      .updateTable('jobLines')
      .set({ onceOn: null, recurrence: JSON.stringify({ freq: 'week', interval: 1 }) })
      .where('businessId', '=', business.id)
      .execute(),
  )

describe('several days at once', { timeout: 90_000 }, () => {
  it('keeps every visit on its day, gives what has no crew the best day, and is undone on all days at once', async () => {
    const mine: string[] = []
    for (let i = 0; i < 12; i++)
      mine.push(await visit(i, { day: [monday, tuesday, wednesday][i % 3]!, crewId: i % 2 ? north : coast }))
    const due = [await visit(20, { day: monday }), await visit(21, { day: addDays(today(), -1) })]
    const before = await rows()
    const { run, result } = await optimized(business.api, { day: monday, lastDay: wednesday, apply: false })
    expect(run).toMatchObject({ status: 'proposed', firstDay: monday, lastDay: wednesday })
    expect(await rows()).toEqual(before)
    expect(result.days.map((d) => d.day)).toEqual([monday, tuesday, wednesday])
    for (const key of ['driveSeconds', 'driveMeters', 'laborCents'] as const)
      expect(result.after[key]).toBe(result.days.reduce((sum, d) => sum + (d.after[key] ?? 0), 0))
    await apply(run)
    const after = await rows()
    for (const id of mine) expect(after.find((v) => v.id === id)?.day).toBe(before.find((v) => v.id === id)?.day)
    for (const id of due) expect(after.find((v) => v.id === id)).toMatchObject({ crewId: expect.any(String) })
    expect(result.left).toEqual([])
    const wednesdayPlan = await read(wednesday)
    expect(wednesdayPlan.undo?.days).toEqual([monday, tuesday, wednesday])
    await business.api.ok(routesApi.undo, { body: { day: wednesday } })
    expect(await rows()).toEqual(before)
    await business.api.ok(routesApi.redo, { body: { day: tuesday } })
    expect(await rows()).toEqual(after)
  })

  it('moves only visits that repeat, only as far as it may, and none that was sent, pinned or put there by hand', async () => {
    // Monday is far away from everything but one stop of Tuesday: each visit that may go wants to go.
    const far = { latitude: 32.4, longitude: -81.4 }
    const near = { latitude: 32.401, longitude: -81.401 }
    const loose = await visit(1, { ...far, crewId: north })
    const fixed = await Promise.all([2, 3, 4].map((i) => visit(i, { ...far, crewId: north })))
    const once = await visit(5, { ...far, crewId: north })
    await visit(6, { ...near, day: tuesday, crewId: north })
    await repeats()
    await business.db((db) =>
      db
        .updateTable('jobLines')
        .set({ recurrence: null, onceOn: monday })
        .where('businessId', '=', business.id)
        .where('jobId', '=', (eb) => eb.selectFrom('visits').select('jobId').where('id', '=', once))
        .execute(),
    )
    await set(fixed[0]!, { pinned: true, position: 1 })
    await set(fixed[1]!, { locked: true })
    await set(fixed[2]!, { publishedDay: monday, publishedCrewId: north, publishedPosition: 1 })
    const stay = await optimized(business.api, { day: monday, lastDay: tuesday, apply: false, moveDays: 0 })
    expect(stay.result.changes.filter((c) => c.kind === 'other-day')).toEqual([])
    const { result } = await optimized(business.api, { day: monday, lastDay: tuesday, apply: false, moveDays: 2 })
    const moved = result.changes.filter((c) => c.kind === 'other-day').map((c) => c.visitId)
    for (const id of [...fixed, once]) expect(moved).not.toContain(id)
    expect(moved.every((id) => id === loose || id === undefined || !fixed.includes(id))).toBe(true)
  })

  it('brings nothing to a day on which the business is closed, and leaves there what it has', async () => {
    await closeOn(tuesday)
    const [stays, late, due] = [
      await visit(1, { day: tuesday, crewId: north }),
      await visit(2, { day: addDays(today(), -1) }),
      await visit(3, { day: monday }),
    ]
    const week = { day: monday, lastDay: wednesday, apply: false, moveDays: 2 }
    // Everything of Monday and Wednesday lies beside the one stop of Tuesday.
    for (const day of [monday, wednesday]) await visit(1, { day, crewId: north })
    await repeats()
    const { result } = await optimized(business.api, week)
    expect(result.changes.filter((c) => c.to.day === tuesday && c.from.day !== tuesday)).toEqual([])
    expect(result.changes.map((c) => c.visitId)).toEqual(expect.arrayContaining([late, due]))
    // Planned alone, the closed day takes up nothing of the days before, and its own stop keeps its place.
    await optimized(business.api, { day: tuesday }).catch(() => null)
    expect((await rows()).filter((v) => v.day === tuesday).map((v) => v.id)).toEqual([stays])
  })

  it('brings what is late past a holiday at the start, also what was put on its day by hand; closed all along, nothing', async () => {
    await closeOn(monday)
    const late = await visit(2, { day: addDays(today(), -1) })
    await set(late, { locked: true })
    await visit(3, { day: tuesday, crewId: north })
    const ask = { day: monday, lastDay: tuesday, apply: false }
    const { run, result } = await optimized(business.api, ask)
    expect(result.changes.filter((c) => c.visitId === late).map((c) => c.to.day)).toEqual([tuesday])
    await business.api.ok(routesApi.dismissRun, { params: { id: run.id } })
    await closeOn(monday, tuesday)
    const closed = await optimized(business.api, ask)
    expect(closed.result.changes.filter((c) => c.visitId === late)).toEqual([])
    expect(closed.result.left.map((left) => left.visitId)).toEqual([late])
  })

  it('refuses what cannot be planned at once and says so', async () => {
    await visit(1)
    const call = (body: object) => business.api.call(routesApi.optimize, { body: { day: monday, ...body } })
    expect((await call({ lastDay: addDays(monday, -1) })).status).toBe(422)
    expect((await call({ lastDay: addDays(monday, 14) })).error.errors?.[0]?.message).toBe(
      'At most 14 days can be planned at once.',
    )
    expect((await call({ moveDays: 9 })).status).toBe(422)
  })
})

describe('rain', { timeout: 90_000 }, () => {
  const week = async (budgetMinutes = 40) => {
    const ids: string[] = []
    for (let i = 0; i < 10; i++)
      ids.push(await visit(i, { day: i < 6 ? monday : tuesday, crewId: i % 2 ? north : coast, budgetMinutes }))
    await repeats()
    for (const day of [monday, tuesday]) await optimized(business.api, { day, placeDue: false })
    return ids
  }
  const rain = async (body: object) => {
    const { run } = await business.api.ok(routesApi.rain, { body: { day: monday, strategy: 'push', ...body } as never })
    return runOver(business.api, run.id)
  }

  it('pushes each crew’s day whole and in its order; a day with room takes it without moving its own stops', async () => {
    const ids = await week()
    const [mondayWas, tuesdayWas] = [await ordersOn(monday), await ordersOn(tuesday)]
    const run = await rain({})
    expect(
      run
        .result!.changes.filter((c) => c.kind === 'other-day')
        .map((c) => c.visitId)
        .toSorted(),
    ).toEqual(ids.slice(0, 6).toSorted())
    expect(run.result!.customersToNotify).toBe(6)
    await apply(run)
    expect(await ordersOn(tuesday)).toEqual({
      North: [...mondayWas.North!, ...tuesdayWas.North!],
      Coast: [...mondayWas.Coast!, ...tuesdayWas.Coast!],
    })
  })

  it('pushes on what a full day has no room for, as a proposal that is undone whole', async () => {
    await week(140)
    const [mondayWas, tuesdayWas] = [await ordersOn(monday), await ordersOn(tuesday)]
    const before = await rows()
    const run = await rain({})
    expect(run).toMatchObject({ status: 'proposed', kind: 'rain' })
    expect(await rows()).toEqual(before)
    expect(run.result!.changes.every((c) => c.kind === 'other-day')).toBe(true)
    expect(run.result!.customersToNotify).toBe(10)
    const seen = await business.api.ok(routesApi.day, { query: { day: tuesday, runId: run.id } })
    expect(Object.fromEntries(seen.crews.map((c) => [c.name, c.stops.map((s) => s.visitId)]))).toEqual(mondayWas)
    await apply(run)
    expect(await ordersOn(monday)).toEqual({ North: [], Coast: [] })
    expect(await ordersOn(tuesday)).toEqual(mondayWas)
    expect(await ordersOn(wednesday)).toEqual(tuesdayWas)
    expect((await read(monday)).crews.map((c) => [c.works, c.off])).toEqual([
      [false, 'rain'],
      [false, 'rain'],
    ])
    const undone = await business.api.ok(routesApi.undo, { body: { day: wednesday } })
    expect(undone.undone).toMatch(/^Rain on /)
    expect(await rows()).toEqual(before)
    expect((await read(monday)).crews.map((c) => c.off)).toEqual([null, null])
  })

  it('fits the stops into the days that are left and keeps the others on theirs; a Saturday only when it is given', async () => {
    const ids = await week()
    const run = await rain({ strategy: 'replan', days: 1 })
    const to = run.result!.changes.filter((c) => c.kind === 'other-day')
    expect(to.map((c) => c.visitId).toSorted()).toEqual(ids.slice(0, 6).toSorted())
    expect(new Set(to.map((c) => c.to.day))).toEqual(new Set([tuesday]))
    await business.api.ok(routesApi.dismissRun, { params: { id: run.id } })
    const { run: started } = await business.api
      .ok(routesApi.rain, {
        body: { day: friday, strategy: 'replan', makeUpDay: saturday, days: 1 },
      })
      .catch(() => ({ run: null }))
    expect(started).toBeNull()
    await set(ids[9]!, { day: friday })
    const next = await business.api.ok(routesApi.rain, {
      body: { day: friday, strategy: 'replan', makeUpDay: saturday, days: 1 },
    })
    const over = await runOver(business.api, next.run.id)
    expect(over.result!.changes.map((c) => c.to.day)).toEqual([saturday])
  })

  it('skips what comes again, fits in what does not, and takes both back', async () => {
    const ids = await week()
    await business.db((db) =>
      db
        .updateTable('jobLines')
        .set({ recurrence: null, onceOn: monday })
        .where('businessId', '=', business.id)
        .where('jobId', '=', (eb) => eb.selectFrom('visits').select('jobId').where('id', '=', ids[0]!))
        .execute(),
    )
    const before = await rows()
    const run = await rain({ strategy: 'skip' })
    const kinds = (kind: string) => run.result!.changes.filter((c) => c.kind === kind).map((c) => c.visitId)
    expect(kinds('skipped').toSorted()).toEqual(ids.slice(1, 6).toSorted())
    expect(kinds('other-day')).toEqual([ids[0]])
    await apply(run)
    const after = await rows()
    expect(after.filter((v) => v.status === 'skipped').map((v) => [v.skipReason, v.day])).toEqual(
      Array(5).fill(['too_wet', monday]),
    )
    await business.api.ok(routesApi.undo, { body: { day: monday } })
    expect(await rows()).toEqual(before)
    await business.api.ok(routesApi.redo, { body: { day: monday } })
    expect((await rows()).filter((v) => v.status === 'skipped')).toHaveLength(5)
  })

  it.each(['push', 'replan'] as const)(
    'goes past a holiday (%s), which is no day to make up either',
    async (strategy) => {
      await week()
      await closeOn(tuesday, saturday)
      const there = await ordersOn(tuesday)
      const run = await rain({ strategy })
      const days = run.result!.changes.filter((c) => c.kind === 'other-day').map((c) => c.to.day)
      expect(days.length).toBeGreaterThan(0)
      expect(days).not.toContain(tuesday)
      await apply(run)
      expect(await ordersOn(tuesday)).toEqual(there)
      await visit(30, { day: friday, crewId: north })
      const body = { day: friday, strategy, makeUpDay: saturday }
      expect((await business.api.call(routesApi.rain, { body })).error.errors).toMatchObject([
        { path: 'makeUpDay', message: expect.stringMatching(/holiday of yours/) },
      ])
    },
  )

  it('leaves what has begun, and has nothing to move on an empty day', async () => {
    const ids = await week()
    await set(ids[0]!, { status: 'completed', finishedAt: new Date().toISOString() })
    const run = await rain({})
    expect(run.result!.changes.map((c) => c.visitId)).not.toContain(ids[0])
    expect((await business.api.call(routesApi.rain, { body: { day: friday, strategy: 'push' } })).status).toBe(409)
    expect(
      (await business.api.call(routesApi.rain, { body: { day: addDays(today(), -1), strategy: 'push' } })).status,
    ).toBe(409)
    expect(
      (await business.api.call(routesApi.rain, { body: { day: monday, strategy: 'replan', makeUpDay: monday } }))
        .status,
    ).toBe(422)
  })
})

describe('a crew is out', { timeout: 90_000 }, () => {
  it('spreads its stops over the others, keeps it off, and brings it back', async () => {
    const ids: string[] = []
    for (let i = 0; i < 8; i++) ids.push(await visit(i, { crewId: i % 2 ? north : coast }))
    await optimized(business.api, { day: monday, evenness: 'even' })
    const gone = (await ordersOn(monday)).North!
    await business.api.ok(routesApi.pin, { body: { visitId: gone[0]!, pinned: true } })
    const before = await rows()
    const { run: started } = await business.api.ok(routesApi.crewOut, { body: { day: monday, crewId: north } })
    const run = await runOver(business.api, started.id)
    expect(run).toMatchObject({ status: 'proposed', kind: 'crew_out' })
    expect(
      run
        .result!.changes.filter((c) => c.kind === 'other-crew')
        .map((c) => c.visitId)
        .toSorted(),
    ).toEqual(gone.toSorted())
    await apply(run)
    expect((await ordersOn(monday)).North).toEqual([])
    expect((await ordersOn(monday)).Coast).toHaveLength(8)
    // the next search gives it nothing
    await visit(30)
    const { plan } = await optimized(business.api, { day: monday })
    expect(plan.crews.find((c) => c.crewId === north)).toMatchObject({ off: 'out', works: false, stops: [] })
    await business.api.ok(routesApi.undo, { body: { day: monday } })
    await business.api.ok(routesApi.undo, { body: { day: monday } })
    expect((await rows()).filter((v) => ids.includes(v.id))).toEqual(before)
    await business.api.ok(routesApi.redo, { body: { day: monday } })
    const back = await business.api.ok(routesApi.crewBack, { body: { day: monday, crewId: north } })
    expect(back.plan.crews.find((c) => c.crewId === north)).toMatchObject({ off: null, works: true })
    const other = await aBusiness()
    expect((await other.api.call(routesApi.crewOut, { body: { day: monday, crewId: north } })).status).toBe(404)
    expect((await other.api.call(routesApi.crewBack, { body: { day: monday, crewId: north } })).status).toBe(404)
  })

  it('says what does not fit, and takes it to the next days when asked', async () => {
    for (let i = 0; i < 8; i++) await visit(i, { crewId: i < 4 ? north : coast, budgetMinutes: 110 })
    const { run: one } = await business.api.ok(routesApi.crewOut, { body: { day: monday, crewId: north } })
    const short = await runOver(business.api, one.id)
    expect(short.result!.left.length).toBeGreaterThan(0)
    expect(short.result!.left[0]).toMatchObject({
      reason: "Every crew's day is full.",
      advice: expect.stringContaining('another day'),
    })
    const { run: two } = await business.api.ok(routesApi.crewOut, { body: { day: monday, crewId: north, days: 5 } })
    const whole = await runOver(business.api, two.id)
    expect(whole.result!.left).toEqual([])
    expect(whole.result!.changes.filter((c) => c.kind === 'other-day').length).toBeGreaterThan(0)
  })
})

describe('skills and equipment', () => {
  const needs = (skills: string[]) =>
    business.db((db) =>
      db
        .updateTable('services')
        .set({ skills })
        .where('businessId', '=', business.id)
        .where('code', '=', 'FIELD-MOW')
        .execute(),
    )
  const has = (id: string, skills: string[]) =>
    business.db((db) =>
      db.updateTable('crews').set({ skills }).where('businessId', '=', business.id).where('id', '=', id).execute(),
    )

  it('send a visit only to a crew that has what its services need, whatever the capitals', async () => {
    for (let i = 0; i < 6; i++) await visit(i)
    await needs(['Aerator', 'applicator'])
    await has(coast, ['applicator', 'AERATOR ', 'truck'])
    await has(north, ['applicator'])
    const { plan } = await optimized(business.api, { day: monday })
    expect(plan.crews.map((c) => [c.name, c.stops.length])).toEqual([
      ['Coast', 6],
      ['North', 0],
    ])
    const by = await business.api.ok(routesApi.move, {
      body: { visitId: plan.crews[0]!.stops[0]!.visitId, crewId: north },
    })
    expect(by.violations.join()).toContain('needs Aerator: North has none')
  })

  it('are named when no crew has them, with what to do', async () => {
    await visit(1)
    await needs(['stump grinder'])
    const [left] = (await read(monday)).unplaced
    expect(left).toMatchObject({
      places: [],
      reason: 'No crew has all of: stump grinder.',
      advice: expect.stringContaining('skills of a crew'),
      adviceHref: '/employees?tab=crews',
    })
    const { result } = await optimized(business.api, { day: monday })
    expect(result.left[0]?.reason).toBe('No crew has all of: stump grinder.')
  })
})

describe('too much for one plan', () => {
  it('plans what it can hold of 2,000 stops and says why not the rest, while the server answers others', async () => {
    const booked = 2000
    const one = await visit(0)
    await business.db(async (db) => {
      const { sql } = await import('kysely')
      await sql`insert into properties (business_id, id, customer_id, street, latitude, longitude)
        select business_id, gen_random_uuid(), customer_id, 'Bulk ' || n, 32 + (n % 70) * 0.002, -81 - (n / 70) * 0.002
        from properties p, generate_series(1, ${booked - 1}) n where p.business_id = ${business.id}`.execute(db)
      await sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, budget_minutes, price_cents)
        select v.business_id, gen_random_uuid(), v.job_id, v.customer_id, p.id, ${monday}::date + (row_number() over ())::int, ${monday}, 10, 0
        from visits v, properties p where v.business_id = ${business.id} and v.id = ${one} and p.business_id = v.business_id
          and p.street like 'Bulk %'`.execute(db)
    })
    const plan = await read(monday)
    expect(plan.unplaced).toHaveLength(booked)
    const beyond = plan.unplaced.filter((v) => v.reason?.startsWith('One plan holds 1,500 addresses'))
    expect(beyond.length).toBeGreaterThanOrEqual(booked - 1500)
    const { run } = await business.api.ok(routesApi.optimize, { body: { day: monday } })
    const over = await runOver(business.api, run.id)
    expect(over, String(over.error)).toMatchObject({ status: 'applied' })
    expect(over.result!.placed).toBeGreaterThan(40)
    const stops = (await read(monday)).crews.flatMap((c) => c.stops)
    expect(stops.every((s) => !s.overShift)).toBe(true)
  }, 90_000)
})
