import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** What `inThread` starts its threads with: they step back while requests want the processor, so that nobody waits for a batch of papers. */

// Only Linux counts a thread by itself; elsewhere this would slow down the whole process.
if (!isMainThread && process.platform === 'linux') setPriority(19)

export type ThreadWork = { module: string; name: string; input: unknown }

/** @throws what the function throws */
export const runWork = async ({ module, name, input }: ThreadWork): Promise<unknown> =>
  ((await import(module)) as Record<string, (input: unknown) => Promise<unknown>>)[name]?.(input)
