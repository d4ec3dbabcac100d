import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { earnedDiscountCents, isForOthersToo, isWithoutCard } from '../../businesses/cashdiscount/rules.ts'
import { ClosedMonth, useClosedMonth } from '../closing/web/ClosedMonth.tsx'
import type { Invoice } from '../contract.ts'
import { pendingWords } from '../pending/rules.ts'
import { invoiceName, isFarAbove } from '../rules.ts'
import type { AlsoOpen } from '../together/contract.ts'
import { type PaymentDraft, useRecordPayment } from './data.ts'

/** The second half of a double click is no answer to what nobody has read. */
const readMs = 700

type Values = {
  method: PaymentDraft['method']
  amountCents: number | null
  tipCents: number | null
  cashDiscount: boolean
  /** The rest goes on the other open invoices. */
  others: boolean
  receivedOn: string | null
  note: string
  exceptionReason: string
}

/** How money that is recorded by hand came. */
export const waysToPay = [
  { value: 'check', label: 'Check' },
  { value: 'cash', label: 'Cash' },
  { value: 'ach', label: 'Bank' },
  { value: 'card', label: 'Card' },
  { value: 'other', label: 'Other' },
] as const

const isAmount = (cents: number | null): cents is number => cents !== null && cents > 0

/** "$601.00 is open on 2 other invoices" */
const othersOpen = ({ count, cents }: AlsoOpen): string =>
  `${formatCents(cents)} is open on ${count === 1 ? 'another invoice' : `${count.toLocaleString('en-US')} other invoices`}`

/** What an amount does to the balance; nothing is said of one that is none. */
const whatItPays = (
  came: number | null,
  tipCents: number,
  { balanceCents, customer, alsoOpen }: Invoice,
  offCents: number,
  others: boolean,
): string | undefined => {
  if (!isAmount(came) || came <= tipCents) return undefined
  const cents = came - tipCents
  if (cents === balanceCents) return 'Pays it in full.'
  if (offCents > 0) return `Pays ${others ? 'all that is open' : 'it in full'} with ${formatCents(offCents)} off.`
  if (cents < balanceCents) return `${formatCents(balanceCents - cents)} stays open.`
  const more = cents - balanceCents - (others ? (alsoOpen?.cents ?? 0) : 0)
  if (more > 0) return `${formatCents(more)} more than is open: it stands in the balance of ${customer.name}.`
  return more === 0 ? 'Pays all that is open.' : `Pays it in full; ${formatCents(-more)} stays open on the others.`
}

