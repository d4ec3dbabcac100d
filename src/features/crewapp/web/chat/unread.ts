let count = 0
const listeners = new Set<() => void>()

/** How many messages nobody has read on this phone; the navigation shows it without the code of the chat. */
export const unread = {
  get: (): number => count,
  set: (next: number): void => {
    if (next === count) return
    count = next
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
