import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { addDays } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, setClockToNoon, today } from '../../../../test/field.ts'
import { type Dice, diceOf, pick } from '../../../../test/money/dice.ts'
import { type Dashboard, dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { movementsApi } from '../../../invoices/movements/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quoteAnalyticsApi } from '../../../quotes/analytics/contract.ts'
import { reportsApi } from '../../../reports/contract.ts'
import type { Grouping, ReportKind, ReportPeriod } from '../../../reports/rules.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { cashFlowApi } from '../../cashflow/contract.ts'
import { analyticsApi, type Overview, type WorkRow } from '../../contract.ts'
import { costingApi } from '../../costing/contract.ts'
import { costKinds } from '../../costing/rules.ts'
import { countMarked } from './commands.ts'
import { listDifferences } from './queries.ts'
import { compareAllDays, piecesOf } from './tasks.ts'

/**
 * Random histories of a business: work that is done, undone, moved and priced anew, billed, paid late, given back and written off. What is kept of each day is what a full
 * count says after every deed, and what screens show of it is the same to the cent.
 */

const isLong = process.env.SWATH_TEST_LONG === '1'
const [histories, most] = isLong ? [Number(process.env.SWATH_TEST_HISTORIES ?? 200), 30] : [8, 14]

type World = {
  own: TestBusiness
  crews: string[]
  visits: string[]
  lawns: { customerId: string; propertyId: string }[]
  said: string[]
}
type Deed = (world: World, dice: Dice) => Promise<string | null>

const idsOf = async ({ own }: World, which: ReturnType<typeof sql>): Promise<string[]> =>
  (await own.db((db) => sql<{ id: string }>`select id from ${which} order by id`.execute(db))).rows.map(({ id }) => id)
const visitsOf = (world: World, status: string) =>
  idsOf(world, sql`visits where business_id = ${world.own.id} and status = ${status}`)
const invoicesOf = (world: World, status: string) =>
  idsOf(world, sql`invoices where business_id = ${world.own.id} and status = any(${status.split(' ')}::text[])`)
const said = (status: number, what: string): string | null => (status < 300 ? what : null)

const book: Deed = async (world, dice) => {
  const day = addDays(today(), -dice(45))
  const crewId = pick(dice, world.crews) ?? null
  // work of somebody who had some before as often as of somebody new: their credit of one invoice may pay another
  const before = dice(2) === 0 ? pick(dice, world.lawns) : undefined
  const { visitId, customerId, propertyId } = await aVisit(world.own, {
    day,
    crewId,
    ...(before ? { lawn: before } : {}),
    priceCents: dice(4) === 0 ? 0 : 1000 + dice(9000),
    budgetMinutes: 10 + dice(60),
  })
  world.visits.push(visitId)
  world.lawns.push({ customerId, propertyId })
  return `booked a visit on ${day}`
}
const change = async (world: World, id: string | undefined, call: 'finish' | 'skip' | 'reopen', body: object) => {
  if (!id) return null
  const { status } = await world.own.api.call(visitsApi[call] as typeof visitsApi.finish, {
    params: { visitId: id },
    body: body as never,
  })
  return said(status, call)
}
const finish: Deed = async (world, dice) => change(world, pick(dice, await visitsOf(world, 'scheduled')), 'finish', {})
const deeds: Record<string, Deed> = {
  book,
  finish,
  finishAnother: finish,
  skip: async (world, dice) =>
    change(world, pick(dice, await visitsOf(world, 'scheduled')), 'skip', { reason: 'locked_gate' }),
  reopen: async (world, dice) =>
    change(world, pick(dice, await visitsOf(world, 'completed')), 'reopen', { reason: 'By mistake' }),
  price: async (world, dice) => {
    const visitId = pick(dice, await visitsOf(world, 'completed'))
    if (!visitId) return null
    const body = dice(3) === 0 ? { billable: dice(2) === 0 } : { priceCents: 1 + dice(9000) }
    return said(
      (await world.own.api.call(invoicesApi.settleVisit, { params: { visitId }, body })).status,
      'priced anew',
    )
  },
  bill: async (world, dice) => {
    const { status } = await world.own.api.call(invoicesApi.createBatch, { body: { send: dice(2) === 0 } })
    await runTasks()
    return said(status, 'billed what was finished')
  },
  issue: async (world, dice) => {
    const id = pick(dice, await invoicesOf(world, 'draft'))
    if (!id) return null
    const draft = await world.own.api.ok(invoicesApi.get, { params: { id } })
    await world.own.api.ok(invoicesApi.change, {
      params: { id },
      body: {
        version: draft.version,
        termsDays: draft.termsDays,
        lines: draft.lines,
        discountCents: dice(Math.max(1, draft.subtotalCents)),
      },
    })
    return said((await world.own.api.call(invoicesApi.issue, { params: { id } })).status, 'issued with a discount')
  },
  pay: async (world, dice) => {
    const id = pick(dice, await invoicesOf(world, 'issued partially_paid'))
    if (!id) return null
    const { balanceCents } = await world.own.api.ok(invoicesApi.get, { params: { id } })
    const amountCents = dice(2) === 0 ? balanceCents : 1 + dice(balanceCents + 500)
    const receivedOn = addDays(today(), -dice(3))
    const body = { method: 'check' as const, amountCents, receivedOn }
    return said(
      (await world.own.api.call(paymentsApi.recordPayment, { params: { id }, body })).status,
      `paid ${amountCents}`,
    )
  },
  giveBack: async (world, dice) => {
    const id = pick(
      dice,
      await idsOf(
        world,
        sql`payments where business_id = ${world.own.id} and status = 'succeeded' and method = 'check'`,
      ),
    )
    if (!id) return null
    const what =
      dice(2) === 0
        ? await world.own.api.call(correctionsApi.reversePayment, { params: { id }, body: { reason: 'By mistake' } })
        : await world.own.api.call(correctionsApi.refundPayment, {
            params: { id },
            body: { amountCents: 1 + dice(2000), method: 'check', reason: 'Sorry' } as never,
          })
    return said(what.status, 'gave money back')
  },
  credit: async (world, dice) => {
    const id = pick(dice, await invoicesOf(world, 'issued partially_paid paid'))
    if (!id) return null
    const body = { amountCents: 1 + dice(3000), reason: 'Sorry' }
    return said((await world.own.api.call(correctionsApi.creditInvoice, { params: { id }, body })).status, 'credited')
  },
  useCredit: async (world, dice) => {
    const id = pick(dice, await invoicesOf(world, 'issued partially_paid'))
    if (!id) return null
    const { creditCents, balanceCents } = await world.own.api.ok(invoicesApi.get, { params: { id } })
    const body = { amountCents: Math.min(creditCents, balanceCents) }
    return said((await world.own.api.call(correctionsApi.useCredit, { params: { id }, body })).status, 'used credit')
  },
  voidOne: async (world, dice) => {
    const id = pick(dice, await invoicesOf(world, 'issued draft'))
    return id
      ? said(
          (await world.own.api.call(invoicesApi.voidInvoice, { params: { id }, body: { reason: 'Wrong' } as never }))
            .status,
          'voided',
        )
      : null
  },
  writeOff: async (world, dice) => {
    const id = pick(dice, await invoicesOf(world, 'issued partially_paid'))
    return id
      ? said(
          (await world.own.api.call(invoicesApi.writeOff, { params: { id }, body: { reason: 'Gone' } as never }))
            .status,
          'wrote off',
        )
      : null
  },
  moveHouse: async (world, dice) => {
    const visitId = pick(dice, world.visits)
    if (!visitId) return null
    await world.own.db((db) =>
      sql`update properties set city = ${pick(dice, ['Savannah', 'Pooler', ''])} where business_id = ${db.businessId}
      and id = (select property_id from visits where business_id = ${db.businessId} and id = ${visitId})`.execute(db),
    )
    return 'another city'
  },
}
const often: Record<string, number> = { book: 6, finish: 5, finishAnother: 4, bill: 3, issue: 2, pay: 4, price: 3 }

const step = fc.record({
  name: fc.oneof(...Object.keys(deeds).map((name) => ({ weight: often[name] ?? 1, arbitrary: fc.constant(name) }))),
  luck: fc.nat(),
})

const first = () => addDays(today(), -60)
const countAll = async ({ own }: World) => {
  while (await countMarked(systemActor(own.id))) {
    // until nothing is marked
  }
}
const hold = async (world: World) => {
  const found = await world.own.db((db) => listDifferences(db, first(), today()))
  if (found.length > 0) throw new Error(`${JSON.stringify(found)} after ${world.said.join(', ')}`)
}

const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0)
/** Everything that a screen says, but the words. */
const shown = (world: World, period: Overview['period']) =>
  world.own.api.ok(analyticsApi.overview, { query: { period } })

