import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { publicInvoiceQuery, syncPayment } from './data.ts'

/** Whether what was paid is in the books: all of it, or the part after which so much is left. */
export const isSettled = (invoice: { status: string; balanceCents: number }, leftCents: number | null): boolean =>
  invoice.status === 'paid' || (leftCents !== null && invoice.balanceCents <= leftCents)

const everyMs = 1_500
const longestMs = 30_000

/**
 * Back from the checkout: asks the provider's word until the money is in the books, or on its way from a bank. Where it is in them already, that is
 * the end at once.
 * @returns `asking` meanwhile, `late` after half a minute without an answer, `closed` where the page ended and nothing came by it, `idle` when
 * there is nothing to wait for
 */
export const useConfirmation = (
  token: string,
  { isBack, isDone }: { isBack: boolean; isDone: boolean },
  leftCents: number | null,
  onPaid: () => void,
) => {
  const client = useQueryClient()
  const [phase, setPhase] = useState<'idle' | 'asking' | 'late' | 'closed'>(isBack && !isDone ? 'asking' : 'idle')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what stood there when its payer came back
  useEffect(() => {
    if (isBack && isDone) onPaid()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what to do at the end does not begin it anew
  useEffect(() => {
    if (phase !== 'asking') return
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const until = Date.now() + longestMs
    const ask = async () => {
      const invoice = await syncPayment(token).catch(() => null)
      if (over) return
      if (invoice) client.setQueryData(publicInvoiceQuery(token).queryKey, invoice)
      if (invoice && (isSettled(invoice, leftCents) || invoice.pending)) {
        setPhase('idle')
        onPaid()
      } else if (invoice && !invoice.pageOpen) setPhase('closed')
      else if (Date.now() >= until) setPhase('late')
      else timer = setTimeout(ask, everyMs)
    }
    void ask()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [phase, token, client])
  return { phase, again: () => setPhase('asking'), stop: () => setPhase('idle') }
}
