import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { evaluate } from './evaluate.ts'
import { explain } from './explain.ts'
import { planOf } from './problem.ts'
import { propose } from './propose.ts'
import { randomProblem } from './random-problem.ts'
import { solve } from './solve.ts'

describe('propose', () => {
  it('finds exactly the gaps that evaluate finds without a violation, the cheapest first', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const problem = randomProblem({ seed, visits: 24, crewDays: 4, holes: seed % 5 === 0 })
      const visit = problem.visits[problem.visits.length - 1]!
      const without = { ...problem, visits: problem.visits.slice(0, -1) }
      const plan = planOf(solve(without, { seed, iterations: 300 }))
      const { places, reasons } = propose(without, plan, visit, { top: 1000, perCrewDay: 1000 })
      const base = evaluate(without, plan)
      const wanted = new Map<string, number>()
      for (const route of plan.routes)
        for (let position = 0; position <= route.visitIds.length; position++) {
          const visitIds = [...route.visitIds.slice(0, position), visit.id, ...route.visitIds.slice(position)]
          const tried = evaluate(problem, { routes: plan.routes.map((r) => (r === route ? { ...r, visitIds } : r)) })
          if (tried.violations.length === 0)
            wanted.set(
              `${route.crewDayId} ${position}`,
              tried.cost.totalCents - tried.cost.unservedCents - (base.cost.totalCents - base.cost.unservedCents),
            )
        }
      expect(places.map((p) => `${p.crewDayId} ${p.position}`).sort(), `seed ${seed}`).toEqual(
        [...wanted.keys()].sort(),
      )
      for (const p of places)
        expect(Math.abs(p.addedCostCents - wanted.get(`${p.crewDayId} ${p.position}`)!)).toBeLessThanOrEqual(4)
      for (const [i, p] of places.entries())
        if (i) expect(p.addedCostCents).toBeGreaterThanOrEqual(places[i - 1]!.addedCostCents)
      expect(reasons.length > 0).toBe(places.length === 0)
      const cheapest = new Map<string, number>()
      for (const p of places) if (!cheapest.has(p.crewDayId)) cheapest.set(p.crewDayId, p.addedCostCents)
      const two = propose(without, plan, visit, { top: 2 }).places
      expect(two.map((p) => p.addedCostCents)).toEqual([...cheapest.values()].slice(0, 2))
    }
  })

  it('gives the added drive, the clock times and whom it delays', () => {
    const problem = randomProblem({ seed: 4, visits: 12, crewDays: 2, rich: false })
    const visit = problem.visits[11]!
    const without = { ...problem, visits: problem.visits.slice(0, -1) }
    const plan = planOf(solve(without, { iterations: 300 }))
    const best = propose(without, plan, visit).places[0]!
    const routes = plan.routes.map((r) =>
      r.crewDayId === best.crewDayId ? { ...r, visitIds: r.visitIds.toSpliced(best.position, 0, visit.id) } : r,
    )
    const after = evaluate(problem, { routes })
    const before = evaluate(without, plan)
    expect(after.totals.driveSeconds - before.totals.driveSeconds).toBe(best.addedDriveSeconds)
    const stop = after.routes.find((r) => r.crewDayId === best.crewDayId)!.stops[best.position]!
    expect(stop).toMatchObject({ visitId: visit.id, startSeconds: best.startSeconds, leaveSeconds: best.leaveSeconds })
    expect(best.delays.map((d) => d.visitId)).toEqual(
      plan.routes.find((r) => r.crewDayId === best.crewDayId)!.visitIds.slice(best.position),
    )
    expect(check(problem, after)).toEqual([])
  })
})

describe('explain', () => {
  it('says why a stop is late and where it would be in time', () => {
    const problem = randomProblem({ seed: 4, visits: 4, crewDays: 1, rich: false })
    problem.visits[3]!.windows = [{ startSeconds: 7 * 3600, endSeconds: 8.5 * 3600 }]
    const plan = { routes: [{ crewDayId: 'c0', visitIds: ['v0', 'v1', 'v2', 'v3'] }] }
    const late = evaluate(problem, plan).routes[0]!.stops[3]!.lateSeconds
    expect(late).toBeGreaterThan(0)
    expect(explain(problem, plan, 'v3').map((r) => [r.code, r.text])).toEqual([
      ['late', `It starts ${Math.ceil(late / 60)} min after its window closes.`],
      ['late', expect.stringMatching(/^As stop [123] it would be in time\.$/)],
    ])
    problem.visits[3]!.windows = [{ startSeconds: 6 * 3600, endSeconds: 7 * 3600 }]
    problem.visits[3]!.pin = { crewDayId: 'c0', order: 9 }
    expect(
      explain(problem, plan, 'v3')
        .map((r) => r.text)
        .slice(1),
    ).toEqual(['It was fixed in this place by hand.', 'Even as the first stop of this day it would be late.'])
    expect(explain(problem, plan, 'v0')).toEqual([])
  })

  it('names a reason for every crew-day', () => {
    const problem = randomProblem({ seed: 6, visits: 60, crewDays: 3 })
    const solution = solve(problem, { iterations: 500 })
    expect(solution.unserved.length).toBeGreaterThan(0)
    for (const item of solution.unserved) {
      const reasons = explain(problem, planOf(solution), item.visitId)
      expect(reasons).toHaveLength(1 + problem.crewDays.length)
      expect(reasons).toEqual(item.reasons)
    }
  })
})
