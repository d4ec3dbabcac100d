import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Day } from '../../../shared/dates.ts'
import type { HandedRefund } from '../../../shared/handedRefund.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { ClosedMonth, useClosedMonth } from '../closing/web/ClosedMonth.tsx'
import type { Invoice } from '../contract.ts'
import { goesBackByItself, refundableCents, tooMuch } from '../corrections/rules.ts'
import { invoiceName, isOpen } from '../rules.ts'
import { namedInvoices } from '../words/rules.ts'
import { useCorrection } from './data.ts'
import { type Asked, InDialog, ReasonFields } from './ReasonDialog.tsx'

export type PaymentOf = {
  id: string
  method: Invoice['payments'][number]['method']
  provider: string
  amountCents: number
  refundedCents: number
  tipCents: number
  receivedOn: Day
  creditNote: string | null
  /** The invoices that it pays, by number. */
  pays: readonly number[]
}

const nameOf = (payment: PaymentOf): string =>
  payment.creditNote ?? `the payment of ${formatCents(payment.amountCents)}`

const openAgain = ({ pays }: PaymentOf): string =>
  pays.length === 0 ? '' : `, and what it paid of ${namedInvoices(pays)} is open again`

/** A payment that never came, or a credit that was not meant. */
export const ReversePayment = ({ payment, open, onClose }: Asked & { payment: PaymentOf }) => {
  const reverse = useCorrection('reversePayment', payment.id)
  return (
    <InDialog open={open} onClose={onClose} title={`Take back ${nameOf(payment)}?`}>
      <ReasonFields
        intro={
          <>
            {payment.creditNote
              ? `For a credit that was not meant: it is gone${openAgain(payment)}.`
              : `For what was recorded by mistake: as if it had not come in${openAgain(payment)}. No money moves; for money that goes back, use Refund.`}{' '}
            It stays on the record with your reason.
          </>
        }
        label="Take back"
        placeholder="The check was somebody else’s"
        verb={`Take back ${formatCents(payment.amountCents)}`}
        danger
        onSend={async (reason) => {
          const { invoices } = await reverse.mutateAsync({ reason })
          return invoices.length > 0
            ? `Taken back. Open again: ${invoices.map(({ number }) => invoiceName(number)).join(', ')}`
            : 'Taken back'
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}

/** Money that was never handed back. */
export const TakeRefundBack = ({ refund, open, onClose }: Asked & { refund: HandedRefund }) => {
  const takeBack = useCorrection('takeRefundBack', refund.id)
  const sum = formatCents(refund.amountCents)
  return (
    <InDialog open={open} onClose={onClose} title={`Take back the refund of ${sum}?`}>
      <ReasonFields
        intro="For a refund that was recorded by mistake: the money counts as never given back, and pays its invoices again as far as they are open; the rest is credit. No money moves. It stays on the record with your reason."
        label="Take back the refund"
        placeholder="It was for another customer"
        verb="Take it back"
        danger
        onSend={async (reason) => {
          const { creditCents } = await takeBack.mutateAsync({ reason })
          return creditCents > 0 ? `Taken back. They have ${formatCents(creditCents)} of credit.` : 'Taken back'
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}

/** Money that lies on the wrong invoice: it stays the customer's credit. */
const TakeOff = ({
  payment,
  cents,
  invoice,
  open,
  onClose,
}: Asked & RefundOf & { invoice: { id: string; number: number } }) => {
  const takeOff = useCorrection('takeOff', payment.id)
  const name = invoiceName(invoice.number)
  return (
    <InDialog open={open} onClose={onClose} title={`Take ${formatCents(cents)} off ${name}?`}>
      <ReasonFields
        intro={`${name} is open again by ${formatCents(cents)}, and the money stays the customer’s credit: put it on another invoice, or refund it. No money moves.`}
        label="Take it off"
        placeholder="The credit is meant for the fall cleanup"
        verb={`Take ${formatCents(cents)} off`}
        onSend={async (reason) => {
          await takeOff.mutateAsync({ invoiceId: invoice.id, reason })
          return `${formatCents(cents)} is off ${name} and is their credit now`
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}

/** `cents` is what of the payment stands where it was pressed: unused, or on the invoice. */
type RefundOf = {
  payment: PaymentOf
  cents: number
  invoice?: Pick<Invoice, 'id' | 'number' | 'status'> | undefined
}

type RefundValues = {
  amountCents: number | null
  reason: string
  method: 'provider' | 'ach' | 'check' | 'cash' | 'other'
  onDay: Day | null
  credit: boolean
  withTip: boolean
  exceptionReason: string
}

/** Work that was paid in full and is given back for is rarely owed again; what still waits for money is, unless somebody says so. */
const beginsCredited = (invoice: RefundOf['invoice']): boolean => invoice !== undefined && !isOpen(invoice.status)

/** What a refund does to what the money had paid. */
const effectOf = (isCredited: boolean, invoice: RefundOf['invoice']): string => {
  const name = invoice ? invoiceName(invoice.number) : 'an invoice'
  const does = isCredited
    ? `what it paid of ${name} is credited, by a new credit note or by credit that was given for it before.`
    : `${name} is open by so much more, and asks for it.`
  if (!invoice) return `Only where more goes back than lies on no invoice: ${does}`
  return `${isCredited ? 'They get the money and owe nothing for it' : 'They owe it again'}: ${does}`
}

const RefundFields = ({ payment, cents: shown, invoice, onClose }: RefundOf & { onClose: () => void }) => {
  const today = useToday()
  const refund = useCorrection('refundPayment', payment.id)
  // the tip goes back by a mark of its own, with the rest or alone
  const most = refundableCents(payment) - payment.tipCents
  const byProvider = goesBackByItself(payment)
  const form = useForm<RefundValues>({
    defaultValues: {
      amountCents: Math.min(shown, most),
      reason: '',
      method: byProvider
        ? 'provider'
        : payment.method === 'credit' || payment.method === 'card'
          ? 'other'
          : payment.method,
      onDay: today,
      credit: beginsCredited(invoice),
      withTip: false,
      exceptionReason: '',
    },
  })
  const [cents, method, day, withTip, isCredited] = form.watch(['amountCents', 'method', 'onDay', 'withTip', 'credit'])
  const tipCents = withTip ? payment.tipCents : 0
  const closed = useClosedMonth(day)
  const submit = async ({ amountCents: typed, reason, method: way, onDay, credit, exceptionReason }: RefundValues) => {
    const amountCents = (typed ?? 0) + tipCents
    if (amountCents <= 0 || (typed ?? 0) > most)
      return form.setError(
        'amountCents',
        {
          message:
            (typed ?? 0) > most ? tooMuch(most, 'so much of it has not gone back yet') : 'How much? More than $0.00.',
        },
        { shouldFocus: true },
      )
    if (!onDay) return form.setError('onDay', { message: 'On which day?' }, { shouldFocus: true })
    if (!reason.trim())
      return form.setError('reason', { message: 'Say why: it stands on the record.' }, { shouldFocus: true })
    const refused = closed.problem(exceptionReason, 'onDay')
    if (refused) return form.setError(refused.name, refused, { shouldFocus: true })
    const answer = await refund.mutateAsync({
      amountCents,
      ...(payment.tipCents > 0 ? { tipCents } : {}),
      reason,
      method: way,
      onDay,
      creditInvoices: credit,
      ...(invoice ? { invoiceId: invoice.id } : {}),
      ...(closed.isClosed ? { exceptionReason } : {}),
    })
    const open = answer.invoices.filter(({ balanceCents }) => balanceCents > 0)
    toast.success(
      `${formatCents(amountCents)} ${way === 'provider' ? 'is on its way back' : 'refunded'}${
        open.length > 0 ? `. Open again: ${open.map(({ number }) => invoiceName(number)).join(', ')}` : ''
      }`,
    )
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Refund">
      <FormField control={form.control} name="method">
        {(f) => (
          <RadioField
            {...f}
            label="How it goes back"
            row
            options={[
              ...(byProvider
                ? [
                    {
                      value: 'provider' as const,
                      label: payment.method === 'ach' ? 'To the bank account' : 'To the card',
                    },
                  ]
                : []),
              { value: 'check', label: 'Check' },
              { value: 'cash', label: 'Cash' },
              { value: 'ach', label: 'Bank' },
              { value: 'other', label: 'Other' },
            ]}
          />
        )}
      </FormField>
      <FieldGrid min={180}>
        <FormField control={form.control} name="amountCents">
          {(f) => (
            <MoneyField
              {...f}
              label="Amount"
              hint={`At most ${formatCents(most)}. What pays no invoice goes first, then what is on ${
                invoice ? `${invoiceName(invoice.number)}, then on its other invoices` : 'the newest invoice'
              }.`}
            />
          )}
        </FormField>
        <FormField control={form.control} name="onDay">
          {(f) => <DateField {...f} label="On" today={today} max={today} />}
        </FormField>
      </FieldGrid>
      <ClosedMonth closed={closed} day={day} onToday={() => form.setValue('onDay', today)} />
      <FormField control={form.control} name="reason">
        {(f) => <TextField {...f} label="Why" placeholder="Paid twice" maxLength={300} />}
      </FormField>
      <FormField control={form.control} name="credit">
        {(f) => <CheckboxField {...f} label="They do not owe it again" hint={effectOf(isCredited, invoice)} />}
      </FormField>
      {payment.tipCents > 0 ? (
        <FormField control={form.control} name="withTip">
          {(f) => (
            <CheckboxField
              {...f}
              label={`The tip of ${formatCents(payment.tipCents)} goes back too`}
              hint="It comes on top of the amount and is taken off what the crew is owed. For the tip alone, make the amount $0.00."
            />
          )}
        </FormField>
      ) : null}
      {method === 'provider' ? null : <p className="hint">Swath books it; you hand it over.</p>}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Refund {formatCents((cents ?? 0) + tipCents)}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Money that goes back to the customer. */
export const RefundPayment = ({ open, onClose, ...of }: Asked & RefundOf) => (
  <InDialog open={open} onClose={onClose} title={`Refund ${nameOf(of.payment)}`}>
    <RefundFields {...of} onClose={onClose} />
  </InDialog>
)

/** What can be done with one payment, beside it. */
export const usePaymentDialogs = ({ payment, ...at }: RefundOf) => {
  const [asked, setAsked] = useState<'reverse' | 'refund' | 'takeOff' | null>(null)
  const onClose = () => setAsked(null)
  return {
    ask: setAsked,
    dialogs: (
      <>
        <ReversePayment payment={payment} open={asked === 'reverse'} onClose={onClose} />
        <RefundPayment payment={payment} {...at} open={asked === 'refund'} onClose={onClose} />
        {at.invoice ? (
          <TakeOff
            payment={payment}
            cents={at.cents}
            invoice={at.invoice}
            open={asked === 'takeOff'}
            onClose={onClose}
          />
        ) : null}
      </>
    ),
  }
}
