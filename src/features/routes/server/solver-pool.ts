import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { log } from '../../../platform/log.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Plan, Problem } from '../../../solver/problem.ts'

/** `deadlineMs` is for each problem; `effort` as in the engine. */
export type SolverJob = { problems: Problem[]; warmStart: Plan; effort: number; deadlineMs: number }
export type SolverAnswer = {
  plans: {
    plan: Plan
    unserved: { visitId: string; reason: string }[]
    /** A second look that shares no code with the search found nothing wrong. */
    sound: boolean
    truncated: boolean
  }[]
}

type Waiting = {
  scope: string
  job: SolverJob
  resolve: (answer: SolverAnswer) => void
  reject: (error: Error) => void
  timer?: NodeJS.Timeout
}
type Settings = { entry: URL; hardLimitMs: number; threads: number; mostWaiting: number }

const usual: Settings = {
  entry: new URL('./solver-worker.ts', import.meta.url),
  hardLimitMs: 15_000,
  threads: Math.max(1, Math.min(3, availableParallelism() - 1)),
  mostWaiting: 50,
}
let settings = usual
const resting: Worker[] = []
const running = new Map<Worker, Waiting>()
const waiting: Waiting[] = []

const stopped = (): AppError =>
  new AppError('unavailable', 'Planning stopped before it was done. Nothing was changed; please try again.')

const makeThread = (): Worker => {
  const worker = new Worker(settings.entry)
  // A resting thread does not keep the server from ending.
  worker.unref()
  const fail = (reason: unknown): void => {
    const at = resting.indexOf(worker)
    if (at >= 0) resting.splice(at, 1)
    const job = finish(worker)
    if (!job) return
    log.error({ err: reason }, 'a planning thread ended in the middle of its work')
    job.reject(stopped())
    next()
  }
  worker.on('message', (answer: SolverAnswer) => {
    const job = finish(worker)
    if (!job) return
    resting.push(worker)
    job.resolve(answer)
    next()
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`exit ${code}`)))
  return worker
}

const finish = (worker: Worker): Waiting | undefined => {
  const job = running.get(worker)
  clearTimeout(job?.timer)
  running.delete(worker)
  return job
}

/** Takes the longest waiting job of a business that has none running; one business's rush does not hold up the others. */
const next = (): void => {
  if (running.size >= settings.threads) return
  const busy = new Set([...running.values()].map((job) => job.scope))
  const index = Math.max(
    0,
    waiting.findIndex((job) => !busy.has(job.scope)),
  )
  const [job] = waiting.splice(index, 1)
  if (!job) return
  const worker = resting.pop() ?? makeThread()
  running.set(worker, job)
  job.timer = setTimeout(() => {
    finish(worker)
    void worker.terminate()
    job.reject(stopped())
    next()
  }, settings.hardLimitMs)
  worker.postMessage(job.job)
  next()
}

/**
 * Runs a search in a thread of its own.
 * @param scope the business: each has its turn
 * @throws AppError('unavailable') when the thread ends or takes too long, or too many wait; nothing else is touched by that
 */
export const runSolver = (scope: string, job: SolverJob): Promise<SolverAnswer> =>
  new Promise((resolve, reject) => {
    if (waiting.length >= settings.mostWaiting)
      return reject(new AppError('unavailable', 'Many days are being planned right now. Please try again in a minute.'))
    waiting.push({ scope, job, resolve, reject })
    next()
  })

/** For tests: other threads or limits until called without changes; resting threads end. */
export const configureSolver = (changes: Partial<Settings> = {}): void => {
  settings = { ...usual, ...changes }
  for (const worker of resting.splice(0)) void worker.terminate()
}
