import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check } from '../../src/solver/check.ts'
import type { Problem } from '../../src/solver/problem.ts'
import { type SolveOptions, solve } from '../../src/solver/solve.ts'
import type { Instance } from './instances.ts'
import { threadMilliseconds } from './threads.ts'

type Solve = typeof solve

export type Effort = { seconds: number } | { stepsPerVisit: number }

export type PairRun = {
  instance: string
  seed: number
  /** Cost in the file's unit, percent above the best known or, where there is none, above the cheaper of the two. */
  otherGap: number
  gap: number
  /** Percent by which this checkout is dearer than the other; below zero it is better. */
  difference: number
  otherSteps: number
  steps: number
  otherSeconds: number
  seconds: number
  feasible: boolean
}

/** The `solve` of another checkout of this repository, e.g. of a `git worktree` at an older commit. */
export const solverOf = async (folder: string): Promise<Solve> => {
  const file = join(resolve(folder), 'src/solver/solve.ts')
  if (!existsSync(file)) throw new Error(`${folder} is no checkout of Swath: there is no ${file}.`)
  const { solve: other } = (await import(pathToFileURL(file).href)) as { solve: Solve }
  // The older spelling of a field stands beside ours, so that checkouts from before can be asked too.
  return (problem, options) =>
    other({ ...problem, matrix: { ...problem.matrix, metres: problem.matrix.meters } } as Problem, options)
}

const measured = (solver: Solve, instance: Instance, seed: number, effort: Effort) => {
  const { problem } = instance
  const options: SolveOptions =
    'seconds' in effort
      ? { seed, deadlineMs: effort.seconds * 1000, now: threadMilliseconds, coolByTime: true }
      : { seed, iterations: Math.round(effort.stepsPerVisit * problem.visits.length) }
  const from = threadMilliseconds()
  const solution = solver(problem, options)
  return {
    seconds: Math.round(threadMilliseconds() - from) / 1000,
    cost: instance.best === null ? solution.cost.totalCents : solution.totals.driveSeconds,
    feasible: solution.unserved.length === 0 && check(problem, solution).length === 0,
    steps: solution.stats.iterations,
  }
}

const rounded = (percent: number): number => Math.round(percent * 1000) / 1000

/** This checkout's search and another's by turns in one process, the first one changing with each pair; both held against this checkout's `check`. */
export const runAgainst = async (
  folder: string,
  instances: readonly Instance[],
  seeds: readonly number[],
  effort: Effort,
  tell: (run: PairRun) => void,
): Promise<PairRun[]> => {
  const other = await solverOf(folder)
  const warm = instances[0]
  // The first to run would pay for the compiler.
  if (warm) for (const solver of [other, solve]) measured(solver, warm, 9, { stepsPerVisit: 50 })
  const runs: PairRun[] = []
  for (const seed of seeds)
    for (const instance of instances) {
      const order = runs.length % 2 === 0 ? [other, solve] : [solve, other]
      const results = new Map(order.map((solver) => [solver, measured(solver, instance, seed, effort)]))
      const [theirs, ours] = [results.get(other), results.get(solve)]
      if (!theirs || !ours) throw new Error('Both searches were asked.')
      const best = instance.best ?? Math.min(theirs.cost, ours.cost)
      const run: PairRun = {
        instance: instance.name,
        seed,
        otherGap: rounded(100 * (theirs.cost / best - 1)),
        gap: rounded(100 * (ours.cost / best - 1)),
        difference: rounded((100 * (ours.cost - theirs.cost)) / best),
        otherSteps: theirs.steps,
        steps: ours.steps,
        otherSeconds: theirs.seconds,
        seconds: ours.seconds,
        feasible: theirs.feasible && ours.feasible,
      }
      runs.push(run)
      tell(run)
    }
  return runs
}

/**
 * Mean gaps and mean difference in percent, with the difference's standard error over the pairs. A pair of which one plan
 * leaves somebody out or breaks a rule is counted and not compared: such a plan is cheap.
 */
export const summaryOf = (all: readonly PairRun[]) => {
  const runs = all.filter(({ feasible }) => feasible)
  const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length)
  const differences = runs.map(({ difference }) => difference)
  const center = mean(differences)
  const variance = differences.reduce((sum, one) => sum + (one - center) ** 2, 0) / Math.max(1, runs.length - 1)
  return {
    pairs: runs.length,
    otherGap: rounded(mean(runs.map(({ otherGap }) => otherGap))),
    gap: rounded(mean(runs.map(({ gap }) => gap))),
    difference: rounded(center),
    standardError: rounded(Math.sqrt(variance / Math.max(1, runs.length))),
    notFeasible: all.length - runs.length,
  }
}
