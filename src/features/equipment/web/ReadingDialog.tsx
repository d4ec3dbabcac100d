import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
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

const Reading = ({ piece, onClose }: Props) => {
  const read = usePiece(piece.id, 'read')
  const [asksWhy, setAsksWhy] = useState(false)
  const form = useForm<{ tenths: number | null; reason: string }>({ defaultValues: { tenths: null, reason: '' } })
  const submit = async ({ tenths, reason }: { tenths: number | null; reason: string }) => {
    try {
      await read.mutateAsync({ tenths: toTenths(tenths) ?? 0, reason })
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
      {asksWhy ? (
        <FormField control={form.control} name="reason">
          {(f) => (
            <TextField label="Why it is right" optional maxLength={300} placeholder="The meter was replaced" {...f} />
          )}
        </FormField>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Save reading
        </Button>
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