const listed = async ({ own }: World, period: Overview['period'], show: 'completed' | 'unpaid'): Promise<WorkRow[]> => {
  const rows: WorkRow[] = []
  for (let cursor: string | undefined; ; ) {
    const found = await own.api.ok(analyticsApi.visits, {
      query: { period, show, limit: 3, ...(cursor ? { cursor } : {}) },
    })
    rows.push(...found.items)
    if (!found.nextCursor) return rows
    cursor = found.nextCursor
  }
}

/** The sum of a column of a report, as it stands below its rows and as they add up to. */
const reported = async (
  { own }: World,
  query: { kind: ReportKind; period: ReportPeriod; by?: Grouping },
  column: string,
): Promise<[total: number, rows: number]> => {
  const { columns, rows, total } = await own.api.ok(reportsApi.run, { query: query as never })
  const at = columns.findIndex(({ id }) => id === column)
  expect(at).toBeGreaterThanOrEqual(0)
  return [Number(total?.[at] ?? 0), sum(rows.map(({ cells }) => Number(cells[at] ?? 0)))]
}

/** Job costing and the reports say what analytics says of the same days. */
const holdCosts = async (world: World, period: 'week' | 'month', found: Overview) => {
  for (const by of costKinds) {
    const { total, items } = await world.own.api.ok(costingApi.list, { query: { period, by, limit: 1000 } })
    expect([total.worthCents, total.completions]).toEqual([found.worthCents.now, found.completions.now])
    expect(sum(items.map(({ worthCents }) => worthCents))).toBe(total.worthCents)
    expect(sum(items.map(({ laborCents }) => laborCents))).toBe(total.laborCents)
    expect(sum(items.map(({ laborSeconds }) => laborSeconds))).toBe(total.laborSeconds)
  }
  for (const by of ['service', 'crew', 'city', 'source'] as const) {
    const query = { kind: 'sales' as const, period: period === 'week' ? ('last_7' as const) : ('last_30' as const), by }
    expect(await reported(world, query, 'worth')).toEqual([found.worthCents.now, found.worthCents.now])
    expect(await reported(world, query, 'captured')).toEqual([found.capturedCents.now, found.capturedCents.now])
  }
}

