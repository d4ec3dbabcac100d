/**
 * The only place of the server that reads the machine's time. Tests replace it.
 */
type Source = () => Date

const systemTime: Source = () => new Date()
let source: Source = systemTime

export const clock = {
  /** The present instant; a fresh Date that the caller may keep. */
  now: (): Date => new Date(source().getTime()),
  /** The present instant in milliseconds since 1970 UTC. */
  nowMs: (): number => source().getTime(),
  /** The present instant as an ISO 8601 UTC string with milliseconds, as rows and answers carry it. */
  iso: (): string => source().toISOString(),
}

/** For tests: every later reading comes from `next` until `resetClock()`. */
export const setClock = (next: Source): void => {
  source = next
}

/** For tests: back to the machine's time. */
export const resetClock = (): void => {
  source = systemTime
}
