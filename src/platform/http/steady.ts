import { performance } from 'node:perf_hooks'

/**
 * Runs `work` and answers no sooner than `ms` after the call, also when it throws: whoever measures the answer cannot tell what was found.
 */
export const steady = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  try {
    return await work()
  } finally {
    const left = ms - (performance.now() - started)
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  }
}
