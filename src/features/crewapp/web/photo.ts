const leastFreeBytes = 50 * 1024 * 1024

/** Whether the phone has room for more photos; true when it does not say. */
export const hasRoom = async (): Promise<boolean> => {
  const estimate = await navigator.storage?.estimate?.().catch(() => null)
  if (!estimate?.quota) return true
  return estimate.quota - (estimate.usage ?? 0) > leastFreeBytes
}

/** Bytes that this app uses on the phone, or null. */
export const usedBytes = async (): Promise<number | null> => {
  const estimate = await navigator.storage?.estimate?.().catch(() => null)
  return estimate?.usage ?? null
}

let asked = false

/** Asks the browser once not to clear this app's storage when the phone runs full. */
export const persistStorage = (): void => {
  if (asked) return
  asked = true
  void navigator.storage?.persist?.().catch(() => false)
}
