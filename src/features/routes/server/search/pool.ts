// Not piscina, which platform/threads.ts uses: it has no turns between businesses, tells no progress, and an abort kills the thread with the
// best plan so far, while here a search is asked to stop, answers its best, and only a thread that hangs is killed.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { log } from '../../../../platform/log.ts'
import { AppError } from '../../../../shared/errors.ts'

/** What a thread is sent. `flag` is shared: anything but 0 asks it to stop and to answer the best it has. */
export type ThreadTask<Job> = { job: Job; flag: Int32Array }
/** What a thread answers: any number of news, then one end. */
export type ThreadUpdate<Update, Answer> = { update: Update } | { answer: Answer } | { failed: string }

export type PoolSettings = {
  entry: URL
  threads: number
  /** From the start of a job in its thread; then the thread is ended and the job fails. */
  hardLimitMs: number
  /** How long a job that was asked to stop may take to answer. */
  stopLimitMs: number
  /** Waiting jobs of all businesses. */
  mostWaiting: number
}

export type Planning<Update, Answer> = {
  done: Promise<Answer>
  /** Asks for the best so far. A job that still waits for its turn is given up. */
  stop: () => void
  onUpdate: (listener: (update: Update) => void) => void
}

type Waiting<Job, Update, Answer> = {
  scope: string
  job: Job
  flag: Int32Array
  listener: ((update: Update) => void) | undefined
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
  timer?: NodeJS.Timeout
}

const cutOff = (): AppError =>
  new AppError('unavailable', 'Planning stopped before it was done. Nothing was changed; please try again.')
const tooLong = (): AppError =>
  new AppError(
    'unavailable',
    'Planning took too long and was ended. Nothing was changed; plan fewer days or stops at once.',
  )

/** One thread less than the machine has, so that answering requests always has one; at least one. */
export const usualThreads = (): number => Math.max(1, availableParallelism() - 1)

/**
 * Threads that plan. Businesses take turns: the next job is of the business that has waited longest since its last turn, however many jobs another
 * one has waiting. A thread that crashes or hangs fails its own job only and is replaced by the next job.
 */
export class Pool<Job, Update, Answer> {
  readonly #settings: PoolSettings
  readonly #resting: Worker[] = []
  readonly #running = new Map<Worker, Waiting<Job, Update, Answer>>()
  /** Waiting jobs by business, in the order in which the businesses have their turns. */
  readonly #queues = new Map<string, Waiting<Job, Update, Answer>[]>()
  #closed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0)
  }

  /**
   * Plans in a thread of its own.
   * @param scope the business: each has its turn
   * @throws AppError('unavailable') from `done` when the thread ends, takes too long, or too many wait; nothing else is touched by that
   */
  run(scope: string, job: Job): Planning<Update, Answer> {
    const { promise: done, resolve, reject } = Promise.withResolvers<Answer>()
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const waiting: Waiting<Job, Update, Answer> = { scope, job, flag, listener: undefined, resolve, reject }
    if (this.#closed) reject(cutOff())
    else if (this.waiting >= this.#settings.mostWaiting)
      reject(new AppError('unavailable', 'Many days are being planned right now. Please try again in a minute.'))
    else {
      const queue = this.#queues.get(scope)
      if (queue) queue.push(waiting)
      else this.#queues.set(scope, [waiting])
      this.#next()
    }
    return {
      done,
      stop: () => this.#stop(waiting),
      onUpdate: (listener) => {
        waiting.listener = listener
      },
    }
  }

  /** Ends every thread; what runs or waits fails with words. */
  async close(): Promise<void> {
    this.#closed = true
    const waiting = [...this.#queues.values()].flat()
    this.#queues.clear()
    const threads = [...this.#resting.splice(0), ...this.#running.keys()]
    for (const job of [...waiting, ...this.#running.values()]) {
      clearTimeout(job.timer)
      job.reject(cutOff())
    }
    this.#running.clear()
    await Promise.all(threads.map((worker) => worker.terminate()))
  }

  #stop(job: Waiting<Job, Update, Answer>): void {
    Atomics.store(job.flag, 0, 1)
    const queue = this.#queues.get(job.scope)
    if (queue?.includes(job)) {
      this.#queues.set(
        job.scope,
        queue.filter((one) => one !== job),
      )
      job.reject(new AppError('conflict', 'Stopped before the search had its turn. Nothing was changed.'))
      return
    }
    const worker = [...this.#running].find(([, one]) => one === job)?.[0]
    if (!worker) return
    clearTimeout(job.timer)
    job.timer = this.#limit(worker, this.#settings.stopLimitMs)
  }

  #limit(worker: Worker, ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const job = this.#finish(worker)
      void worker.terminate()
      job?.reject(tooLong())
      this.#next()
    }, ms)
  }

  #finish(worker: Worker): Waiting<Job, Update, Answer> | undefined {
    const job = this.#running.get(worker)
    clearTimeout(job?.timer)
    this.#running.delete(worker)
    return job
  }

  /** The next job by turns; a business that has nothing running goes before one that has. */
  #take(): Waiting<Job, Update, Answer> | undefined {
    for (const [scope, queue] of [...this.#queues]) if (queue.length === 0) this.#queues.delete(scope)
    const busy = new Set([...this.#running.values()].map((job) => job.scope))
    const scopes = [...this.#queues.keys()]
    const scope = scopes.find((one) => !busy.has(one)) ?? scopes[0]
    if (scope === undefined) return undefined
    const queue = this.#queues.get(scope) ?? []
    const job = queue.shift()
    // Its next turn comes after everybody else's.
    this.#queues.delete(scope)
    if (queue.length) this.#queues.set(scope, queue)
    return job
  }

  #next(): void {
    while (!this.#closed && this.#running.size < this.#settings.threads) {
      const job = this.#take()
      if (!job) return
      const worker = this.#resting.pop() ?? this.#thread()
      this.#running.set(worker, job)
      job.timer = this.#limit(worker, this.#settings.hardLimitMs)
      worker.postMessage({ job: job.job, flag: job.flag } satisfies ThreadTask<Job>)
    }
  }

  #thread(): Worker {
    const worker = new Worker(this.#settings.entry, { resourceLimits: { maxOldGenerationSizeMb: 768 } })
    // A resting thread does not keep the server from ending.
    worker.unref()
    const ended = (reason: unknown): void => {
      const at = this.#resting.indexOf(worker)
      if (at >= 0) this.#resting.splice(at, 1)
      const job = this.#finish(worker)
      if (!job) return
      log.error({ err: reason }, 'a planning thread ended in the middle of its work')
      job.reject(cutOff())
      this.#next()
    }
    worker.on('message', (message: ThreadUpdate<Update, Answer>) => {
      const job = this.#running.get(worker)
      if (!job) return
      if ('update' in message) return job.listener?.(message.update)
      this.#finish(worker)
      this.#resting.push(worker)
      if ('answer' in message) job.resolve(message.answer)
      else {
        log.error({ reason: message.failed }, 'a planning thread could not do its work')
        job.reject(cutOff())
      }
      this.#next()
    })
    worker.on('error', ended)
    worker.on('exit', (code) => ended(new Error(`exit ${code}`)))
    return worker
  }
}
