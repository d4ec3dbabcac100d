import { useEffect, useRef } from 'react'
import type { Lead } from '../../contract.ts'
import { useMarkSeen } from './data.ts'

/** Whoever opens a lead has seen what is new of it; said once an opening, and nothing is shown when that fails: it stays news. */
export const useSeen = (lead: Lead, open = true): void => {
  const { mutate } = useMarkSeen()
  const said = useRef<string | null>(null)
  useEffect(() => {
    if (!open || !lead.unread || said.current === lead._id + lead.unread) return
    said.current = lead._id + lead.unread
    mutate(lead._id)
  }, [open, lead, mutate])
}
