import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const codeField = (props: object) => (
  <TextField
    label="Code of your app"
    autoComplete="one-time-code"
    maxLength={20}
    value=""
    onChange={() => undefined}
    {...props}
  />
)

/** Switches the second step off, by a code and where there is one by the password. */
export const SwitchOff = ({
  hasPassword,
  disable,
  onDone,
}: {
  hasPassword: boolean
  disable: (proof: { password: string; code: string }) => Promise<unknown>
  onDone: () => void
}) => {
  const form = useForm({ defaultValues: { password: '', code: '' } })
  return (
    <Form
      form={form}
      label="Switch the second step off"
      onSubmit={async (values) => {
        await disable(values)
        toast.success('The second step is off')
        onDone()
      }}
    >
      {hasPassword ? (
        <FormField control={form.control} name="password">
          {(field) => <TextField label="Your password" type="password" autoComplete="current-password" {...field} />}
        </FormField>
      ) : null}
      <FormField control={form.control} name="code">
        {codeField}
      </FormField>
      <FormActions>
        <Button type="submit" kind="danger" loading={form.formState.isSubmitting}>
          Switch it off
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** Ten new recovery codes for a code of the app. */
export const NewRecoveryCodes = ({
  renew,
  onDone,
}: {
  renew: (code: string) => Promise<{ recoveryCodes: string[] }>
  onDone: () => void
}) => {
  const form = useForm({ defaultValues: { code: '' } })
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <Form
      form={form}
      label="New recovery codes"
      onSubmit={async ({ code }) => setCodes((await renew(code)).recoveryCodes)}
    >
      <p className="muted">Ten new codes; the old ones stop working.</p>
      <FormField control={form.control} name="code">
        {codeField}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Make new codes
        </Button>
      </FormActions>
    </Form>
  )
}
