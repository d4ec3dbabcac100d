import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '../contract.ts'
import { threadQuery } from '../conversations/web/data.ts'
import { talkQuery } from '../conversations/web/deeds.ts'
import { type Held, holdRow, withHeld } from './held.ts'

/**
 * The list with the conversation that is open, where it was before it was read or answered and fits the filter no more: a row does not go from under
 * the eyes of who reads it. It says what the conversation beside it says.
 */
export const useHeld = (rows: Conversation[] | undefined, who: string | null, filter: string) => {
  const [held, setHeld] = useState<Held | null>(null)
  const now = holdRow(held, rows, who, filter)
  if (now !== held) setHeld(now)
  // asked for by the conversation that is open; the list asks for nothing more
  const enabled = now !== null
  const key = now?.row.key ?? ''
  const record = useQuery({ ...talkQuery(key), enabled }).data
  const thread = useInfiniteQuery({ ...threadQuery(key), enabled }).data
  return withHeld(rows, now, { record, items: thread?.pages.flatMap((page) => page.items) })
}
