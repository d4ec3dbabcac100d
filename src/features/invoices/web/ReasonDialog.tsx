import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'

export type Asked = { open: boolean; onClose: () => void }

export const InDialog = ({ title, open, onClose, children }: Asked & { title: string; children: ReactNode }) => (
  <Dialog open={open} onClose={onClose} title={title} size="s" closeOnOutside={false}>
    {children}
  </Dialog>
)

export const ReasonFields = ({
  intro,
  label,
  placeholder,
  verb,
  begin = '',
  danger,
  onSend,
  onClose,
}: {
  intro: ReactNode
  label: string
  placeholder: string
  verb: string
  /** A reason that stands there already, to be sent as it is or written over. */
  begin?: string
  danger?: boolean
  onSend: (reason: string) => Promise<string>
  onClose: () => void
}) => {
  const form = useForm<{ reason: string }>({ defaultValues: { reason: begin } })
  return (
    <Form
      form={form}
      label={label}
      onSubmit={async ({ reason }) => {
        if (!reason.trim())
          return form.setError('reason', { message: 'Say why: it stands on the record.' }, { shouldFocus: true })
        toast.success(await onSend(reason))
        onClose()
      }}
    >
      <p className="muted">{intro}</p>
      <FormField control={form.control} name="reason">
        {(f) => <TextField {...f} label="Why" placeholder={placeholder} maxLength={300} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind={danger ? 'danger' : 'primary'} loading={form.formState.isSubmitting}>
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
