import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { type LostReason, lostReasonLabel, lostReasons } from '../rules.ts'

type Values = { reason: LostReason | ''; note: string }
type Props = {
  name: string
  onClose: () => void
  onLost: (lost: { reason: LostReason; note: string }) => Promise<void>
}

const options = lostReasons.map((value) => ({ value, label: lostReasonLabel[value] }))

/** Why somebody was lost: the one thing that is worth knowing of it later. */
export const LostDialog = ({ name, onClose, onLost }: Props) => {
  const form = useForm<Values>({ defaultValues: { reason: '', note: '' } })
  return (
    <Dialog open onClose={onClose} size="s" title={`Why was ${name} lost?`}>
      <Form
        form={form}
        label="Lost"
        onSubmit={async ({ reason, note }) => {
          if (reason) await onLost({ reason, note })
        }}
      >
        <FormField control={form.control} name="reason" needed="Choose a reason.">
          {(f) => (
            <RadioField
              label="Reason"
              autoFocus
              options={options}
              {...f}
              onChange={(v) => f.onChange(v as LostReason)}
            />
          )}
        </FormField>
        <FormField control={form.control} name="note">
          {(f) => <TextField label="In your own words" optional maxLength={300} {...f} />}
        </FormField>
        <FormActions>
          <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
            Move to Lost
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
