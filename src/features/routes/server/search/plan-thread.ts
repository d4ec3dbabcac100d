import { parentPort, Worker } from 'node:worker_threads'
import { type Evenness, unevenCents, withEvenness } from '../../../../solver/balance-choices.ts'
import { apartSeconds } from '../../../../solver/balance-of.ts'
import { check } from '../../../../solver/check.ts'
import { evaluate } from '../../../../solver/evaluate.ts'
import { type Exchange, islandMemory, joinIslands } from '../../../../solver/islands.ts'
import type { Evaluation, Matrix, Plan, Problem, Solution } from '../../../../solver/problem.ts'
import { planOf } from '../../../../solver/problem.ts'
import { reflow, spread } from '../../../../solver/reflow.ts'
import { type Progress, type SolveOptions, solve } from '../../../../solver/solve.ts'
import { fullestPercent } from '../../rain/rules.ts'
import { type BesideTask, type PlanAnswer, type PlanTask, type PlanUpdate, patienceOf } from './plan-task.ts'
import type { ThreadTask, ThreadUpdate } from './pool.ts'
import { pushDays } from './push-days.ts'
import { isBetter, type Score } from './score.ts'

// Runs in a thread of its own, so that a long search never holds up the server.

const newsEveryMs = 200

const scaled = (travelTimes: Matrix, percent: number): Matrix =>
  percent === 100
    ? travelTimes
    : { ...travelTimes, seconds: travelTimes.seconds.map((s) => (s < 0 ? s : Math.round((s * percent) / 100))) }

type Judged = Score & { driveSeconds: number; routes: Evaluation['routes'] }

/** A plan judged with each crew's own drive times; visits that are nowhere count as left out. */
const scoreOf = (task: PlanTask, matrices: ReadonlyMap<number, Matrix>, plan: Plan): Judged => {
  const served = new Set(plan.routes.flatMap((route) => route.visitIds))
  const byId = new Map(task.problem.visits.map((visit) => [visit.id, visit]))
  let cents = 0
  let driveSeconds = 0
  let broken = false
  const routes: Evaluation['routes'] = []
  for (const [r, crewDay] of task.problem.crewDays.entries()) {
    const visitIds = plan.routes.find((route) => route.crewDayId === crewDay.id)?.visitIds ?? []
    const matrix = matrices.get(task.percents[r] ?? 100) ?? task.travelTimes
    const {
      cost,
      violations,
      totals,
      routes: own,
    } = evaluate(
      { ...task.problem, matrix, visits: visitIds.flatMap((id) => byId.get(id) ?? []), crewDays: [crewDay] },
      { routes: [{ crewDayId: crewDay.id, visitIds }] },
    )
    cents += cost.totalCents - cost.unservedCents
    driveSeconds += totals.driveSeconds
    routes.push(...own)
    broken ||= violations.some((violation) => !violation.byPins)
  }
  return {
    unserved: task.problem.visits.filter((visit) => !served.has(visit.id)).length,
    broken,
    cents,
    driveSeconds,
    routes,
  }
}

/** The score as somebody judges it who wants the crews to end so. */
const wanting = (task: PlanTask, score: Judged, evenness: Evenness): Score => ({
  ...score,
  cents: score.cents + unevenCents(task.problem.crewDays, score, evenness),
})

const unservedOf = ({ unserved }: Pick<Evaluation, 'unserved'>): PlanAnswer['unserved'] =>
  unserved.map(({ visitId, reasons: [first] }) => ({ visitId, code: first?.code ?? 'full', text: first?.text ?? '' }))

const sound = (problem: Problem, solution: Evaluation): boolean =>
  check(problem, solution).every((violation) => violation.byPins)

