import { setTimeout as sleep } from 'node:timers/promises'

/** Asking services outside for JSON or text: with a time-out for each try, patience where waiting helps, and no trust in what comes back. */

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

const longestBody = 32 * 1024 * 1024
const longestWaitMs = 30_000

const retryAfterMs = (header: string | null): number | undefined => {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(longestWaitMs, seconds * 1000) : undefined
}

/**
 * One request, its body as text.
 * @throws ServiceError when nothing came, the status is no success, or the body is longer than 32 MB; `passing` says whether to try again
 */
export const askText = async (
  url: string | URL,
  init: RequestInit & { timeoutMs: number; signal?: AbortSignal },
): Promise<string> => {
  const { timeoutMs, signal, ...rest } = init
  const host = new URL(url).host
  const timeout = AbortSignal.timeout(timeoutMs)
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, {
      ...rest,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (Number(answer.headers.get('content-length') ?? 0) > longestBody)
      throw new ServiceError(`${host} answered with too much.`, { passing: false })
    text = await answer.text()
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError(`${host} did not answer.`, { passing: !signal?.aborted, cause })
  }
  if (!answer.ok)
    throw new ServiceError(`${host} answered ${answer.status}: ${text.slice(0, 200).replace(/\s+/g, ' ')}`, {
      passing: answer.status === 429 || answer.status === 408 || answer.status >= 500,
      waitMs: retryAfterMs(answer.headers.get('retry-after')),
    })
  return text
}

/**
 * One request, its body as JSON of an unknown shape: parse it strictly.
 * @throws ServiceError as `askText`, and when the body is no JSON, as a gateway's HTML
 */
export const askJson = async (...request: Parameters<typeof askText>): Promise<unknown> => {
  const text = await askText(...request)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError(`${new URL(request[0]).host} did not answer with JSON.`, { passing: true, cause })
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
