import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCash, IconFileText, IconPlus } from '../../../ui/icons.ts'
import { useMay } from '../../accounts/web/session.ts'
import { CardOnFile } from '../../payments/cards/web/CardOnFile.tsx'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { creditsApi } from '../../payments/credits/contract.ts'
import { DisputesOf } from '../../payments/disputes/web/DisputesOf.tsx'
import { exemptionsApi } from '../exemptions/contract.ts'
import { ExemptionDialog } from '../exemptions/web/ExemptionDialog.tsx'
import { statementsApi } from '../statements/contract.ts'
import { RecordDeposit } from './DepositDialog.tsx'
import { creditsQuery } from './data.ts'
import { GiveCredit } from './MoneyDialogs.tsx'
import { PaymentRow, RefundRows } from './PaymentRows.tsx'
import { StatementDialog } from './StatementDialog.tsx'

type Props = { customerId: string; exemption: boolean; onExemption: (open: boolean) => void }

/** What of one customer's money lies on no invoice, above their invoices. */
export const CustomerCredit = ({ customerId, exemption, onExemption }: Props) => {
  const may = useMay()
  const found = useQuery(creditsQuery(customerId))
  const [giving, setGiving] = useState(false)
  const [paying, setPaying] = useState(false)
  const [reading, setReading] = useState(false)
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the credit"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return null
  const { creditCents, items, customerName, useCredit } = found.data
  return (
    <Card className="inv-credit">
      <header>
        <h2>{creditCents > 0 ? `${formatCents(creditCents)} of credit` : 'No credit'}</h2>
        <span className="inv-credit__tools">
          {may(statementsApi.get) ? (
            <Button size="s" icon={<IconFileText />} onClick={() => setReading(true)}>
              Statement
            </Button>
          ) : null}
          {may(exemptionsApi.list) ? (
            <Button size="s" onClick={() => onExemption(true)}>
              Tax exemption
            </Button>
          ) : null}
          {may(creditsApi.recordDeposit) ? (
            <Button calls={creditsApi.recordDeposit} size="s" icon={<IconCash />} onClick={() => setPaying(true)}>
              Record deposit
            </Button>
          ) : null}
          {may(correctionsApi.giveCredit) ? (
            <Button calls={correctionsApi.giveCredit} size="s" icon={<IconPlus />} onClick={() => setGiving(true)}>
              Give credit
            </Button>
          ) : null}
        </span>
      </header>
      {items.length > 0 ? (
        <>
          <p className="muted">
            {useCredit
              ? 'It goes on the next invoice by itself; a deposit waits for invoices of its own work.'
              : 'Open an invoice and press “Use credit” to put it there. A deposit goes on invoices of its own work by itself, the oldest first.'}
          </p>
          <ul className="panel-rows">
            {items.map(({ paymentId, restCents, ...payment }) => (
              <PaymentRow key={paymentId} payment={{ id: paymentId, ...payment }} cents={restCents} />
            ))}
          </ul>
        </>
      ) : (
        <p className="muted">What {customerName} pays too much, or you credit, waits here as their credit.</p>
      )}
      <RefundRows refunds={found.data.handedRefunds} />
      <DisputesOf of={{ customerId }} />
      <CardOnFile customer={{ id: customerId, name: customerName }} />
      <StatementDialog
        customer={{ id: customerId, name: customerName }}
        open={reading}
        onClose={() => setReading(false)}
      />
      <ExemptionDialog
        customer={{ id: customerId, name: customerName }}
        open={exemption}
        onClose={() => onExemption(false)}
      />
      <RecordDeposit customer={{ id: customerId, name: customerName }} open={paying} onClose={() => setPaying(false)} />
      <GiveCredit customer={{ id: customerId, name: customerName }} open={giving} onClose={() => setGiving(false)} />
    </Card>
  )
}
