import { workerData } from 'node:worker_threads'
import { joinIslands } from '../../src/solver/islands.ts'
import { solve } from '../../src/solver/solve.ts'
import type { Beside } from './islands.ts'
import { threadMilliseconds } from './threads.ts'

const { problem, seed, seconds, memory, own, islands } = workerData as Beside
const size = { visits: problem.visits.length, routes: problem.crewDays.length }
const { exchange, leave } = joinIslands(memory, own, islands, size, { patienceMs: 60_000 })
try {
  solve(problem, { seed, deadlineMs: seconds * 1000, now: threadMilliseconds, coolByTime: true, exchange })
} finally {
  leave()
}
