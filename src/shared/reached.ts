let lost = false
const listeners = new Set<() => void>()

/** A request had no answer: the connection may be away. */
export const noteLost = (): void => {
  lost = true
}

/** The server answered. After a lost request that is news: whoever still shows that it is away can stop. */
export const noteReached = (): void => {
  if (!lost) return
  lost = false
  for (const listener of [...listeners]) listener()
}

/** Runs `listener` whenever the server answers again after a lost request. Returns what ends it. */
export const whenReached = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
