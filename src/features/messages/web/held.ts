import type { Conversation } from '../contract.ts'
import type { ConversationRecord, ThreadItem } from '../conversations/contract.ts'

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

/** What the open conversation itself says, which the list says of it no more. */
export type Now = {
  record: Pick<ConversationRecord, 'state' | 'assignee' | 'snoozedUntil'> | undefined
  /** Its messages and notes, newest first. */
  items: readonly ThreadItem[] | undefined
}

/** As the list says it of a conversation that is read: its newest message, or a note where there is none. */
const lastOf = (items: readonly ThreadItem[]): Conversation['last'] | null => {
  const item = items.find(({ kind }) => kind === 'message') ?? items[0]
  if (!item) return null
  if (item.kind === 'note')
    return {
      channel: 'note',
      direction: 'outbound',
      text: item.note.text,
      status: 'sent',
      createdAt: item.note.createdAt,
    }
  const { channel, direction, subject, text, status, createdAt } = item.message
  return { channel, direction, text: channel === 'email' && subject ? subject : text, status, createdAt }
}

const asNow = (row: Conversation, { record, items }: Now): Conversation => ({
  ...row,
  unreadCount: 0,
  last: (items && lastOf(items)) ?? row.last,
  ...(record ? { state: record.state, assignee: record.assignee, snoozedUntil: record.snoozedUntil } : {}),
})

/**
 * The list with the row that is held, where it was: as its conversation is now, for it is there because something was done with it. Nothing is new in it
 * any more, because somebody reads it.
 */
export const withHeld = (
  rows: readonly Conversation[] | undefined,
  held: Held | null,
  now: Now,
): Conversation[] | undefined => {
  if (!rows) return undefined
  if (!held || rows.some(({ key }) => key === held.row.key)) return [...rows]
  return [...rows.slice(0, held.at), asNow(held.row, now), ...rows.slice(held.at)]
}