/** What is owed is one number: on the dashboard, over the list, in the ages, and in the weeks in which it is expected. */
const holdOwed = async (world: World, board: Dashboard) => {
  const { own } = world
  const { owedCents } = await own.api.ok(invoicesApi.list, {})
  expect(board.money?.owedCents).toBe(owedCents)
  expect(await reported(world, { kind: 'aging', period: 'today' }, 'total')).toEqual([owedCents, owedCents])
  const { weeks, leftOut } = await own.api.ok(cashFlowApi.get, {})
  const expectedCents = sum(weeks.map((week) => week.in.invoices)) + leftOut.doubtfulCents + leftOut.disputedCents
  // What comes after the twelve weeks is invoices and work together.
  expect(owedCents - expectedCents).toBeGreaterThanOrEqual(0)
  expect(owedCents - expectedCents).toBeLessThanOrEqual(leftOut.laterCents)
  for (const [week, { in: income }] of weeks.entries())
    if (income.invoices > 0) {
      const { items } = await own.api.ok(cashFlowApi.items, { query: { week, kind: 'invoices' } })
      expect(sum(items.map(({ cents }) => cents))).toBe(income.invoices)
    }
}

/** What the screens say, each asked on its own way. */
const holdScreens = async (world: World) => {
  const { own } = world
  for (const [period, timeRange] of [
    ['week', '7'],
    ['month', '30'],
    ['year', '365'],
  ] as const) {
    const fresh = await shown(world, period)
    await countAll(world)
    expect(await shown(world, period)).toEqual(fresh)
    const { data } = await own.api.ok(analyticsApi.report, { query: { timeRange } })
    const list = await own.api.ok(movementsApi.list, {
      query: { view: 'received', from: fresh.current.from, to: fresh.current.to },
    })
    expect(fresh.receivedCents.now).toBe(0 - list.totalCents)
    expect(Math.round(sum(data.revenue.map(({ totalRevenue }) => totalRevenue * 100)))).toBe(fresh.worthCents.now)
    expect(data.revenueAnalysis.capturedRevenue).toBe(fresh.capturedCents.now / 100)
    expect(Math.round((data.revenueAnalysis.capturedRevenue + data.revenueAnalysis.uncapturedRevenue) * 100)).toBe(
      fresh.worthCents.now,
    )
    const lists = { completed: await listed(world, period, 'completed'), unpaid: await listed(world, period, 'unpaid') }
    expect(sum(lists.completed.map(({ worthCents }) => worthCents))).toBe(fresh.worthCents.now)
    expect(lists.completed).toHaveLength(fresh.completions.now)
    expect(sum(lists.unpaid.map(({ worthCents, capturedCents }) => worthCents - capturedCents))).toBe(
      fresh.worthCents.now - fresh.capturedCents.now,
    )
    for (const kind of ['crew', 'service', 'city', 'source'] as const) {
      expect(sum(fresh.slices[kind].map(({ worthCents }) => worthCents))).toBe(fresh.worthCents.now)
      expect(sum(fresh.slices[kind].map(({ capturedCents }) => capturedCents))).toBe(fresh.capturedCents.now)
    }
    if (period !== 'year') await holdCosts(world, period, fresh)
  }
  const month = await shown(world, 'month')
  expect(await own.api.ok(analyticsApi.statistics, {})).toEqual(month)
  const quotes = await own.api.ok(quoteAnalyticsApi.get, { query: { days: 30 } })
  expect([month.quotes.sent, month.quotes.won]).toEqual([quotes.sent, quotes.won])
  const board = await own.api.ok(dashboardApi.get, {})
  expect(board.money?.daysToPay).toBe(month.daysToPay)
  await holdOwed(world, board)
  for (const { day, doneCents, paidCents } of board.money?.week ?? [])
    expect([doneCents, paidCents]).toEqual(
      (
        await own.db((db) =>
          sql<{ worth: number; captured: number }>`select coalesce(sum(worth_cents), 0)::int8 as worth,
        coalesce(sum(captured_cents), 0)::int8 as captured from analytics_days where business_id = ${db.businessId} and kind = 'all'
        and day = ${day}::date`.execute(db),
        )
      ).rows.map(({ worth, captured }) => [worth, captured])[0],
    )
}

