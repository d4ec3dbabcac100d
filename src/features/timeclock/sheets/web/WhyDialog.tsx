import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  /** What becomes of it, and who reads the reason. */
  hint: string
  label: string
  onSay: (reason: string) => Promise<unknown>
}

const Why = ({ onClose, hint, label, onSay }: Omit<Props, 'open' | 'title'>) => {
  const form = useForm({ defaultValues: { reason: '' } })
  return (
    <Form
      form={form}
      label={label}
      onSubmit={async ({ reason }) => {
        await onSay(reason)
        onClose()
      }}
    >
      <FormField control={form.control} name="reason" needed="Say why, for the record.">
        {(f) => <TextAreaField label="Why" hint={hint} rows={3} maxLength={500} autoFocus {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {label}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Asks for the reason that the trail of a week keeps. */
export const WhyDialog = ({ open, title, ...rest }: Props) => (
  <Dialog open={open} onClose={rest.onClose} title={title} size="s">
    {open ? <Why {...rest} /> : null}
  </Dialog>
)
