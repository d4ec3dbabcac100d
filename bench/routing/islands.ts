import { Worker } from 'node:worker_threads'
import { islandMemory, joinIslands } from '../../src/solver/islands.ts'
import type { Problem, Solution } from '../../src/solver/problem.ts'
import { solve } from '../../src/solver/solve.ts'
import { threadMilliseconds } from './threads.ts'

export type Beside = {
  problem: Problem
  seed: number
  seconds: number
  memory: SharedArrayBuffer
  own: number
  islands: number
}

/** One instance in several threads that exchange plans, each for so many seconds of its own CPU. */
export function solveOnIslands(problem: Problem, islands: number, seed: number, seconds: number): Solution {
  const size = { visits: problem.visits.length, routes: problem.crewDays.length }
  const memory = islandMemory(islands, size.visits, size.routes)
  for (let own = 1; own < islands; own++) {
    const workerData: Beside = { problem, seed: seed + 1000 * own, seconds, memory, own, islands }
    new Worker(new URL('./island-thread.ts', import.meta.url), { workerData })
  }
  const { exchange, leave } = joinIslands(memory, 0, islands, size, { patienceMs: 60_000 })
  const solution = solve(problem, {
    seed,
    deadlineMs: seconds * 1000,
    now: threadMilliseconds,
    coolByTime: true,
    exchange,
  })
  leave()
  return solution
}