afterEach(resetClock)

it(
  `what is kept of each day is what a full count says, and all screens say the same (${histories} histories)`,
  async () => {
    setClockToNoon()
    const done = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' }),
        async (history) => {
          const own = await aBusiness({ workDays: everyDay })
          const world: World = { own, crews: [await aCrew(own), await aCrew(own)], visits: [], lawns: [], said: [] }
          const begin = ['book', 'finish', 'book', 'finish', 'bill'].map((name, at) => ({ name, luck: at * 31 }))
          for (const { name, luck } of [...begin, ...history]) {
            const what = await deeds[name]?.(world, diceOf(luck))
            if (!what) continue
            done.add(name)
            world.said.push(what)
            await hold(world)
            // mostly counted before the next deed, which then has to mark what it changes; marked days have to be met as well
            if (luck % 4 > 0) await countAll(world)
          }
          await holdScreens(world)
        },
      ),
      { numRuns: histories, seed: 20_261_129 },
    )
    if (isLong) expect(Object.keys(deeds).filter((name) => !done.has(name))).toEqual([])
  },
  isLong ? 3_600_000 : 240_000,
)

it('a late payment changes what an old day captured, at once', async () => {
  setClockToNoon()
  const own = await aBusiness()
  const { visitId } = await aVisit(own, { day: addDays(today(), -20), priceCents: 8000 })
  await own.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
  const world: World = { own, crews: [], visits: [], lawns: [], said: [] }
  await countAll(world)
  expect((await shown(world, 'month')).capturedCents.now).toBe(0)
  const [id = ''] = await invoicesOf(world, 'issued')
  const pay = (amountCents: number) =>
    own.api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'check', amountCents, receivedOn: today() },
    })
  await pay(3000)
  const part = await shown(world, 'month')
  expect([part.worthCents.now, part.capturedCents.now, part.jobs.waiting]).toEqual([8000, 3000, 1])
  expect((await shown(world, 'week')).receivedCents.now).toBe(3000)
  expect((await shown(world, 'week')).worthCents.now).toBe(0)
  await countAll(world)
  // still paid in part: nothing but the sum tells it
  await pay(1000)
  expect((await shown(world, 'month')).capturedCents.now).toBe(4000)
  await countAll(world)
  await pay(4000)
  const all = await shown(world, 'month')
  expect([all.capturedCents.now, all.captureRate.now, all.jobs.waiting]).toEqual([8000, 100, 0])
})

