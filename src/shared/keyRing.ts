const isRefusal = (error: unknown): boolean => {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500
}

/**
 * Idempotency keys of one form, by what is sent. A lost answer and a 5xx keep the key, so that the next try cannot do the thing twice; a success
 * and a 4xx, which changed nothing, end it.
 */
export const createKeyRing = (newKey: () => string = () => globalThis.crypto.randomUUID()) => {
  const keys = new Map<string, string>()
  return {
    run: async <T>(content: unknown, work: (key: string) => Promise<T>): Promise<T> => {
      const name = JSON.stringify(content) ?? ''
      const key = keys.get(name) ?? newKey()
      keys.set(name, key)
      const end = () => {
        if (keys.get(name) === key) keys.delete(name)
      }
      try {
        const result = await work(key)
        end()
        return result
      } catch (error) {
        if (isRefusal(error)) end()
        throw error
      }
    },
  }
}
