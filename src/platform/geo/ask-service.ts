import { setTimeout as sleep } from 'node:timers/promises'

/** Patience with services outside. */

/** A service did not answer, or not with what was asked for. */
export class ServiceError extends Error {
  /** Asking again later may help: too many requests, a fault of the server, no connection. */
  readonly passing: boolean
  /** What the server asked us to wait. */
  readonly waitMs: number | undefined
  constructor(message: string, options: { passing: boolean; waitMs?: number | undefined; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.passing = options.passing
    this.waitMs = options.waitMs
  }
}

let pauseMs = 400

/** For tests: how long the first pause between tries is. */
export const configurePatience = (firstPauseMs = 400): void => {
  pauseMs = firstPauseMs
}

/**
 * Tries again what failed in passing: after a pause that doubles each time, with up to half of it by chance on top so that several processes
 * do not come back together, or after what the server asked for.
 * @throws what the last try threw, or the first that will not pass
 */
export const patiently = async <T>(
  tries: number,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const passing = error instanceof ServiceError && error.passing
      if (!passing || attempt >= tries || signal?.aborted) throw error
      const pause = error.waitMs ?? pauseMs * 2 ** (attempt - 1) * (1 + Math.random() / 2)
      try {
        await sleep(pause, undefined, signal ? { signal } : {})
      } catch {
        throw error
      }
    }
  }
}
