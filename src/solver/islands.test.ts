import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { family } from './families.ts'
import { islandMemory, joinIslands } from './islands.ts'
import { solve } from './solve.ts'

const size = { visits: 4, routes: 2 }

/** Another search of the same family, in a thread of its own. */
const beside = (number: number, seed: number, iterations: number, memory: SharedArrayBuffer, slow: number): Worker =>
  new Worker(
    `
    const { workerData } = require('node:worker_threads')
    const { number, seed, iterations, memory, slow, base } = workerData
    const load = (name) => import(new URL(name, base))
    Promise.all([load('./families.ts'), load('./islands.ts'), load('./solve.ts')]).then(([{ family }, { joinIslands }, { solve }]) => {
      const { problem } = family(number)
      const size = { visits: problem.visits.length, routes: problem.crewDays.length }
      const { exchange, leave } = joinIslands(memory, 1, 2, size, { patienceMs: 60000 })
      const slowly = (told) => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slow), exchange(told))
      try { solve(problem, { seed, iterations, exchange: slowly }) } finally { leave() }
    })`,
    { eval: true, workerData: { number, seed, iterations, memory, slow, base: import.meta.url } },
  )

describe('islands', () => {
  it('wait for nobody who is over', () => {
    const memory = islandMemory(2, size.visits, size.routes)
    const one = joinIslands(memory, 0, 2, size, { patienceMs: 60_000 })
    joinIslands(memory, 1, 2, size, { patienceMs: 60_000 }).leave()
    expect(one.exchange({ cost: 8, orders: [[2], []] })).toEqual([])
  })

  it('go on alone when another does not come or somebody asks to stop', () => {
    const memory = islandMemory(3, size.visits, size.routes)
    let asked = false
    const one = joinIslands(memory, 0, 3, size, { patienceMs: 60_000, shouldStop: () => asked })
    asked = true
    expect(one.exchange({ cost: 1, orders: [[0], []] })).toEqual([])
    const late = joinIslands(memory, 1, 3, size, { patienceMs: 60_000 })
    expect(late.exchange({ cost: 2, orders: [[1], []] })).toEqual([])
  })

  it('end with the same plan for the same seeds, however the threads run, and never a worse one than found', async () => {
    const number = 30
    const { problem } = family(number)
    const own = { visits: problem.visits.length, routes: problem.crewDays.length }
    const iterations = 3000
    const run = async (slow: number) => {
      const memory = islandMemory(2, own.visits, own.routes)
      const worker = beside(number, 2, iterations, memory, slow)
      const over = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
      const met: number[][] = []
      const { exchange, leave } = joinIslands(memory, 0, 2, own, { patienceMs: 60_000 })
      const solution = solve(problem, {
        seed: 1,
        iterations,
        exchange: (told) => {
          const others = exchange(told)
          met.push([told.cost, ...others.map((one) => one.cost)])
          return others
        },
      })
      leave()
      await over
      return { solution, met }
    }
    const [quick, late] = [await run(0), await run(15)]
    expect(quick.met.length).toBeGreaterThan(3)
    expect(quick.met.every((meeting) => meeting.length === 2)).toBe(true)
    expect(late.met).toEqual(quick.met)
    expect(JSON.stringify(late.solution.routes)).toBe(JSON.stringify(quick.solution.routes))
    expect(check(problem, quick.solution)).toEqual([])
    expect(quick.solution.cost.totalCents).toBeLessThanOrEqual(Math.min(...quick.met.at(-1)!) + 1)
  })
})
