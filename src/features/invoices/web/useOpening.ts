import { useEffect, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'

/** Leads to a payment page; what keeps it from opening is said, and the invoice asked for again: it may have changed. */
export const useOpening = (notOpened: string, onReload: () => void) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    // Back from the checkout without paying: the browser shows this page as it was left.
    const back = (event: PageTransitionEvent) => event.persisted && setBusy(false)
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [])
  const open = async (ask: () => Promise<{ url: string }>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      window.location.assign((await ask()).url)
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof ApiError ? error.message : notOpened)
      onReload()
    }
  }
  return { busy, problem, open }
}
