type Order = Readonly<Record<string, readonly string[]>>

/** Which list an item is in, and where. */
export const placeOf = (order: Order, id: string): { listId: string; index: number } | null => {
  for (const [listId, ids] of Object.entries(order)) {
    const index = ids.indexOf(id)
    if (index >= 0) return { listId, index }
  }
  return null
}

/** The order after an item went to a place; the place counts without the item itself. */
export const moveBetween = (order: Order, id: string, toListId: string, toIndex: number): Record<string, string[]> => {
  const next = Object.fromEntries(
    Object.entries(order).map(([listId, ids]) => [listId, ids.filter((one) => one !== id)]),
  )
  const target = next[toListId]
  if (!target) return Object.fromEntries(Object.entries(order).map(([listId, ids]) => [listId, [...ids]]))
  target.splice(Math.max(0, Math.min(toIndex, target.length)), 0, id)
  return next
}
