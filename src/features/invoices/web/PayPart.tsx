import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { IconLock } from '../../../ui/icons.ts'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import type { PublicInvoice } from '../../payments/contract.ts'
import type { PageTexts } from './pageTexts.ts'

type Props = {
  parts: NonNullable<PublicInvoice['parts']>
  t: PageTexts
  busy: boolean
  onPay: (cents: number) => void
  /** Whether the field is open: it is the one thing to press then. */
  onAsking?: (asking: boolean) => void
  /** There is no way to pay all of it at once: a part is all that is asked for. */
  alone?: boolean
}

/** A part of what is open, where the business lets its customers choose one: asked for only by who wants it. */
export const PayPart = ({ parts, t, busy, onPay, onAsking, alone = false }: Props) => {
  const [asking, show] = useState(alone)
  const setAsking = (next: boolean) => {
    show(next)
    onAsking?.(next)
  }
  const [cents, setCents] = useState<number | null>(null)
  const [problem, setProblem] = useState<string>()
  const range = [formatCents(parts.leastCents), formatCents(parts.mostCents)] as const
  if (!asking)
    return (
      <button type="button" className="pay__quiet" onClick={() => setAsking(true)}>
        {t.payPart}
      </button>
    )
  const fits = cents !== null && cents >= parts.leastCents && cents <= parts.mostCents
  return (
    <div className="pay__part">
      <MoneyField
        label={t.partAsked}
        value={cents}
        autoFocus={!alone}
        error={problem}
        hint={t.partRange(...range)}
        onChange={(typed) => {
          setCents(typed)
          setProblem(undefined)
        }}
      />
      <button
        type="button"
        className="pay__button"
        aria-busy={busy || undefined}
        onClick={busy ? undefined : () => (fits ? onPay(cents) : setProblem(t.partWrong(...range)))}
      >
        {busy ? <Spinner size={20} /> : <IconLock size={19} aria-hidden="true" />}
        {fits ? t.payNow(formatCents(cents)) : t.payPart}
      </button>
      {alone ? null : (
        <button type="button" className="pay__quiet" onClick={() => setAsking(false)}>
          {t.payAllAfter}
        </button>
      )}
    </div>
  )
}
