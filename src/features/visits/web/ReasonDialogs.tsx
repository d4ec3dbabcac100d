import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { chargeLine } from '../../businesses/skips/rules.ts'
import type { Visit } from '../contract.ts'
import { skipReasonLabel } from '../rules.ts'
import { useUndoableDeed } from './data.ts'

type Props = { visit: Visit; open: boolean; onClose: () => void }

const SkipFields = ({ visit: now, onClose }: Omit<Props, 'open'>) => {
  // What is asked does not change its words while somebody answers.
  const [visit] = useState(now)
  const { act } = useUndoableDeed({ asked: visit })
  const form = useForm<{ reason: string; note: string; charge: boolean }>({
    defaultValues: { reason: '', note: '', charge: false },
  })
  const chosen = visit.skips.find((one) => one.code === form.watch('reason'))
  const charge = chosen?.charged === true && form.watch('charge')
  return (
    <Form
      form={form}
      label="Skip the visit"
      onSubmit={async (values) => {
        if (!chosen) return form.setError('reason', { message: 'Pick a reason.' })
        if (chosen.needsNote && !values.note.trim())
          return form.setError('note', { message: 'Say what the reason was.' }, { shouldFocus: true })
        await act(
          { deed: 'skip', visit, body: { reason: values.reason, note: values.note, ...(charge ? { charge } : {}) } },
          () => `${visit.street} is skipped`,
        )
        onClose()
      }}
    >
      <FormField control={form.control} name="reason">
        {(f) => (
          <RadioField
            {...f}
            label="Why"
            options={visit.skips.map(({ code }) => ({ value: code, label: skipReasonLabel(code) }))}
          />
        )}
      </FormField>
      <FormField control={form.control} name="note">
        {(f) => <TextField {...f} label="In words" optional={!chosen?.needsNote} maxLength={500} />}
      </FormField>
      {chosen?.charged ? (
        <FormField control={form.control} name="charge">
          {(f) => (
            <CheckboxField
              {...f}
              label={chosen.chargeCents === null ? 'Charge the customer' : `Charge ${formatCents(chosen.chargeCents)}`}
              hint={`It waits to be invoiced as “${chargeLine(chosen.code)}”. Crews charge it by themselves; you choose.`}
            />
          )}
        </FormField>
      ) : null}
      <p className="muted">
        {charge ? 'The work itself is not billed.' : 'It is not billed.'} Another day can be booked for it afterwards.
      </p>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Skip this visit
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

export const SkipDialog = ({ visit, open, onClose }: Props) => (
  <Dialog open={open} onClose={onClose} title={`Skip ${visit.street}`} size="s">
    <SkipFields visit={visit} onClose={onClose} />
  </Dialog>
)

const becomes = ({ job }: Visit): string =>
  job.nextDay
    ? `Only this visit. Its job goes on: the next one is on ${formatDay(job.nextDay)}.`
    : job.recurring
      ? 'Only this visit. Its job stays as it is; no later visit is on the calendar right now.'
      : 'The job has no other visit. It stays open until you complete or cancel it.'

type Verb = 'cancel' | 'reopen'
const words = {
  cancel: { title: 'Cancel', label: 'Cancel this visit', keep: 'Keep it', done: 'is canceled' },
  reopen: { title: 'Reopen', label: 'Reopen this visit', keep: 'Leave it', done: 'is open again' },
} as const

const ReasonFields = ({ visit: now, verb, onClose }: Omit<Props, 'open'> & { verb: Verb }) => {
  // What is asked does not change its words while somebody answers.
  const [visit] = useState(now)
  const { act } = useUndoableDeed({ asked: visit })
  const form = useForm({ defaultValues: { reason: '' } })
  const said = words[verb]
  const must = verb === 'reopen' && visit.status === 'completed'
  return (
    <Form
      form={form}
      label={said.label}
      onSubmit={async ({ reason }) => {
        if (must && !reason.trim())
          return form.setError('reason', { message: 'Say why, so that the others understand.' }, { shouldFocus: true })
        await act({ deed: verb, visit, body: { reason } }, () => `${visit.street} ${said.done}`)
        onClose()
      }}
    >
      <p className="muted">
        {verb === 'cancel'
          ? becomes(visit)
          : visit.status === 'completed'
            ? 'It goes on as paused, with its time kept, and is not billed until it is finished again.'
            : visit.day
              ? `It stands on ${formatDay(visit.day)} again.`
              : 'It waits for a day again.'}
      </p>
      <FormField control={form.control} name="reason">
        {(f) => <TextField {...f} label="Why" optional={!must} maxLength={300} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind={verb === 'cancel' ? 'danger' : 'primary'} loading={form.formState.isSubmitting}>
          {said.label}
        </Button>
        <Button onClick={onClose}>{said.keep}</Button>
      </FormActions>
    </Form>
  )
}

/** One visit is canceled, or opened again after it was over; with a reason for those who read its history. */
export const ReasonDialog = ({ visit, verb, open, onClose }: Props & { verb: Verb }) => (
  <Dialog open={open} onClose={onClose} title={`${words[verb].title} ${visit.street}?`} size="s">
    <ReasonFields visit={visit} verb={verb} onClose={onClose} />
  </Dialog>
)