const Fields = ({ invoice, onDone }: { invoice: Invoice; onDone: () => void }) => {
  const today = useToday()
  const record = useRecordPayment(invoice.id)
  const form = useForm<Values>({
    defaultValues: {
      method: 'check',
      amountCents: invoice.balanceCents,
      tipCents: null,
      cashDiscount: true,
      others: true,
      receivedOn: today,
      note: '',
      exceptionReason: '',
    },
  })
  const [asked, setAsked] = useState<number | null>(null)
  const askedAt = useRef(0)
  const [method, amountCents, tipCents, receivedOn] = form.watch(['method', 'amountCents', 'tipCents', 'receivedOn'])
  const closed = useClosedMonth(receivedOn)
  const { alsoOpen } = invoice
  const forInvoices = (amountCents ?? 0) - (tipCents ?? 0)
  const offered = isWithoutCard(method) ? invoice.cashDiscount : null
  const isGiven = offered !== null && form.watch('cashDiscount')
  // what one check pays beside its invoice
  const isMore =
    alsoOpen !== null &&
    isForOthersToo(
      forInvoices,
      { cents: invoice.balanceCents, discountCents: isGiven ? offered.cents : 0 },
      { cents: alsoOpen.cents, discountCents: isGiven ? alsoOpen.discountCents : 0 },
    )
  const also = isMore && form.watch('others') ? alsoOpen : null
  const openCents = invoice.balanceCents + (also?.cents ?? 0)
  const more = (amountCents ?? 0) - openCents
  const earned = earnedDiscountCents(
    openCents,
    forInvoices,
    (offered?.cents ?? 0) + (offered ? (also?.discountCents ?? 0) : 0),
  )
  const offCents = form.watch('cashDiscount') ? earned : 0
  const submit = async ({ exceptionReason, ...values }: Values) => {
    if (!isAmount(values.amountCents))
      return form.setError(
        'amountCents',
        { message: values.amountCents === null ? 'How much came in?' : 'More than $0.00 came in.' },
        { shouldFocus: true },
      )
    if (!values.receivedOn) return form.setError('receivedOn', { message: 'On which day?' }, { shouldFocus: true })
    const refused = closed.problem(exceptionReason, 'receivedOn')
    if (refused) return form.setError(refused.name, refused, { shouldFocus: true })
    if ((values.tipCents ?? 0) > values.amountCents)
      return form.setError(
        'tipCents',
        { message: `Only ${formatCents(values.amountCents)} came in.` },
        { shouldFocus: true },
      )
    // A slip of the keys is asked about once; who presses again means it.
    if (isFarAbove(forInvoices, openCents)) {
      if (asked !== values.amountCents) {
        askedAt.current = performance.now()
        return setAsked(values.amountCents)
      }
      if (performance.now() - askedAt.current < readMs) return
    }
    const booked = await record.mutateAsync({
      ...values,
      others: also !== null,
      amountCents: values.amountCents,
      tipCents: values.tipCents ?? 0,
      receivedOn: values.receivedOn,
      ...(closed.isClosed ? { exceptionReason } : {}),
    })
    toast.success(
      booked.balanceCents > 0
        ? `${formatCents(booked.amountCents)} booked, ${formatCents(booked.balanceCents)} still open`
        : booked.invoiceCount > 1
          ? `${formatCents(booked.amountCents)} booked on ${booked.invoiceCount} invoices`
          : `${invoiceName(invoice.number)} is paid`,
    )
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="Record payment">
      <FormField control={form.control} name="method">
        {(f) => <RadioField {...f} label="How it came" row options={waysToPay} />}
      </FormField>
      <FieldGrid min={180}>
        <FormField control={form.control} name="amountCents">
          {(f) => (
            <MoneyField
              {...f}
              label="Amount"
              hint={whatItPays(amountCents, tipCents ?? 0, invoice, offCents, also !== null)}
            />
          )}
        </FormField>
        <FormField control={form.control} name="receivedOn">
          {(f) => <DateField {...f} label="Received on" today={today} max={today} />}
        </FormField>
      </FieldGrid>
      {alsoOpen ? (
        isMore ? (
          <FormField control={form.control} name="others">
            {(f) => (
              <CheckboxField
                {...f}
                label={
                  forInvoices > invoice.balanceCents
                    ? 'The rest is for their other open invoices'
                    : 'It is for their other open invoices too'
                }
                hint={`${othersOpen(alsoOpen)}: the oldest is paid first, with one receipt over all of it.`}
              />
            )}
          </FormField>
        ) : (
          <p className="hint">
            {othersOpen(alsoOpen)}. One check for all of it?{' '}
            <Button
              size="s"
              kind="quiet"
              onClick={() => {
                form.setValue('others', true)
                form.setValue('amountCents', invoice.balanceCents + alsoOpen.cents)
              }}
            >
              Make it {formatCents(invoice.balanceCents + alsoOpen.cents)}
            </Button>
          </p>
        )
      ) : null}
      {offered && earned > 0 ? (
        <FormField control={form.control} name="cashDiscount">
          {(f) => (
            <CheckboxField
              {...f}
              label={`${offered.percent} off for paying without a card`}
              hint={`${formatCents(earned)} is credited, so nothing stays open. If the payment goes back, so does the discount.`}
            />
          )}
        </FormField>
      ) : offered ? (
        <p className="hint">
          With {offered.percent} off for paying without a card,{' '}
          {formatCents(openCents - offered.cents - (also?.discountCents ?? 0))} pays {also ? 'all of it' : 'it in full'}
          .
        </p>
      ) : null}
      {invoice.takesTips && (more > 0 || tipCents) ? (
        <FormField control={form.control} name="tipCents">
          {(f) => (
            <MoneyField
              {...f}
              label="Of it, tip for the crew"
              optional
              hint={more > 0 && !tipCents ? `${formatCents(more)} more came than is open. Was it a tip?` : undefined}
            />
          )}
        </FormField>
      ) : null}
      {invoice.pending ? (
        <Banner tone="info">
          {pendingWords(invoice.pending)} Record what came in beside it; what is too much in the end becomes credit.
        </Banner>
      ) : null}
      <ClosedMonth closed={closed} day={receivedOn} onToday={() => form.setValue('receivedOn', today)} />
      <FormField control={form.control} name="note">
        {(f) => (
          <TextField
            {...f}
            label="Note"
            optional
            maxLength={300}
            placeholder={method === 'check' ? 'Check number' : 'Anything to remember'}
          />
        )}
      </FormField>
      {amountCents !== null && asked === amountCents ? (
        <Banner
          tone="warn"
          title={`Did ${formatCents(amountCents)} come in?`}
          action={
            openCents > 0 ? (
              <Button onClick={() => form.setValue('amountCents', openCents)}>Make it {formatCents(openCents)}</Button>
            ) : (
              <Button onClick={onDone}>No, it is recorded</Button>
            )
          }
        >
          {openCents > 0
            ? `Only ${formatCents(openCents)} is open${also ? ', the other invoices included' : ''}. Nothing is recorded yet: correct the amount, or record it as it is.`
            : `${invoiceName(invoice.number)} was paid meanwhile. Nothing more is recorded yet: if this is other money, record it, and it becomes credit.`}
        </Banner>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {isAmount(amountCents)
            ? `${asked === amountCents ? 'Yes, record' : 'Record'} ${formatCents(amountCents)}`
            : 'Record payment'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Money that came outside: cash, a check, a transfer. */
export const RecordPayment = ({ invoice, open, onClose }: { invoice: Invoice; open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title={`Payment for ${invoiceName(invoice.number)}`} closeOnOutside={false}>
    <Fields key={String(open)} invoice={invoice} onDone={onClose} />
  </Dialog>
)
