import type { Conversation } from '../contract.ts'

/** The row of the conversation that is open, where it stood among the others, and by which filter the list was made. */
export type Held = { row: Conversation; at: number; filter: string }

/** What is held of a list from now on: the row of who is open as it is listed, else as it was last, until another one is opened or the filter changes. */
export const holdRow = (
  held: Held | null,
  rows: readonly Conversation[] | undefined,
  who: string | null,
  filter: string,
): Held | null => {
  if (who === null) return null
  const at = rows?.findIndex(({ key }) => key === who) ?? -1
  const row = rows?.[at]
  if (!row) return held?.row.key === who && held.filter === filter ? held : null
  return held?.row === row && held.at === at && held.filter === filter ? held : { row, at, filter }
}

/** The list with the row that is held, where it was; nothing new in it any more, because somebody reads it. */
export const withHeld = (rows: readonly Conversation[] | undefined, held: Held | null): Conversation[] | undefined => {
  if (!rows) return undefined
  if (!held || rows.some(({ key }) => key === held.row.key)) return [...rows]
  return [...rows.slice(0, held.at), { ...held.row, unreadCount: 0 }, ...rows.slice(held.at)]
}
