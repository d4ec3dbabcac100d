// Not piscina, which platform/threads.ts uses: it has no turns between businesses, tells no progress, and an abort kills the thread with the
// best plan so far, while here a search is asked to stop, answers its best, and only a thread that hangs is killed.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { log } from '../../../../platform/log.ts'
import { AppError } from '../../../../shared/errors.ts'

/** What a thread is sent. `flag` is shared: anything but 0 asks it to stop and to answer the best it has. */
export type ThreadTask<Task> = { task: Task; flag: Int32Array }
/** What a thread answers: any number of news, then one end. What is only for the log may come after it. */
export type ThreadUpdate<Update, Answer> =
  | { update: Update }
  | { answer: Answer }
  | { failed: string }
  | { notice: string }

export type PoolSettings = {
  entry: URL
  threads: number
  /** From the start of a task in its thread; then the thread is ended and the task fails. */
  hardLimitMs: number
  /** How long a task that was asked to stop may take to answer. */
  stopLimitMs: number
  /** Waiting tasks of all businesses. */
  mostWaiting: number
}

export type Planning<Update, Answer> = {
  done: Promise<Answer>
  /** Asks for the best so far. A task that still waits for its turn is given up. */
  stop: () => void
  onUpdate: (listener: (update: Update) => void) => void
}

type Waiting<Task, Update, Answer> = {
  scope: string
  task: Task
  /** Threads that it keeps busy: those that it starts itself count too. */
  threads: number
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
 * Threads that plan. Businesses take turns: the next task is of the business that has waited longest since its last turn, however many tasks another
 * one has waiting. A thread that crashes or hangs fails its own task only and is replaced by the next task.
 */
export class Pool<Task, Update, Answer> {
  readonly #settings: PoolSettings
  readonly #resting: Worker[] = []
  readonly #running = new Map<Worker, Waiting<Task, Update, Answer>>()
  /** Waiting tasks by business, in the order in which the businesses have their turns. */
  readonly #queues = new Map<string, Waiting<Task, Update, Answer>[]>()
  #closed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
  }

  /** Threads that could begin a task at once. */
  get idle(): number {
    return this.#settings.threads - [...this.#running.values()].reduce((sum, task) => sum + task.threads, 0)
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0)
  }

  /**
   * Plans in a thread of its own.
   * @param scope the business: each has its turn
   * @param threads how many the task keeps busy once it runs; no other task begins on them
   * @throws AppError('unavailable') from `done` when the thread ends, takes too long, or too many wait; nothing else is touched by that
   */
  run(scope: string, task: Task, threads = 1): Planning<Update, Answer> {
    const { promise: done, resolve, reject } = Promise.withResolvers<Answer>()
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const waiting: Waiting<Task, Update, Answer> = {
      scope,
      task,
      threads,
      flag,
      listener: undefined,
      resolve,
      reject,
    }
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
    for (const task of [...waiting, ...this.#running.values()]) {
      clearTimeout(task.timer)
      task.reject(cutOff())
    }
    this.#running.clear()
    await Promise.all(threads.map((worker) => worker.terminate()))
  }

  #stop(task: Waiting<Task, Update, Answer>): void {
    Atomics.store(task.flag, 0, 1)
    const queue = this.#queues.get(task.scope)
    if (queue?.includes(task)) {
      this.#queues.set(
        task.scope,
        queue.filter((one) => one !== task),
      )
      task.reject(new AppError('conflict', 'Stopped before the search had its turn. Nothing was changed.'))
      return
    }
    const worker = [...this.#running].find(([, one]) => one === task)?.[0]
    if (!worker) return
    clearTimeout(task.timer)
    task.timer = this.#limit(worker, this.#settings.stopLimitMs)
  }

  #limit(worker: Worker, ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const task = this.#finish(worker)
      void worker.terminate()
      task?.reject(tooLong())
      this.#next()
    }, ms)
  }

  #finish(worker: Worker): Waiting<Task, Update, Answer> | undefined {
    const task = this.#running.get(worker)
    clearTimeout(task?.timer)
    this.#running.delete(worker)
    return task
  }

  /** The next task by turns; a business that has nothing running goes before one that has. */
  #take(): Waiting<Task, Update, Answer> | undefined {
    for (const [scope, queue] of [...this.#queues]) if (queue.length === 0) this.#queues.delete(scope)
    const busy = new Set([...this.#running.values()].map((task) => task.scope))
    const scopes = [...this.#queues.keys()]
    const scope = scopes.find((one) => !busy.has(one)) ?? scopes[0]
    if (scope === undefined) return undefined
    const queue = this.#queues.get(scope) ?? []
    const task = queue.shift()
    // Its next turn comes after everybody else's.
    this.#queues.delete(scope)
    if (queue.length) this.#queues.set(scope, queue)
    return task
  }

  #next(): void {
    while (!this.#closed && this.idle > 0) {
      const task = this.#take()
      if (!task) return
      const worker = this.#resting.pop() ?? this.#thread()
      this.#running.set(worker, task)
      task.timer = this.#limit(worker, this.#settings.hardLimitMs)
      worker.postMessage({ task: task.task, flag: task.flag } satisfies ThreadTask<Task>)
    }
  }

  #thread(): Worker {
    const worker = new Worker(this.#settings.entry, { resourceLimits: { maxOldGenerationSizeMb: 768 } })
    // A resting thread does not keep the server from ending.
    worker.unref()
    const ended = (reason: unknown): void => {
      const at = this.#resting.indexOf(worker)
      if (at >= 0) this.#resting.splice(at, 1)
      const task = this.#finish(worker)
      if (!task) return
      log.error({ err: reason }, 'a planning thread ended in the middle of its work')
      task.reject(cutOff())
      this.#next()
    }
    worker.on('message', (message: ThreadUpdate<Update, Answer>) => {
      if ('notice' in message)
        return log.warn({ reason: message.notice }, 'a second thread of a search failed; the first went on alone')
      const task = this.#running.get(worker)
      if (!task) return
      if ('update' in message) return task.listener?.(message.update)
      this.#finish(worker)
      this.#resting.push(worker)
      if ('answer' in message) task.resolve(message.answer)
      else {
        log.error({ reason: message.failed }, 'a planning thread could not do its work')
        task.reject(cutOff())
      }
      this.#next()
    })
    worker.on('error', ended)
    worker.on('exit', (code) => ended(new Error(`exit ${code}`)))
    return worker
  }
}
