import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { type SenderRegistration, senderRegistrationApi } from '../contract.ts'
import type { MarkedStep, MarkState } from '../rules.ts'
import { useMarkRegistration } from './data.ts'

export type Marking = { step: MarkedStep; state: MarkState }

export const markLabels: Record<Marking['state'], string> = {
  sent: 'I sent it in',
  approved: 'It was approved',
  returned: 'It was sent back',
  open: 'Take it back',
}

/** On which day a step was sent in, approved or sent back, and why; or that none of it is so. */
export const MarkForm = ({
  saved,
  marking,
  today,
  onClose,
}: {
  saved: SenderRegistration
  marking: Marking
  today: string
  onClose: () => void
}) => {
  const mark = useMarkRegistration()
  const form = useForm({ defaultValues: { on: today as string | null, note: '' } })
  const isReturned = marking.state === 'returned'
  const isTakenBack = marking.state === 'open'
  const submit = async ({ on, note }: { on: string | null; note: string }) => {
    await mark.mutateAsync({
      ...marking,
      on: isTakenBack ? null : on,
      note: isReturned ? note : null,
      version: saved.version,
    })
    toast.success(isTakenBack ? 'Taken back: the step is open again' : 'Noted')
    onClose()
  }
  return (
    <Form form={form} label={markLabels[marking.state]} onSubmit={submit}>
      {isTakenBack ? (
        <p>The step is open again, as if it was never sent in. Nothing changes at the carriers.</p>
      ) : (
        <FormField control={form.control} name="on" needed="Which day?">
          {(f) => <DateField label="On" today={today} max={today} {...f} />}
        </FormField>
      )}
      {isReturned ? (
        <FormField control={form.control} name="note" needed="Write why it was sent back, as their answer says it.">
          {(f) => <TextAreaField label="Why, as their answer says it" rows={3} maxLength={300} {...f} />}
        </FormField>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" calls={senderRegistrationApi.mark} loading={form.formState.isSubmitting}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
