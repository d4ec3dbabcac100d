import { useForm } from 'react-hook-form'
import { dayOf, formatDay, minuteOfDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { Visit } from '../contract.ts'
import { finishTimes } from '../rules.ts'
import { useUndoableDeed } from './data.ts'

type Props = { visit: Visit; open: boolean; onClose: () => void }
type Values = {
  startMinute: number | null
  endMinute: number | null
  people: number | null
  note: string
  lines: Record<string, boolean>
}

const Fields = ({ visit, onClose }: Omit<Props, 'open'>) => {
  const { timeZone } = useUser().business
  const { act } = useUndoableDeed({ asked: visit })
  const now = new Date()
  const times = finishTimes({
    startedMinute:
      visit.startedAt && dayOf(visit.startedAt, timeZone) === visit.day ? minuteOfDay(visit.startedAt, timeZone) : null,
    plannedMinute: visit.plannedStartMinute,
    minutes: visit.plannedMinutes,
    nowMinute: visit.day === dayOf(now, timeZone) ? minuteOfDay(now, timeZone) : null,
  })
  const form = useForm<Values>({
    defaultValues: {
      ...times,
      people: visit.people ?? visit.crew?.people ?? 1,
      note: '',
      lines: Object.fromEntries(visit.lines.map((line) => [line.id, true])),
    },
  })
  const submit = async ({ startMinute, endMinute, people, note, lines }: Values) => {
    if (startMinute === null)
      return form.setError('startMinute', { message: 'When did it begin?' }, { shouldFocus: true })
    if (endMinute === null) return form.setError('endMinute', { message: 'When did it end?' }, { shouldFocus: true })
    if (!people || people < 1) return form.setError('people', { message: 'At least one.' }, { shouldFocus: true })
    const lineIds = visit.lines.filter((line) => lines[line.id]).map((line) => line.id)
    const [first] = visit.lines
    if (first && lineIds.length === 0)
      return form.setError(`lines.${first.id}`, { message: 'Nothing was done? Then skip the visit instead.' })
    await act(
      {
        deed: 'finish',
        visit,
        body: { startMinute, endMinute, people, note, ...(first ? { lineIds } : {}) },
      },
      () => `${visit.street} is finished`,
    )
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Finish the visit">
      <p className="muted">
        For a crew without its phone. Times from a phone that comes later take the place of these.
      </p>
      <FieldGrid min={120}>
        <FormField control={form.control} name="startMinute">
          {(f) => <TimeField {...f} label="Began" step={5} />}
        </FormField>
        <FormField control={form.control} name="endMinute">
          {(f) => <TimeField {...f} label="Ended" step={5} hint={visit.day ? formatDay(visit.day) : undefined} />}
        </FormField>
        <FormField control={form.control} name="people">
          {(f) => <NumberField {...f} label="People" min={1} max={50} />}
        </FormField>
      </FieldGrid>
      {visit.lines.length > 0 ? (
        <fieldset className="visit-done">
          <legend>What was done</legend>
          {visit.lines.map((line) => (
            <FormField key={line.id} control={form.control} name={`lines.${line.id}`}>
              {(f) => <CheckboxField {...f} label={line.name} />}
            </FormField>
          ))}
        </fieldset>
      ) : null}
      <FormField control={form.control} name="note">
        {(f) => <TextAreaField {...f} label="Note" optional rows={2} maxLength={2000} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Finish the visit
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** The office says that a visit was done, when, by how many, and what of it. */
export const FinishDialog = ({ visit, open, onClose }: Props) => (
  <Dialog open={open} onClose={onClose} title={`Finish ${visit.street}`} size="s">
    <Fields visit={visit} onClose={onClose} />
  </Dialog>
)
