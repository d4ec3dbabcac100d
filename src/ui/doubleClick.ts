import { useEffect, useState } from 'react'

/** The second of two fast clicks comes within this time. */
const doubleClickMs = 350

/** Which half of a double click is to be caught: the one that would close what has just opened, or the one that would hit what lay under it. */
export const useDoubleClickGuard = (open: boolean): 'opening' | 'closing' | null => {
  const [before, setBefore] = useState(false)
  const [guard, setGuard] = useState<'opening' | 'closing' | null>(null)
  if (open !== before) {
    setBefore(open)
    setGuard(open ? 'opening' : 'closing')
  }
  useEffect(() => {
    if (guard === null) return
    const timer = setTimeout(() => setGuard(null), doubleClickMs)
    return () => clearTimeout(timer)
  }, [guard])
  return guard
}
