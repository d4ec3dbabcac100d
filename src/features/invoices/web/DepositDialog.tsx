import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { creditsApi } from '../../payments/credits/contract.ts'
import { ClosedMonth, useClosedMonth } from '../closing/web/ClosedMonth.tsx'
import { receiptName } from '../papers/rules.ts'
import { currentJobsQuery, type DepositDraft, useDeposit } from './data.ts'
import { waysToPay } from './RecordPayment.tsx'

type Customer = { id: string; name: string }
type Values = {
  method: DepositDraft['method']
  amountCents: number | null
  receivedOn: string | null
  jobId: string
  note: string
  exceptionReason: string
}

const Fields = ({ customer, onDone }: { customer: Customer; onDone: () => void }) => {
  const today = useToday()
  const record = useDeposit(customer.id)
  const jobs = useQuery(currentJobsQuery(customer.id))
  const form = useForm<Values>({
    defaultValues: { method: 'check', amountCents: null, receivedOn: today, jobId: '', note: '', exceptionReason: '' },
  })
  const [amountCents, jobId, day] = form.watch(['amountCents', 'jobId', 'receivedOn'])
  const closed = useClosedMonth(day)
  const submit = async ({ amountCents: cents, receivedOn, jobId: forJob, exceptionReason, ...rest }: Values) => {
    if (cents === null || cents <= 0)
      return form.setError('amountCents', { message: 'How much came in? More than $0.00.' }, { shouldFocus: true })
    if (!receivedOn) return form.setError('receivedOn', { message: 'On which day?' }, { shouldFocus: true })
    const refused = closed.problem(exceptionReason, 'receivedOn')
    if (refused) return form.setError(refused.name, refused, { shouldFocus: true })
    const booked = await record.mutateAsync({
      ...rest,
      amountCents: cents,
      receivedOn,
      jobId: forJob || null,
      ...(closed.isClosed ? { exceptionReason } : {}),
    })
    const waits = booked.creditCents > 0 ? `, ${formatCents(booked.creditCents)} waits for an invoice` : ''
    toast.success(`${receiptName(booked.receiptNumber)}: ${formatCents(cents)} booked${waits}`)
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="Record deposit">
      <FormField control={form.control} name="jobId">
        {(f) => (
          <SelectField
            {...f}
            label="For"
            placeholder="No job in particular"
            options={(jobs.data ?? []).map(({ id, number, title, street }) => ({
              value: id,
              label: `#${number} ${title}, ${street}`,
            }))}
            hint={
              jobs.isError
                ? 'Their jobs could not be loaded. The deposit can be recorded without one.'
                : jobId
                  ? 'Goes on invoices of this job by itself, the oldest first, on no others.'
                  : undefined
            }
          />
        )}
      </FormField>
      <FormField control={form.control} name="method">
        {(f) => <RadioField {...f} label="How it came" row options={waysToPay} />}
      </FormField>
      <FieldGrid min={180}>
        <FormField control={form.control} name="amountCents">
          {(f) => <MoneyField {...f} label="Amount" />}
        </FormField>
        <FormField control={form.control} name="receivedOn">
          {(f) => <DateField {...f} label="Received on" today={today} max={today} />}
        </FormField>
      </FieldGrid>
      <ClosedMonth closed={closed} day={day} onToday={() => form.setValue('receivedOn', today)} />
      <FormField control={form.control} name="note">
        {(f) => <TextField {...f} label="Note" optional maxLength={300} placeholder="Check number" />}
      </FormField>
      <FormActions>
        <Button calls={creditsApi.recordDeposit} type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {amountCents ? `Record ${formatCents(amountCents)}` : 'Record deposit'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Money that comes before its invoice. */
export const RecordDeposit = ({
  customer,
  open,
  onClose,
}: {
  customer: Customer
  open: boolean
  onClose: () => void
}) => (
  <Dialog open={open} onClose={onClose} title={`Deposit from ${customer.name}`} closeOnOutside={false}>
    <Fields key={String(open)} customer={customer} onDone={onClose} />
  </Dialog>
)
