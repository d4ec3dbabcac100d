import { useForm } from 'react-hook-form'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { isReached, unreachedWords } from '../../messages/paperways/rules.ts'
import { type Invoice, invoicesApi } from '../contract.ts'
import { invoiceName } from '../rules.ts'
import { useSetReminders } from './data.ts'
import { InDialog, ReasonFields } from './ReasonDialog.tsx'

type Asked = { invoice: Invoice; open: boolean; onClose: () => void }

/** What reminds of an open invoice by itself, and what holds it. */
const wordsOf = ({ reminders, customer, reach, pending, disputed }: Invoice): string | null => {
  // a banner says what waits for the bank
  if (pending || disputed) return null
  const { byRule, nextOn, stopped, promisedOn, autopay, anew } = reminders
  if (autopay && !stopped && !promisedOn)
    return `Autopay charges it on ${formatDay(autopay)}; no reminder leaves before.`
  const promise = promisedOn ? `${customer.name} will pay by ${formatDay(promisedOn)}.` : null
  const next = stopped
    ? `No more reminders: ${stopped}.`
    : !byRule
      ? null
      : nextOn
        ? `Next reminder ${formatDay(nextOn)}${isReached(reach) ? '' : `, but ${customer.name} ${unreachedWords(reach)}`}.`
        : 'No further reminder is planned.'
  const since = anew
    ? `${anew.why === 'reached' ? 'It reached them on' : 'Open again since'} ${formatDay(anew.on)}: reminders and late fees count from that day.`
    : null
  return [promise, since, next].filter(Boolean).join(' ') || null
}

/** One line on when an open invoice reminds of itself. */
export const ReminderLine = ({ invoice }: { invoice: Invoice }) => {
  const words = wordsOf(invoice)
  return words ? <p className="hint">{words}</p> : null
}

const PromiseFields = ({ invoice, onClose }: Omit<Asked, 'open'>) => {
  const today = useToday()
  const send = useSetReminders(invoice.id)
  const { promisedOn } = invoice.reminders
  const form = useForm<{ day: Day | null }>({ defaultValues: { day: promisedOn } })
  const day = form.watch('day')
  const save = async (next: Day | null) => {
    await send.mutateAsync({ promisedOn: next })
    toast.success(next ? `${invoice.customer.name} will pay by ${formatDay(next)}` : 'The promise is taken off')
    onClose()
  }
  return (
    <Form
      form={form}
      label="Promise to pay"
      onSubmit={async (values) => {
        if (!values.day) return form.setError('day', { message: 'By which day?' }, { shouldFocus: true })
        await save(values.day)
      }}
    >
      <p className="muted">
        Nothing reminds them until then, and a card on file is not charged. If {invoiceName(invoice.number)} is still
        open the day after, you are told.
      </p>
      <FormField control={form.control} name="day">
        {(f) => <DateField {...f} label="They pay by" today={today} min={today} />}
      </FormField>
      <FormActions>
        <Button calls={invoicesApi.setReminders} type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {day ? `Wait until ${formatDay(day)}` : 'Wait'}
        </Button>
        {promisedOn ? (
          <Button calls={invoicesApi.setReminders} onClick={() => save(null).catch(toast.error)}>
            No promise
          </Button>
        ) : (
          <Button onClick={onClose}>Cancel</Button>
        )}
      </FormActions>
    </Form>
  )
}

/** "I pay on Friday": kept with its day. */
export const PromiseToPay = ({ invoice, open, onClose }: Asked) => (
  <InDialog open={open} onClose={onClose} title={`${invoice.customer.name} promised to pay`}>
    <PromiseFields invoice={invoice} onClose={onClose} />
  </InDialog>
)

/** No reminder of this invoice leaves by itself any more. */
export const StopReminders = ({ invoice, open, onClose }: Asked) => {
  const send = useSetReminders(invoice.id)
  const name = invoiceName(invoice.number)
  return (
    <InDialog open={open} onClose={onClose} title={`Stop reminders of ${name}?`}>
      <ReasonFields
        intro="None leaves by itself any more, and a card on file is not charged for it. You can still remind by hand, and start them again."
        label="Stop reminders"
        placeholder="They dispute the price"
        verb="Stop reminders"
        onSend={async (stop) => {
          await send.mutateAsync({ stop })
          return `No more reminders of ${name}`
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}
