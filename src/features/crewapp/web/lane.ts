import { ApiError } from '../../../shared/client.ts'

const longestPauseMs = 60_000

/** What a failed call means: nothing that could work later is ever given up. */
export type Failure = 'signIn' | 'later' | 'rejected'

export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof ApiError) || error.status === 0) return 'later'
  if (error.status === 401) return 'signIn'
  return error.status === 429 || error.status >= 500 ? 'later' : 'rejected'
}

const awayNames = ['TimeoutError', 'AbortError', 'NetworkError']

/** Whether no answer came that is the server's. What the phone itself could not do, say read its storage, says nothing about the signal. */
export const neverReached = (error: unknown): boolean =>
  error instanceof ApiError ? error.status === 0 : !(error instanceof DOMException) || awayNames.includes(error.name)

/** Whether the server broke over what was asked: one that is away or busy says so (429, 502 and above). */
export const isBreak = (error: unknown): boolean => error instanceof ApiError && error.status === 500

type LaneDeps = {
  run: () => Promise<void>
  /** One at a time over all tabs of the phone. */
  exclusive: (work: () => Promise<void>) => Promise<void>
  later: (work: () => void, ms: number) => () => void
  now: () => number
  /** What broke while it ran. */
  onError: (error: unknown) => void
}

/** One way from the phone to the server: one run at a time, and after a failure a rest that doubles. */
export const createLane = ({ run, exclusive, later, now, onError }: LaneDeps) => {
  let failures = 0
  let cancelTimer: (() => void) | null = null
  let wakesAt = 0
  let running: Promise<void> | null = null
  let again = false

  const flush = (): Promise<void> => {
    if (running) {
      again = true
      return running
    }
    cancelTimer?.()
    cancelTimer = null
    running = exclusive(run)
      .catch(onError)
      .finally(() => {
        running = null
        if (!again) return
        again = false
        // What came in while it ran; a failure just now has its own time.
        if (!cancelTimer) void flush()
      })
    return running
  }

  const wakeIn = (ms: number): void => {
    cancelTimer?.()
    wakesAt = now() + ms
    cancelTimer = later(() => {
      cancelTimer = null
      void flush()
    }, ms)
  }

  return {
    flush,
    wakeIn,
    /** Goes at that time at the latest. */
    wakeUpIn: (ms: number): void => {
      if (running) again = true
      else if (!cancelTimer || now() + ms < wakesAt) wakeIn(ms)
    },
    /** Goes, unless it rests after a failure or has an hour of its own. */
    nudge: (): void => {
      if (!cancelTimer) void flush()
    },
    /** Rests after a failure, each time twice as long. */
    rest: (): void => {
      wakeIn(Math.min(longestPauseMs, 1_000 * 2 ** failures))
      failures += 1
    },
    /** Something got there: the next failure is the first again. */
    wentThrough: (): void => {
      failures = 0
    },
    /** Settles when what runs now is through. */
    through: async (): Promise<void> => {
      while (running) await running
    },
  }
}

export type Lane = ReturnType<typeof createLane>

/** So often a single one may break the server before what comes after it is tried. */
export const mostBreaks = 3
