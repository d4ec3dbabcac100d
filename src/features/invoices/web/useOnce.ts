import { useRef } from 'react'

/** Takes a second click only after the first has had its answer: a button learns of it a moment too late to refuse it by itself. */
export const useOnce = (): ((work: () => Promise<unknown>) => void) => {
  const busy = useRef(false)
  return (work) => {
    if (busy.current) return
    busy.current = true
    void work()
      .catch(() => undefined)
      .finally(() => {
        busy.current = false
      })
  }
}
