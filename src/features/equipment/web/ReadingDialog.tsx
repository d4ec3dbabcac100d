import { useState } from 'react'
import { type Control, useForm } from 'react-hook-form'
import { ApiError } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { EquipmentDetail } from '../contract.ts'
import { readingText } from '../rules.ts'
import { usePiece } from './data.ts'
import { toTenths, unitOf } from './labels.ts'

type Props = { piece: EquipmentDetail; onClose: () => void }
type Values = { tenths: number | null; reason: string; isNew: boolean; newMeterFrom: number | null }
const empty: Values = { tenths: null, reason: '', isNew: false, newMeterFrom: null }

const newMeterOf = ({ isNew, newMeterFrom }: Values) => (isNew ? (toTenths(newMeterFrom) ?? 0) : null)
const reasonOf = ({ isNew, reason }: Values) => reason || (isNew ? 'The meter was replaced' : '')

/** Why a reading that does not fit is right: another meter came in, over which service counts on, or something else. */
const Why = ({ control, isNew, piece }: { control: Control<Values>; isNew: boolean; piece: EquipmentDetail }) => (
  <>
    <FormField control={control} name="isNew">
      {(f) => (
        <CheckboxField
          label="The meter was replaced"
          hint="What the old one counted still counts for service."
          {...f}
        />
      )}
    </FormField>
    {isNew ? (
      <FormField control={control} name="newMeterFrom">
        {(f) => (
          <NumberField
            label="The new one began at"
            optional
            unit={unitOf(piece.meter)}
            min={0}
            hint="Nothing typed: at 0."
            {...f}
          />
        )}
      </FormField>
    ) : null}
    <FormField control={control} name="reason">
      {(f) => <TextField label="Why it is right" optional={isNew} maxLength={300} {...f} />}
    </FormField>
  </>
)

const Reading = ({ piece, onClose }: Props) => {
  const read = usePiece(piece.id, 'read')
  const [asksWhy, setAsksWhy] = useState(false)
  const form = useForm<Values>({ defaultValues: empty })
  const submit = async (values: Values) => {
    try {
      await read.mutateAsync({
        tenths: toTenths(values.tenths) ?? 0,
        reason: reasonOf(values),
        newMeterFrom: newMeterOf(values),
      })
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) setAsksWhy(true)
      throw error
    }
    toast.success('The reading is kept')
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Meter reading">
      {piece.reading && piece.meter ? (
        <p className="muted">The last one: {readingText(piece.reading.tenths, piece.meter)}.</p>
      ) : null}
      <FormField control={form.control} name="tenths" needed="What does it read?">
        {(f) => <NumberField label="It reads" unit={unitOf(piece.meter)} min={0} autoFocus {...f} />}
      </FormField>
      {asksWhy ? <Why control={form.control} isNew={form.watch('isNew')} piece={piece} /> : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save reading
        </Button>
        {asksWhy ? null : <Button onClick={() => setAsksWhy(true)}>The meter was replaced</Button>}
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** What a meter reads now; one that does not fit asks why. */
export const ReadingDialog = ({ open, ...props }: Props & { open: boolean }) => (
  <Dialog open={open} onClose={props.onClose} title="Meter reading" size="s">
    {open ? <Reading {...props} /> : null}
  </Dialog>
)

type Doubted = EquipmentDetail['readings'][number]

const Judge = ({ piece, reading, onClose }: Props & { reading: Doubted }) => {
  const judge = usePiece(piece.id, 'judge')
  const isLower = piece.reading !== null && reading.tenths < piece.reading.tenths
  const form = useForm<Values>({ defaultValues: { ...empty, isNew: isLower } })
  const submit = async (values: Values) => {
    await judge.mutateAsync({
      readingId: reading.id,
      counts: true,
      reason: reasonOf(values),
      newMeterFrom: newMeterOf(values),
    })
    toast.success('The reading counts')
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} label="Why the reading is right">
      <Why control={form.control} isNew={form.watch('isNew')} piece={piece} />
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          It counts
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Why a reading of a phone that does not fit is right after all. */
export const JudgeDialog = ({ reading, ...props }: Props & { reading: Doubted | null }) => (
  <Dialog open={reading !== null} onClose={props.onClose} title="Why is the reading right?" size="s">
    {reading ? <Judge key={reading.id} reading={reading} {...props} /> : null}
  </Dialog>
)
