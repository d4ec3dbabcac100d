/** News of something long that the server tells as it goes on: from the one stream of events to whoever shows it. */

type Listener = (update: Record<string, unknown>) => void

const listeners = new Set<Listener>()

/** Hears every `progress` event until the returned function is called. */
export const onProgress = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const passProgress = (update: Record<string, unknown>): void => {
  for (const listener of listeners) listener(update)
}
