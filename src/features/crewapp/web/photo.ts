import { shrinkPhoto } from '../../../ui/shrinkPhoto.ts'

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

/** What the camera gave, made small enough to keep, each with an id of its own and when it was taken. */
export const photosOf = async (files: readonly File[]): Promise<{ id: string; takenAt: string; blob: Blob }[]> => {
  const photos = []
  // one by one: a phone has not the memory for many pictures at once
  for (const file of files)
    photos.push({
      id: crypto.randomUUID(),
      takenAt: new Date(file.lastModified || Date.now()).toISOString(),
      blob: await shrinkPhoto(file),
    })
  return photos
}
