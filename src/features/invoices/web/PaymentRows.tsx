import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import type { HandedRefund } from '../../../shared/handedRefund.ts'
import { formatCents } from '../../../shared/money.ts'
import { IconArrowBackUp, IconCash, IconDownload } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import type { Invoice } from '../contract.ts'
import { papersApi } from '../papers/contract.ts'
import { invoiceName } from '../rules.ts'
import { downloadPaper } from './data.ts'
import { type PaymentOf, TakeRefundBack, usePaymentDialogs } from './PaymentDialogs.tsx'
import { methodLabel } from './timeline.ts'

type Row = PaymentOf & {
  note: string
  receipt: string | null
  /** It was paid ahead for the work of a quote or a job. */
  deposit?: boolean
  /** The job that it is a deposit for. */
  job?: { number: number; title: string } | null
  /** The quote that it is a deposit for. */
  quote?: { number: number; title: string } | null
  /** What the provider was asked to give back and has not answered for. */
  returningCents?: number
  can: { reverse: boolean; refund: boolean; takeOff?: boolean }
}

/** One payment or credit, with what can be done about it. */
export const PaymentRow = ({
  payment,
  cents,
  invoice,
}: {
  payment: Row
  cents: number
  /** The invoice beside which it stands. */
  invoice?: Pick<Invoice, 'id' | 'number' | 'status'>
}) => {
  const { ask, dialogs } = usePaymentDialogs({ payment, cents, invoice })
  const may = useMay()
  const { can, creditNote, job, quote, returningCents: waiting = 0 } = payment
  const paper = may(papersApi.paymentPdf) ? (creditNote ?? payment.receipt) : null
  return (
    <li>
      <span className="panel-rows__main">
        <b>
          {creditNote
            ? `Credit ${creditNote}`
            : `${payment.deposit ? 'Deposit paid' : job || quote ? 'Deposit' : 'Paid'} by ${methodLabel[payment.method]}`}
        </b>
        <span className="muted">
          {[
            formatDay(payment.receivedOn),
            job ? `for #${job.number} ${job.title}` : '',
            quote ? `for Q-${quote.number} ${quote.title}` : '',
            payment.note,
            payment.amountCents === cents ? '' : `of ${formatCents(payment.amountCents)}`,
            payment.tipCents > 0 ? `with a tip of ${formatCents(payment.tipCents)}` : '',
            payment.refundedCents > waiting ? `${formatCents(payment.refundedCents - waiting)} went back` : '',
            waiting > 0 ? `${formatCents(waiting)} is on its way back` : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="panel-rows__side">
        <Money cents={cents} />
        {paper || can.reverse || can.refund || (invoice && can.takeOff && cents > 0) ? (
          <MoreMenu
            label={`More for ${formatCents(payment.amountCents)} of ${formatDay(payment.receivedOn)}`}
            width={250}
            items={[
              paper !== null && {
                label: creditNote ? `Credit note ${paper}` : `Receipt ${paper}`,
                icon: <IconDownload size={18} />,
                onClick: () => void downloadPaper({ id: payment.id, name: paper }).catch(toast.error),
              },
              can.refund && { label: 'Refund…', icon: <IconCash size={18} />, onClick: () => ask('refund') },
              invoice &&
                can.takeOff &&
                cents > 0 && {
                  label: `Take it off ${invoiceName(invoice.number)}…`,
                  icon: <IconArrowBackUp size={18} />,
                  onClick: () => ask('takeOff'),
                },
              can.reverse && {
                label: 'Take back…',
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

const RefundRow = ({ refund }: { refund: HandedRefund }) => {
  const [asked, setAsked] = useState(false)
  return (
    <li>
      <span className="panel-rows__main">
        <b>Refunded by {methodLabel[refund.method]}</b>
        <span className="muted">{[formatDay(refund.onDay), refund.reason].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="panel-rows__side">
        <Money cents={-refund.amountCents} />
        {refund.can.takeBack ? (
          <MoreMenu
            label={`More for the refund of ${formatCents(refund.amountCents)} of ${formatDay(refund.onDay)}`}
            width={250}
            items={[
              {
                label: 'Take the refund back…',
                icon: <IconArrowBackUp size={18} />,
                onClick: () => setAsked(true),
              },
            ]}
          />
        ) : null}
      </span>
      <TakeRefundBack refund={refund} open={asked} onClose={() => setAsked(false)} />
    </li>
  )
}

/** What was handed back, each of which may have been a mistake. */
export const RefundRows = ({ refunds }: { refunds: readonly HandedRefund[] }) =>
  refunds.length === 0 ? null : (
    <section>
      <h3>{refunds.length === 1 ? 'Refund' : 'Refunds'}</h3>
      <ul className="panel-rows">
        {refunds.map((refund) => (
          <RefundRow key={refund.id} refund={refund} />
        ))}
      </ul>
    </section>
  )

/** What paid an invoice. */
export const PaymentRows = ({ invoice }: { invoice: Invoice }) =>
  invoice.payments.length === 0 ? null : (
    <section>
      <h3>{invoice.payments.length === 1 ? 'Payment' : 'Payments'}</h3>
      <ul className="panel-rows">
        {invoice.payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} cents={payment.allocatedCents} invoice={invoice} />
        ))}
      </ul>
    </section>
  )
