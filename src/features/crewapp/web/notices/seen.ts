const keyOf = (userId: string): string => `swath-notices-seen:${userId}`
const most = 50

/** The notices that a person has seen on this phone, the newest last. */
export const seenNotices = (userId: string): string[] => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(found) ? found.map(String) : []
  } catch {
    return []
  }
}

export const noteSeen = (userId: string, ids: readonly string[]): void => {
  try {
    const all = [...new Set([...seenNotices(userId), ...ids])]
    localStorage.setItem(keyOf(userId), JSON.stringify(all.slice(-most)))
  } catch {
    // A full phone says it again.
  }
}
