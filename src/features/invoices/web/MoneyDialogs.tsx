import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { Button, type ButtonProps } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Corrected, correctionsApi } from '../../payments/corrections/contract.ts'
import type { Invoice } from '../contract.ts'
import { tooMuch } from '../corrections/rules.ts'
import { invoiceName } from '../rules.ts'
import { useCorrection, useWriteOff } from './data.ts'
import { type Asked, InDialog, ReasonFields } from './ReasonDialog.tsx'

type Values = { amountCents: number | null; reason: string; tell: boolean }

type FieldsProps = {
  intro: ReactNode
  label: string
  /** What the amount may not go past, with the words of what that is, and what it begins with; null where nothing bounds it. */
  most: { cents: number; of: string; first: number } | null
  /** Null where nobody has to say why. */
  reason: { label: string; placeholder: string } | null
  /** What the amount does, under its field. */
  effect?: (cents: number) => string | undefined
  verb: (cents: number) => string
  /** Who may have it by mail or text; null where that is said elsewhere. */
  tell?: string
  calls: ButtonProps['calls']
  onSend: (amountCents: number, reason: string, tell: boolean) => Promise<Corrected>
  done: (answer: Corrected) => string
  onClose: () => void
}

/** An amount and why: what every setting right of money asks for. */
const AmountFields = ({
  intro,
  label,
  most,
  reason,
  effect,
  verb,
  tell,
  calls,
  onSend,
  done,
  onClose,
}: FieldsProps) => {
  const form = useForm<Values>({ defaultValues: { amountCents: most?.first ?? null, reason: '', tell: true } })
  const cents = form.watch('amountCents')
  const submit = async (values: Values) => {
    const refused =
      values.amountCents === null || values.amountCents <= 0
        ? 'How much? More than $0.00.'
        : most && values.amountCents > most.cents
          ? tooMuch(most.cents, most.of)
          : null
    if (refused) return form.setError('amountCents', { message: refused }, { shouldFocus: true })
    if (reason && !values.reason.trim())
      return form.setError('reason', { message: 'Say why: it stands on the record.' }, { shouldFocus: true })
    toast.success(done(await onSend(values.amountCents ?? 0, values.reason, values.tell)))
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label={label}>
      <p className="muted">{intro}</p>
      <FormField control={form.control} name="amountCents">
        {(f) => (
          <MoneyField
            {...f}
            label="Amount"
            hint={cents && !(most && cents > most.cents) ? effect?.(cents) : undefined}
          />
        )}
      </FormField>
      {reason ? (
        <FormField control={form.control} name="reason">
          {(f) => <TextField {...f} label={reason.label} placeholder={reason.placeholder} maxLength={300} />}
        </FormField>
      ) : null}
      {tell ? (
        <FormField control={form.control} name="tell">
          {(f) => (
            <CheckboxField {...f} label={`Send ${tell} the credit note`} hint="They read the reason as you wrote it." />
          )}
        </FormField>
      ) : null}
      <FormActions>
        <Button calls={calls} type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {verb(cents ?? 0)}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What was done, and then how it stands: a sum that is still open alone reads as if nothing had been done. */
export const stands = ({ creditNote, amountCents, creditCents, invoices: [invoice] }: Corrected): string => {
  const sum = formatCents(amountCents)
  const made = creditNote ? `${creditNote} over ${sum}.` : `${sum} of credit used.`
  if (!invoice) return `${made} ${formatCents(creditCents)} of credit is there now`
  const name = invoiceName(invoice.number)
  if (invoice.balanceCents > 0) return `${made} ${formatCents(invoice.balanceCents)} of ${name} is still open`
  return `${made} ${creditNote ? `Nothing of ${name} is open any more` : `${name} is paid`}`
}

/** A credit note: part or all of an issued invoice is not asked for any more. */
export const CreditInvoice = ({ invoice, open, onClose }: Asked & { invoice: Invoice }) => {
  const send = useCorrection('creditInvoice', invoice.id)
  const { balanceCents, totalCents, customer } = invoice
  return (
    <InDialog open={open} onClose={onClose} title={`Credit note for ${invoiceName(invoice.number)}`}>
      <AmountFields
        intro={
          <>
            The invoice stays as it was sent. The note lowers what is open on it; what is more becomes credit of{' '}
            {customer.name}. Sales tax goes down in proportion.
          </>
        }
        label="Credit note"
        most={{
          cents: totalCents,
          of: `${invoiceName(invoice.number)} is over so much`,
          first: balanceCents > 0 ? balanceCents : totalCents,
        }}
        calls={correctionsApi.creditInvoice}
        reason={{ label: 'Why', placeholder: 'The back yard was not mowed' }}
        effect={(cents) =>
          cents > balanceCents
            ? `${formatCents(cents - balanceCents)} becomes credit for later.`
            : cents === balanceCents
              ? 'Nothing stays open.'
              : `${formatCents(balanceCents - cents)} stays open.`
        }
        verb={(cents) => `Credit ${formatCents(cents)}`}
        tell={customer.name}
        onSend={(amountCents, reason, tell) => send.mutateAsync({ amountCents, reason, tell })}
        done={stands}
        onClose={onClose}
      />
    </InDialog>
  )
}

/** Credit that no invoice asks for. */
export const GiveCredit = ({ customer, open, onClose }: Asked & { customer: { id: string; name: string } }) => {
  const send = useCorrection('giveCredit', customer.id)
  return (
    <InDialog open={open} onClose={onClose} title={`Give ${customer.name} credit`}>
      <AmountFields
        intro="For a broken sprinkler or a friend they sent. You put it on an invoice when you want."
        label="Give credit"
        most={null}
        calls={correctionsApi.giveCredit}
        reason={{ label: 'Why', placeholder: 'The mower cut the hose' }}
        verb={(cents) => (cents > 0 ? `Give ${formatCents(cents)}` : 'Give credit')}
        tell={customer.name}
        onSend={(amountCents, reason, tell) => send.mutateAsync({ amountCents, reason, tell })}
        done={stands}
        onClose={onClose}
      />
    </InDialog>
  )
}

/** What is open is let go. */
export const WriteOff = ({ invoice, open, onClose }: Asked & { invoice: Invoice }) => {
  const writeOff = useWriteOff(invoice.id)
  const name = invoiceName(invoice.number)
  return (
    <InDialog open={open} onClose={onClose} title={`Write off ${name}?`}>
      <ReasonFields
        intro={
          <>
            Nobody waits for the {formatCents(invoice.balanceCents)} any more, and {invoice.customer.name} is not
            reminded of it. You can open it again if they pay after all.
            {invoice.checkoutOpen
              ? ` ${invoice.customer.name} has the payment page open right now: it is closed, and what they paid until then is booked.`
              : ''}
          </>
        }
        label="Write off"
        placeholder="Moved away, no answer"
        verb={`Write off ${formatCents(invoice.balanceCents)}`}
        danger
        onSend={async (reason) => {
          await writeOff.mutateAsync(reason)
          return `${name} is written off`
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}
