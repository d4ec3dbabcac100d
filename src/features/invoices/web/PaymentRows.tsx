import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { IconArrowBackUp, IconCash } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import type { Invoice } from '../contract.ts'
import { type PaymentOf, usePaymentDialogs } from './MoneyDialogs.tsx'
import { methodLabel } from './timeline.ts'

type Row = PaymentOf & { note: string; can: { reverse: boolean; refund: boolean } }

/** One payment or credit, with what can be done about it. */
export const PaymentRow = ({ payment, cents }: { payment: Row; cents: number }) => {
  const { ask, dialogs } = usePaymentDialogs(payment)
  const { can } = payment
  return (
    <li>
      <span className="panel-rows__main">
        <b>{payment.creditNote ? `Credit ${payment.creditNote}` : `Paid by ${methodLabel[payment.method]}`}</b>
        <span className="muted">
          {[
            formatDay(payment.receivedOn),
            payment.note,
            payment.amountCents === cents ? '' : `of ${formatCents(payment.amountCents)}`,
            payment.refundedCents > 0 ? `${formatCents(payment.refundedCents)} went back` : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="panel-rows__side">
        <Money cents={cents} />
        {can.reverse || can.refund ? (
          <MoreMenu
            label={`More for ${formatCents(payment.amountCents)} of ${formatDay(payment.receivedOn)}`}
            width={250}
            items={[
              can.refund && { label: 'Refund…', icon: <IconCash size={18} />, onClick: () => ask('refund') },
              can.reverse && {
                label: payment.creditNote ? 'Take this credit back…' : 'Recorded by mistake…',
                icon: <IconArrowBackUp size={18} />,
                onClick: () => ask('reverse'),
              },
            ]}
          />
        ) : null}
      </span>
      {dialogs}
    </li>
  )
}

/** What paid an invoice. */
export const PaymentRows = ({ invoice }: { invoice: Invoice }) =>
  invoice.payments.length === 0 ? null : (
    <section>
      <h3>{invoice.payments.length === 1 ? 'Payment' : 'Payments'}</h3>
      <ul className="panel-rows">
        {invoice.payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} cents={payment.allocatedCents} />
        ))}
      </ul>
    </section>
  )
