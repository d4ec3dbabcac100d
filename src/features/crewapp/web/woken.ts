/** What the worker tells the open app when a push came in: where that got through, taps do, too. */
const isWake = (data: unknown): boolean => (data as { wake?: unknown } | null)?.wake === true

/** Calls back when a push wakes this phone, until the returned function is called. */
export const onWoken = (wake: () => void): (() => void) => {
  const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : null
  const heard = (event: MessageEvent) => {
    if (isWake(event.data)) wake()
  }
  worker?.addEventListener('message', heard)
  return () => worker?.removeEventListener('message', heard)
}
