import { type KeyboardEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Day } from '../../../shared/dates.ts'
import { formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import {
  type CallDirection,
  type CallOutcome,
  callDirections,
  callOutcomeLabels,
  callOutcomes,
  callTitle,
  followUpDays,
  followUpTitle,
} from '../rules.ts'
import { useLogCall, useRemoveCall } from './data.ts'
import { OwnerField } from './OwnerField.tsx'
import './tasks.css'

const directions = callDirections.map((value) => ({
  value,
  label: { out: 'I called', in: 'They called' }[value],
}))
const outcomes = callOutcomes.map((value) => ({ value, label: callOutcomeLabels[value] }))

type Values = {
  direction: CallDirection
  outcome: CallOutcome
  note: string
  title: string
  dueOn: Day | null
  ownerId: string
}

/** A call as it was just had: one press opens it, the next saves it; all between is for who wants to say more. */
export const LogCall = ({ customer, onClose }: { customer: { id: string; name: string }; onClose: () => void }) => {
  const today = useToday()
  const user = useUser()
  const log = useLogCall(customer.id)
  const undo = useRemoveCall()
  const days = followUpDays(today)
  const [other, setOther] = useState(false)
  const form = useForm<Values>({
    defaultValues: {
      direction: 'out',
      outcome: 'talked',
      note: '',
      title: followUpTitle(customer.name),
      dueOn: null,
      ownerId: user._id,
    },
  })
  const { dueOn } = form.watch()
  const chosen = other ? 'other' : days.find(({ day }) => day === dueOn)?.day
  const submit = async ({ direction, outcome, note, title, dueOn: day, ownerId }: Values) => {
    if (other && day === null) return form.setError('dueOn', { message: 'Choose the day on which it comes back.' })
    const { call, task } = await log.mutateAsync({
      direction,
      outcome,
      note,
      followUp: day === null ? null : { title, dueOn: day, ownerId: ownerId || null },
    })
    toast.undo(
      task
        ? `${callTitle(direction, outcome)}: logged, comes back ${formatDay(task.dueOn)}`
        : `${callTitle(direction, outcome)}: logged`,
      () => undo.mutate(call.id, { onError: toast.error }),
    )
    onClose()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void form.handleSubmit(submit)().catch(toast.error)
    }
  }
  return (
    <Dialog open onClose={onClose} closeOnOutside={false} title={`Call with ${customer.name}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Ctrl Enter saves from every field of the form */}
      <div onKeyDown={onKey}>
        <Form form={form} onSubmit={submit} label="Call">
          <FormField control={form.control} name="direction">
            {(f) => <RadioField label="Who called" row options={directions} {...f} />}
          </FormField>
          <FormField control={form.control} name="outcome">
            {(f) => <RadioField label="What came of it" row options={outcomes} {...f} />}
          </FormField>
          <FormField control={form.control} name="note">
            {(f) => <TextAreaField label="Note" optional rows={3} maxLength={2000} autoFocus {...f} />}
          </FormField>
          <div className="call-follow">
            <p className="call-follow__label">Follow up</p>
            <FilterChips
              single
              label="Follow up"
              values={chosen ? [chosen] : []}
              chips={[
                ...days.map(({ label, day }) => ({ value: day, label: `${label} (${formatDay(day)})` })),
                { value: 'other', label: 'Another day' },
              ]}
              onChange={([value]) => {
                setOther(value === 'other')
                form.clearErrors('dueOn')
                form.setValue('dueOn', value === undefined || value === 'other' ? null : value)
              }}
            />
          </div>
          {chosen ? (
            <FieldGrid>
              {other ? (
                <FormField control={form.control} name="dueOn">
                  {(f) => <DateField label="Day" today={today} min={today} {...f} />}
                </FormField>
              ) : null}
              <FormField control={form.control} name="title">
                {(f) => <TextField label="What is to be done" maxLength={200} {...f} />}
              </FormField>
              <FormField control={form.control} name="ownerId">
                {(f) => <OwnerField {...f} />}
              </FormField>
            </FieldGrid>
          ) : null}
          <FormActions>
            <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
              Save call
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </FormActions>
        </Form>
      </div>
    </Dialog>
  )
}
