const isRefusal = (error: unknown): boolean => {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500
}

/** The second half of a double click comes within this time, also behind a quick answer to the first, before the form is off the screen. */
const doubledMs = 1_000

/**
 * Idempotency keys of one form, by what is sent. A lost answer and a 5xx keep the key, so that the next try cannot do the thing twice; a 4xx, which
 * changed nothing, ends it. A success ends it once something else is sent, or after a moment: until then the same again is the same click.
 */
export const createKeyRing = (
  newKey: () => string = () => globalThis.crypto.randomUUID(),
  now: () => number = () => Date.now(),
) => {
  const keys = new Map<string, { key: string; doneAt?: number }>()
  return {
    run: async <T>(content: unknown, work: (key: string) => Promise<T>): Promise<T> => {
      const name = JSON.stringify(content) ?? ''
      for (const [other, { doneAt }] of keys)
        if (doneAt !== undefined && (other !== name || now() - doneAt > doubledMs)) keys.delete(other)
      const entry = keys.get(name) ?? { key: newKey() }
      keys.set(name, entry)
      try {
        const result = await work(entry.key)
        entry.doneAt ??= now()
        return result
      } catch (error) {
        if (isRefusal(error) && keys.get(name) === entry) keys.delete(name)
        throw error
      }
    },
  }
}
