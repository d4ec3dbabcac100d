import { workerData } from 'node:worker_threads'
import { joinIslands } from '../../../../solver/islands.ts'
import { solve } from '../../../../solver/solve.ts'
import { type BesideTask, patienceOf } from './plan-task.ts'

// A second thread in one search. All it brings are the plans it tells the first.

const search = ({ problem, start, effort, seed, limitMs, deadlineMs, memory, flag }: BesideTask): void => {
  const shouldStop = () => Atomics.load(flag, 0) !== 0
  const size = { visits: problem.visits.length, routes: problem.crewDays.length }
  const { exchange, leave } = joinIslands(memory, 1, 2, size, { patienceMs: patienceOf({ limitMs }), shouldStop })
  try {
    solve(problem, { effort, seed, deadlineMs, now: () => performance.now(), shouldStop, warmStart: start, exchange })
  } finally {
    leave()
  }
}

search(workerData as BesideTask)
