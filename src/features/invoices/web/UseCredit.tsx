import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import type { Invoice } from '../contract.ts'
import { boundWords, depositName, leftAfter, mostCredit, tooMuch } from '../corrections/rules.ts'
import { invoiceName } from '../rules.ts'
import { useCorrection } from './data.ts'
import { stands } from './MoneyDialogs.tsx'
import { type Asked, InDialog } from './ReasonDialog.tsx'

const Fields = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => {
  const send = useCorrection('useCredit', invoice.id)
  const { balanceCents, creditCents, boundCredit, number } = invoice
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const form = useForm<{ amountCents: number | null }>({
    defaultValues: { amountCents: mostCredit(invoice, chosen).cents || null },
  })
  const cents = form.watch('amountCents')
  const choose = (paymentId: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(paymentId)
    else next.delete(paymentId)
    setChosen(next)
    form.setValue('amountCents', mostCredit(invoice, next).cents || null)
    form.clearErrors('amountCents')
  }
  return (
    <Form
      form={form}
      label="Use credit"
      onSubmit={async ({ amountCents }) => {
        const most = mostCredit(invoice, chosen)
        const refused =
          most.cents === 0
            ? 'Choose the deposit that pays this.'
            : amountCents === null || amountCents <= 0
              ? 'How much? More than $0.00.'
              : amountCents > most.cents
                ? tooMuch(most.cents, most.of)
                : null
        if (refused) return form.setError('amountCents', { message: refused }, { shouldFocus: true })
        toast.success(stands(await send.mutateAsync({ amountCents: amountCents ?? 0, deposits: [...chosen] })))
        onClose()
      }}
    >
      <p className="muted">
        {creditCents > 0 ? `${formatCents(creditCents)} of credit is there` : 'No credit is free'},{' '}
        {formatCents(balanceCents)} of {invoiceName(number)} is open.
      </p>
      {boundCredit.map((one) => (
        <CheckboxField
          key={one.paymentId}
          label={`Use ${depositName(one)} too`}
          hint={`${boundWords(one)}. ${one.own ? 'It was not taken by itself.' : 'What is used here is missing on its invoices.'}`}
          value={chosen.has(one.paymentId)}
          onChange={(on) => choose(one.paymentId, on)}
        />
      ))}
      <FormField control={form.control} name="amountCents">
        {(f) => <MoneyField {...f} label="Amount" hint={cents ? leftAfter(cents, balanceCents) : undefined} />}
      </FormField>
      <FormActions>
        <Button calls={correctionsApi.useCredit} type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {cents ? `Use ${formatCents(cents)}` : 'Use credit'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What a customer paid too much, or was credited, put on this invoice; what was paid for other work only by a choice of its own. */
export const UseCredit = ({ invoice, open, onClose }: Asked & { invoice: Invoice }) => (
  <InDialog open={open} onClose={onClose} title={`Use credit of ${invoice.customer.name}`}>
    <Fields invoice={invoice} onClose={onClose} />
  </InDialog>
)

/** What of the customer's money lies on no invoice, under an open invoice: what is free, and what waits for work, each by its name. */
export const CreditThere = ({ invoice }: { invoice: Invoice }) => (
  <>
    {invoice.creditCents > 0 ? (
      <p className="hint">
        {invoice.customer.name} has {formatCents(invoice.creditCents)} of credit that is not used yet.
      </p>
    ) : null}
    {invoice.boundCredit.map((one) => (
      <p key={one.paymentId} className="hint">
        {boundWords(one)}.
      </p>
    ))}
  </>
)