const run = (
  task: PlanTask,
  flag: Int32Array,
  report: (update: PlanUpdate) => void,
  notice: (text: string) => void,
): PlanAnswer => {
  const started = performance.now()
  const matrices = new Map(
    [...new Set(task.percents)].map((percent) => [percent, scaled(task.travelTimes, percent)] as const),
  )
  // One set of drives for the search: of the slowest crew, so that nobody is sent more than can be driven.
  const slowest = matrices.get(Math.max(...task.percents)) ?? task.travelTimes
  const problem: Problem = { ...task.problem, matrix: slowest }
  let told = 0
  const watch = (from: number, part: number): SolveOptions => ({
    effort: task.effort,
    seed: task.seed,
    now: () => performance.now(),
    deadlineMs: Math.max(300, (task.limitMs - (performance.now() - started)) * (part < 1 ? 0.7 : 1)),
    shouldStop: () => Atomics.load(flag, 0) !== 0,
    progressEvery: 400,
    onProgress: (progress: Progress) => {
      const now = performance.now()
      if (now - told < newsEveryMs) return
      told = now
      const { routes, cost, totals } = evaluate(problem, progress.plan())
      report({
        elapsedMs: Math.round(now - started),
        iterations: progress.iterations,
        costCents: cost.totalCents - cost.unservedCents,
        driveSeconds: totals.driveSeconds,
        unserved: progress.unserved,
        share: Math.min(1, from + progress.share * part),
        routes: routes.map(({ crewDayId, stops }) => ({
          crewDayId,
          stops: stops.map(({ visitId, startSeconds }) => ({ visitId, startMinute: Math.floor(startSeconds / 60) })),
        })),
      })
    },
  })

  if (task.kind === 'push') {
    const plan = pushDays(problem, task.start, new Set(task.closed), new Set(task.fixed))
    return {
      kept: false,
      plan,
      unserved: evaluate(problem, plan).unserved.map(({ visitId }) => ({
        visitId,
        code: 'full',
        text: `No day of the push has room for it: each would be over ${fullestPercent}% of its shift.`,
      })),
      iterations: 0,
      stopped: false,
      choices: null,
    }
  }
  if (task.kind !== 'optimize') {
    const options = { ...watch(0, 1), stability: task.stability }
    const { evaluation, plan, stats } =
      task.kind === 'spread'
        ? spread(problem, task.start, task.closed, options)
        : reflow(problem, task.start, task.closed, task.kind, options)
    return {
      kept: false,
      plan,
      unserved: unservedOf(evaluation),
      iterations: stats?.iterations ?? 0,
      stopped: stats?.truncated ?? false,
      choices: null,
    }
  }

  const found: { solution: Solution; plan: Plan; score: Judged }[] = []
  const search = (evenness: Evenness, start: Plan, options: SolveOptions): Solution => {
    const one = withEvenness(problem, evenness)
    const solution = solve(one, { ...options, warmStart: start })
    const plan = planOf(solution)
    if (sound(one, solution)) found.push({ solution, plan, score: scoreOf(task, matrices, plan) })
    return solution
  }
  const others = ways.filter((way) => way !== task.evenness && sharesOut(problem))
  const options = watch(0, others.length ? 0.7 : 1)
  const together = searchBeside(
    task,
    withEvenness(problem, task.evenness),
    options.deadlineMs ?? task.limitMs,
    flag,
    notice,
  )
  const wanted = search(task.evenness, task.start, together ? { ...options, exchange: together.exchange } : options)
  together?.leave()
  if (found.length === 0) throw new Error('the search answered a plan that breaks its own rules')
  for (const [k, way] of others.entries())
    if (Atomics.load(flag, 0) === 0)
      search(way, planOf(wanted), { ...watch(0.7 + 0.15 * k, 0.15), effort: task.effort / 4 })
  const bestFor = (way: Evenness) =>
    found.reduce((a, b) => (isBetter(wanting(task, b.score, way), wanting(task, a.score, way)) ? b : a))
  const best = bestFor(task.evenness)
  const before = wanting(task, scoreOf(task, matrices, task.start), task.evenness)
  const better = isBetter(wanting(task, best.score, task.evenness), before)
  return {
    kept: !better,
    plan: better ? best.plan : task.start,
    unserved: unservedOf(better ? best.solution : wanted),
    iterations: found.reduce((sum, { solution }) => sum + solution.stats.iterations, 0),
    stopped: wanted.stats.truncated || Atomics.load(flag, 0) !== 0,
    choices:
      others.length === 0 || found.length < ways.length
        ? null
        : ways.map((evenness) => {
            const { score } = bestFor(evenness)
            const apart = apartSeconds(problem, score)
            return { evenness, driveSeconds: score.driveSeconds, cents: score.cents, apartSeconds: apart }
          }),
  }
}

/** Sends another thread into the same search, if the task has one more; both end with the better plan. */
const searchBeside = (
  task: PlanTask,
  problem: Problem,
  deadlineMs: number,
  flag: Int32Array,
  notice: (text: string) => void,
): { exchange: Exchange; leave: () => void } | null => {
  if (task.islands < 2) return null
  const memory = islandMemory(2, problem.visits.length, problem.crewDays.length)
  const workerData: BesideTask = {
    problem,
    start: task.start,
    effort: task.effort,
    seed: task.seed + besideSeed,
    limitMs: task.limitMs,
    deadlineMs,
    memory,
    flag,
  }
  const worker = new Worker(new URL('./island-thread.ts', import.meta.url), { workerData })
  // Without it the search goes on alone, but somebody should know why it found less.
  worker.on('error', (error) => notice(error.stack ?? error.message))
  const size = { visits: problem.visits.length, routes: problem.crewDays.length }
  return joinIslands(memory, 0, 2, size, {
    patienceMs: patienceOf(task),
    shouldStop: () => Atomics.load(flag, 0) !== 0,
  })
}

const besideSeed = 1_000

const ways: Evenness[] = ['cost', 'hour', 'even']

/** Some day has two crews or more that could end at different times. */
const sharesOut = ({ crewDays }: Pick<Problem, 'crewDays'>): boolean =>
  new Set(crewDays.map((crewDay) => crewDay.day ?? 0)).size < crewDays.length

parentPort?.on('message', ({ task, flag }: ThreadTask<PlanTask>) => {
  const answer = (message: ThreadUpdate<PlanUpdate, PlanAnswer>) => parentPort?.postMessage(message)
  try {
    answer({
      answer: run(
        task,
        flag,
        (update) => answer({ update }),
        (notice) => answer({ notice }),
      ),
    })
  } catch (error) {
    answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
