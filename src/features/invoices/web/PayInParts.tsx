import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import type { PublicInvoice } from '../../payments/contract.ts'
import { openCheckoutForPart } from './data.ts'
import { PayPart } from './PayPart.tsx'
import type { PageTexts } from './pageTexts.ts'

type Props = { parts: NonNullable<PublicInvoice['parts']>; token: string; t: PageTexts; onReload: () => void }

/** Parts of an invoice that is more than is charged at once. */
export const PayInParts = ({ parts, token, t, onReload }: Props) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const pay = async (cents: number) => {
    setBusy(true)
    setProblem(null)
    try {
      window.location.assign((await openCheckoutForPart(token, cents)).url)
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof ApiError ? error.message : t.notOpened)
      onReload()
    }
  }
  return (
    <>
      {problem ? (
        <p className="pay__problem" role="alert">
          <IconAlertTriangle size={18} aria-hidden="true" /> {problem}
        </p>
      ) : null}
      <PayPart parts={parts} t={t} busy={busy} onPay={(cents) => void pay(cents)} />
    </>
  )
}
