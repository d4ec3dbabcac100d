import { useForm } from 'react-hook-form'
import { formatCents } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import { ClosedMonth, useClosedMonth } from '../../../invoices/closing/web/ClosedMonth.tsx'
import { receiptName } from '../../../invoices/papers/rules.ts'
import type { DepositDraft } from '../../../invoices/web/data.ts'
import type { QuoteRecord } from '../../contract.ts'
import { quoteName } from '../../rules.ts'
import { useRecordDeposit } from '../../web/data.ts'
import { quoteDepositsApi } from '../contract.ts'

const waysToPay: { value: DepositDraft['method']; label: string }[] = [
  { value: 'check', label: 'Check' },
  { value: 'cash', label: 'Cash' },
  { value: 'ach', label: 'Bank' },
  { value: 'card', label: 'Card' },
  { value: 'other', label: 'Other' },
]

type Values = {
  method: DepositDraft['method']
  receivedOn: string | null
  note: string
  exceptionReason: string
}

const Fields = ({ quote, onDone }: { quote: QuoteRecord; onDone: () => void }) => {
  const today = useToday()
  const record = useRecordDeposit()
  const form = useForm<Values>({ defaultValues: { method: 'check', receivedOn: today, note: '', exceptionReason: '' } })
  const day = form.watch('receivedOn')
  const closed = useClosedMonth(day)
  const submit = async ({ receivedOn, exceptionReason, ...rest }: Values) => {
    if (!receivedOn) return form.setError('receivedOn', { message: 'On which day?' }, { shouldFocus: true })
    const refused = closed.problem(exceptionReason, 'receivedOn')
    if (refused) return form.setError(refused.name, refused, { shouldFocus: true })
    const { deposit } = await record.mutateAsync({
      params: { id: quote.id },
      body: { ...rest, receivedOn, ...(closed.isClosed ? { exceptionReason } : {}) },
    })
    const receipt = deposit?.receiptNumber ? `${receiptName(deposit.receiptNumber)}: ` : ''
    toast.success(`${receipt}${formatCents(quote.depositCents)} booked`)
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="Record the deposit">
      <p>
        {formatCents(quote.depositCents)} as it was signed. A payment page that is open for it ends. The customer gets a
        receipt, and it is taken off the invoices of this work, the oldest first.
      </p>
      <FormField control={form.control} name="method">
        {(f) => <RadioField {...f} label="How it came" row options={waysToPay} />}
      </FormField>
      <FormField control={form.control} name="receivedOn">
        {(f) => <DateField {...f} label="Received on" today={today} max={today} />}
      </FormField>
      <ClosedMonth closed={closed} day={day} onToday={() => form.setValue('receivedOn', today)} />
      <FormField control={form.control} name="note">
        {(f) => <TextField {...f} label="Note" optional maxLength={200} placeholder="Check number" />}
      </FormField>
      <FormActions>
        <Button calls={quoteDepositsApi.record} type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Record {formatCents(quote.depositCents)}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** The deposit of a quote came by check, in cash or some other way. */
export const RecordQuoteDeposit = ({
  quote,
  open,
  onClose,
}: {
  quote: QuoteRecord
  open: boolean
  onClose: () => void
}) => (
  <Dialog open={open} onClose={onClose} title={`Deposit of ${quoteName(quote.number)}`} closeOnOutside={false}>
    {open ? <Fields quote={quote} onDone={onClose} /> : null}
  </Dialog>
)
