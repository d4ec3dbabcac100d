import type { PublicInvoice } from '../../payments/contract.ts'
import { openCheckoutForPart } from './data.ts'
import { PayPart } from './PayPart.tsx'
import { PayProblem } from './PayProblem.tsx'
import type { PageTexts } from './pageTexts.ts'
import { useOpening } from './useOpening.ts'

type Props = { parts: NonNullable<PublicInvoice['parts']>; token: string; t: PageTexts; onReload: () => void }

/** Parts of an invoice that is more than is charged at once. */
export const PayInParts = ({ parts, token, t, onReload }: Props) => {
  const { busy, problem, open } = useOpening(t.notOpened, onReload)
  return (
    <>
      <PayProblem problem={problem} />
      <PayPart
        alone
        parts={parts}
        t={t}
        busy={busy}
        onPay={(cents) => void open(() => openCheckoutForPart(token, cents))}
      />
    </>
  )
}
