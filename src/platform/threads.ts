import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { letPeopleFirst } from './quiet-moment.ts'
import type { ThreadWork } from './quiet-thread.ts'

let pool: Piscina | undefined

const threads = (): Piscina => {
  pool ??= new Piscina({
    filename: new URL('./quiet-thread.ts', import.meta.url).href,
    name: 'runWork',
    minThreads: 0,
    // Half of the machine: requests and the database need the rest.
    maxThreads: Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
    idleTimeout: 20_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  return pool
}

/**
 * Runs an exported function of a module in a thread: for work that would hold up everybody else's requests, like drawing a PDF. What goes in and
 * comes out is copied, so plain data and bytes only. Threads start when asked for and end when nobody asks.
 * @param module the module's own address, like `new URL('./pdf.ts', import.meta.url)`
 * @throws what the function throws
 */
export const inThread = <Work extends (input: never) => Promise<unknown>>(
  module: URL,
  name: string,
  input: Parameters<Work>[0],
): ReturnType<Work> =>
  letPeopleFirst().then(() =>
    threads().run({ module: module.href, name, input } satisfies ThreadWork),
  ) as ReturnType<Work>

/** Ends the threads; work that waits is refused. */
export const closeThreads = async (): Promise<void> => {
  const closing = pool
  pool = undefined
  await closing?.destroy()
}
