import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Archive, addRoutes, combineRoutes, createArchive } from './archive.ts'
import { check } from './check.ts'
import { compile } from './compile.ts'
import { COURSE } from './course.ts'
import { evaluate } from './evaluate.ts'
import { planFrom } from './orders.ts'
import { randomProblem } from './random-problem.ts'
import { bestOrders, createSearch, restart, type Search, step } from './search.ts'
import { solve } from './solve.ts'

const LONG = process.env.SWATH_TEST_LONG === '1'

type Found = { archive: Archive; searches: Search[] }

/** The routes of some plans of three short searches, and these, the best first. */
function searched(seed: number, visits: number, crewDays: number, pins = false): Found {
  const problem = randomProblem({ seed, visits, crewDays, pins, holes: seed % 3 === 0 })
  const c = compile(problem)
  const archive = createArchive(c)
  const searches = [0, 1, 2].map((k) => createSearch(c, seed + k))
  for (const search of searches)
    for (let k = 0; k < 20; k++) {
      step(search, 500)
      if (k % 4 === 0) addRoutes(archive, bestOrders(search, search.s.next), search.s.cost)
      addRoutes(archive, bestOrders(search), search.bestCosts)
    }
  return { archive, searches: searches.sort((a, b) => a.bestCost - b.bestCost) }
}

/** Least cents below `limit` of any choice of routes kept that holds each visit at most once, by trying all. */
function leastByAll({ c, columns }: Archive, limit: number): number {
  const all = [...columns.values()]
  const room = new Map<number, number>()
  for (const type of c.typeOf) room.set(type, (room.get(type) ?? 0) + 1)
  const covered = new Set<number>(c.excluded.keys())
  let least = limit
  const visit = (u: number, cost: number): void => {
    if (cost >= least) return
    if (u === c.n) least = cost
    else if (covered.has(u)) visit(u + 1, cost)
    else {
      visit(u + 1, cost + c.prize[u]!)
      for (const { type, cost: more, order } of all) {
        if (!order.includes(u) || order.some((v) => v < u || covered.has(v)) || room.get(type) === 0) continue
        for (const v of order) covered.add(v)
        room.set(type, room.get(type)! - 1)
        visit(u + 1, cost + more)
        room.set(type, room.get(type)! + 1)
        for (const v of order) covered.delete(v)
      }
    }
  }
  visit(0, 0)
  return least
}

describe('routes of several plans put together', () => {
  it('make a plan that breaks no rule, loses nobody and costs less than asked for', () => {
    let found = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (seed, visits, crewDays, pins) => {
          const { archive, searches } = searched(seed, visits, crewDays, pins)
          const worst = searches[2]!
          const before = worst.bestCost
          const orders = combineRoutes(archive, before)
          if (!orders) return
          found++
          const { problem } = archive.c
          const plan = evaluate(problem, planFrom(problem, orders))
          expect(check(problem, plan).filter((violation) => !violation.byPins)).toEqual([])
          const stops = plan.routes.flatMap((route) => route.stops.map((stop) => stop.visitId))
          expect(new Set(stops).size).toBe(stops.length)
          restart(worst, orders, true)
          expect(worst.cost).toBeLessThan(before)
          expect(bestOrders(worst)).toEqual(orders)
        },
      ),
      { numRuns: LONG ? 10_000 : 200, seed: 31 },
    )
    expect(found).toBeGreaterThan(LONG ? 1000 : 20)
  })

  it('are the best choice there is', () => {
    let found = 0
    for (let seed = 1; seed <= 150; seed++) {
      const { archive, searches } = searched(seed, 5 + (seed % 8), 1 + (seed % 4))
      const worst = searches[2]!
      const limit = worst.bestCost
      const orders = combineRoutes(archive, limit)
      if (orders) {
        restart(worst, orders, true)
        found++
      }
      expect(worst.bestCost, `seed ${seed}`).toBeCloseTo(leastByAll(archive, limit), 4)
    }
    expect(found).toBeGreaterThan(10)
  })

  it('keep every rule at the end of a whole search', () => {
    for (let seed = 1; seed <= (LONG ? 400 : 15); seed++) {
      const problem = randomProblem({ seed, visits: 4 + (seed % 20), crewDays: 2 + (seed % 4) })
      const iterations = problem.visits.length * COURSE.leastSteps
      expect(check(problem, solve(problem, { seed, iterations }))).toEqual([])
    }
  })

  it('need no more crews than there are, and are worth a visit left out only at its price', () => {
    const problem = randomProblem({ seed: 1, visits: 4, crewDays: 2, rich: false })
    for (const crewDay of problem.crewDays) crewDay.day = 0
    const archive = createArchive(compile(problem))
    addRoutes(archive, [[0, 1], [3]], [70, 10])
    addRoutes(
      archive,
      [
        [1, 0],
        [2, 3],
      ],
      [60, 50],
    )
    addRoutes(archive, [[0], [1, 2]], [10, 10])
    // Three routes would cost 30, two and a visit left out more than a million.
    expect(combineRoutes(archive, 1e9)).toEqual([
      [1, 0],
      [2, 3],
    ])
    addRoutes(archive, [[], [0, 2]], [0, 1])
    expect(combineRoutes(archive, 110)).toBeNull()
  })

  it('stay where fixed stops tie them to their crew', () => {
    const c = compile(randomProblem({ seed: 3, visits: 30, crewDays: 4, pins: true }))
    const archive = createArchive(c)
    const search = createSearch(c, 1)
    addRoutes(archive, bestOrders(search), search.bestCosts)
    expect(archive.columns.size).toBe(0)
    expect(combineRoutes(archive, search.bestCost + 1)).toBeNull()
  })
})