it('each change of what a finished visit comes to, or is told apart by, is seen on a day that was counted', async () => {
  setClockToNoon()
  const own = await aBusiness({ workDays: everyDay })
  const [first, second] = [await aCrew(own), await aCrew(own)]
  const { visitId, customerId, propertyId, jobId } = await aVisit(own, { crewId: first, priceCents: 0 })
  await own.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  const world: World = { own, crews: [], visits: [visitId], lawns: [], said: [] }
  const week = async () => {
    const { worthCents, slices } = await shown(world, 'week')
    const keys = { crew: slices.crew[0]?.key, city: slices.city[0]?.key, source: slices.source[0]?.key }
    return { cents: worthCents.now, ...keys }
  }
  const settle = (body: { priceCents: number } | { billable: boolean }) =>
    own.api.ok(invoicesApi.settleVisit, { params: { visitId }, body })
  const set = (table: string, column: string, value: string, id: string) =>
    own.db((db) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where business_id = ${db.businessId} and id = ${id}`.execute(
        db,
      ),
    )
  const changes: [deed: () => Promise<unknown>, seen: Partial<Awaited<ReturnType<typeof week>>>][] = [
    [() => settle({ priceCents: 4500 }), { cents: 4500 }],
    [() => settle({ billable: false }), { cents: 0 }],
    // work of a flat job is worth its price, whoever is billed for it
    [() => set('jobs', 'billing', 'flat', jobId), { cents: 4500 }],
    [() => set('jobs', 'billing', 'per_visit', jobId), { cents: 0 }],
    [() => settle({ billable: true }), { cents: 4500 }],
    [() => set('visits', 'crew_id', second, visitId), { crew: second }],
    [() => set('properties', 'city', 'Pooler', propertyId), { city: 'Pooler' }],
    [() => set('customers', 'source', 'website', customerId), { source: 'website' }],
    [() => own.api.ok(visitsApi.reopen, { params: { visitId }, body: { reason: 'By mistake' } }), { cents: 0 }],
    // a skip counts for its place and its source, too
    [() => own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'locked_gate' } }), { cents: 0 }],
    [() => set('properties', 'city', 'Savannah', propertyId), {}],
    [() => set('customers', 'source', 'call', customerId), {}],
  ]
  for (const [at, [deed, seen]] of changes.entries()) {
    await countAll(world)
    await deed()
    await hold(world)
    expect(await week(), `change ${at + 1}`).toMatchObject(seen)
  }
})

it('counts what no deed told of: a kept day that is wrong is found at night and put right', async () => {
  setClockToNoon()
  const own = await aBusiness()
  const { visitId } = await aVisit(own, { priceCents: 8000 })
  await own.api.ok(visitsApi.finish, { params: { visitId }, body: {} })
  const world: World = { own, crews: [], visits: [], lawns: [], said: [] }
  await countAll(world)
  await own.db((db) =>
    sql`update analytics_days set worth_cents = worth_cents + 1 where business_id = ${db.businessId} and kind = 'all'`.execute(
      db,
    ),
  )
  expect(await own.db((db) => listDifferences(db, first(), today()))).toEqual([{ day: today(), kind: 'all', key: '' }])
  await compareAllDays.run({})
  expect((await shown(world, 'week')).worthCents.now).toBe(8000)
  await countAll(world)
  expect(await own.db((db) => listDifferences(db, first(), today()))).toEqual([])
})

it('a night compares the newest two months and more, and a week of nights every day of two years', () => {
  const today = '2026-11-29'
  const since = addDays(today, -730)
  const covered = (pieces: readonly string[], day: string) =>
    pieces.some((from) => from <= day && day <= addDays(from, 30))
  const days = Array.from({ length: 731 }, (_, back) => addDays(today, -back))
  for (let night = 0; night < 14; night += 1) {
    const pieces = piecesOf(since, addDays(today, night))
    expect(pieces.length).toBeLessThanOrEqual(7)
    expect(days.slice(0, 62 - night).every((day) => covered(pieces, day))).toBe(true)
    expect(covered(pieces, addDays(today, night))).toBe(true)
  }
  const week = Array.from({ length: 7 }, (_, night) => piecesOf(since, addDays(today, night))).flat()
  expect(days.filter((day) => !covered(week, day))).toEqual([])
  expect(piecesOf(today, today)).toHaveLength(1)
})
