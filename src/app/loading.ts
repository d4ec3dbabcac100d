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

/**
 * Loads a screen's file: 120 s time-out, one retry.
 * @throws ScreenLoadError after the second failure
 */
export const loadScreen = async <T>(
  load: () => Promise<T>,
  { timeoutMs = 120_000, pauseMs = 400 } = {},
): Promise<T> => {
  try {
    return await limit(load(), timeoutMs)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    try {
      return await limit(load(), timeoutMs)
    } catch (cause) {
      throw new ScreenLoadError(cause)
    }
  }
}
