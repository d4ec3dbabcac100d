import { noteLost, whenReached } from '../shared/reached.ts'
import { checkConnection } from './connectivity.ts'

/** A screen's file that did not arrive: usually a new version has replaced it. */
export class ScreenLoadError extends Error {
  constructor(cause: unknown) {
    super('A new version is ready', { cause })
    this.name = 'ScreenLoadError'
  }
}

const limit = <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const untilReached = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = whenReached(() => {
      stop()
      resolve()
    })
  })

/**
 * Loads a screen's file: 120 s time-out, one retry. Without a connection it waits for the server and goes on by itself; the navigation stays, and
 * the banner says why nothing comes.
 * @throws ScreenLoadError after the second failure while the server answers
 */
export const loadScreen = async <T>(
  load: () => Promise<T>,
  { timeoutMs = 120_000, pauseMs = 400, isReached = checkConnection } = {},
): Promise<T> => {
  try {
    return await limit(load(), timeoutMs)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    try {
      return await limit(load(), timeoutMs)
    } catch (cause) {
      const back = untilReached()
      noteLost()
      if (await isReached()) throw new ScreenLoadError(cause)
      await back
      return loadScreen(load, { timeoutMs, pauseMs, isReached })
    }
  }
}
