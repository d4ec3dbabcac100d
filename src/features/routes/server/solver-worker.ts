import { parentPort } from 'node:worker_threads'
import { check } from '../../../solver/check.ts'
import { planOf } from '../../../solver/problem.ts'
import { solve } from '../../../solver/solve.ts'
import type { SolverAnswer, SolverJob } from './solver-pool.ts'

// Runs in a thread of its own, so that a long search never holds up the server.

const run = ({ problems, warmStart, effort, deadlineMs }: SolverJob): SolverAnswer => ({
  plans: problems.map((problem) => {
    const solution = solve(problem, { effort, deadlineMs, now: () => performance.now(), warmStart })
    return {
      plan: planOf(solution),
      unserved: solution.unserved.map((u) => ({ visitId: u.visitId, reason: u.reasons[0]?.text ?? '' })),
      sound: check(problem, solution).every((violation) => violation.byPins),
      truncated: solution.stats.truncated,
    }
  }),
})

parentPort?.on('message', (job: SolverJob) => parentPort?.postMessage(run(job)))
