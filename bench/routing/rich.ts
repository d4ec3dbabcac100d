import { check } from '../../src/solver/check.ts'
import { planOf } from '../../src/solver/problem.ts'
import { propose } from '../../src/solver/propose.ts'
import { randomProblem } from '../../src/solver/random-problem.ts'
import { reflow } from '../../src/solver/reflow.ts'
import { solve } from '../../src/solver/solve.ts'
import { threadMilliseconds } from './threads.ts'

export type RichRun = { operation: string; size: string; milliseconds: number; target: string; note: string }

/** The product's own operations on made-up problems with skills, windows, breaks, loads and miles. CPU time of one thread. */
export function runRich(): RichRun[] {
  const runs: RichRun[] = []
  const problem = randomProblem({ seed: 11, visits: 1000, crewDays: 100 })
  for (const [r, crewDay] of problem.crewDays.entries()) {
    crewDay.day = Math.floor(r / 10)
    crewDay.crewId = `crew ${r % 10}`
  }
  const size = '1,000 stops, 10 crews x 10 days'
  const [solution, solveMs] = timed(() => solve(problem, { iterations: 10_000 }))
  runs.push({
    operation: 'solve, 10,000 iterations',
    size,
    milliseconds: solveMs,
    target: '',
    note: `${solution.unserved.length} unserved, ${check(problem, solution).length} violations`,
  })
  const plan = planOf(solution)
  const visit = { id: 'new', location: 500, serviceSeconds: 1800 }
  for (let k = 0; k < 5; k++) propose(problem, plan, visit)
  const rounds = 20
  const [, proposeMs] = timed(() => {
    for (let k = 0; k < rounds; k++) propose(problem, plan, { ...visit, location: 2 + ((k * 37) % 1000) })
  })
  runs.push({ operation: 'propose', size, milliseconds: proposeMs / rounds, target: '< 5', note: 'mean of 20' })
  runs.push(...rainRuns())
  const heapMegabytes = Math.round(process.memoryUsage().heapUsed / 1e6 + process.memoryUsage().arrayBuffers / 1e6)
  runs.push({
    operation: 'memory after all this',
    size,
    milliseconds: 0,
    target: '< 300 MB',
    note: `${heapMegabytes} MB`,
  })
  return runs
}

/** A rained-out day of 20 crews x 50 short stops, re-planned over the four other days. */
function rainRuns(): RichRun[] {
  const problem = randomProblem({ seed: 12, visits: 1000, crewDays: 100, rich: false })
  for (const [r, crewDay] of problem.crewDays.entries()) {
    crewDay.day = Math.floor(r / 20)
    crewDay.crewId = `crew ${r % 20}`
  }
  for (const visit of problem.visits) visit.serviceSeconds = 240
  const rained = problem.crewDays.filter((c) => c.day === 0).map((c) => c.id)
  const first = solve({ ...problem, crewDays: problem.crewDays.filter((c) => c.day === 0) }, { iterations: 5000 })
  const plan = planOf(first)
  const size = `${first.totals.served} stops of 20 crews moved`
  const [quick, quickMs] = timed(() => reflow(problem, plan, rained, 'replan', { iterations: 0, stability: {} }))
  const [full, fullMs] = timed(() =>
    reflow(problem, plan, rained, 'replan', {
      iterations: 30_000,
      deadlineMs: 2500,
      now: threadMilliseconds,
      stability: {},
    }),
  )
  const [, pushMs] = timed(() => reflow(problem, plan, rained, 'push'))
  const note = (r: typeof quick): string =>
    `${Math.round(r.evaluation.totals.driveSeconds / 60)} min of driving, ${r.evaluation.unserved.length} unserved`
  return [
    { operation: 'reflow, first answer', size, milliseconds: quickMs, target: '< 300', note: note(quick) },
    { operation: 'reflow, re-planned', size, milliseconds: fullMs, target: '< 3000', note: note(full) },
    { operation: 'reflow, pushed', size, milliseconds: pushMs, target: '< 300', note: '' },
  ]
}

function timed<T>(work: () => T): [T, number] {
  const from = threadMilliseconds()
  const result = work()
  return [result, Math.round((threadMilliseconds() - from) * 100) / 100]
}
