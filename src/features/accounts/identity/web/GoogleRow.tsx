import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { inShell } from '../../../../shared/shell.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { beginConnect, googleQuery, useDisconnect } from './data.ts'

const Connect = () => {
  const form = useForm({ defaultValues: { password: '' } })
  return (
    <Form
      form={form}
      label="Connect Google"
      onSubmit={async ({ password }) => {
        const { url } = await beginConnect(password)
        window.location.assign(url)
      }}
    >
      <p className="muted">Your password shows that it is you. Then Google asks which account to use.</p>
      <FormField control={form.control} name="password">
        {(field) => (
          <TextField label="Your password" type="password" autoComplete="current-password" autoFocus {...field} />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Continue with Google
        </Button>
      </FormActions>
    </Form>
  )
}

/** Google in the list of how a person signs in. */
export const GoogleRow = () => {
  const { data } = useQuery(googleQuery)
  const disconnect = useDisconnect()
  const [open, setOpen] = useState(false)
  // Connecting asks Google, which does not answer in the native shell.
  if (!data || ((!data.available || inShell()) && !data.connected)) return null
  return (
    <div className="own-row">
      <div>
        <b>Google</b>
        <span className="hint">
          {data.connected ? (
            <>
              <Badge tone="done">Connected</Badge>{' '}
              {data.hasPassword
                ? 'You can sign in with Google.'
                : 'The only way you sign in; set a password to change that.'}
            </>
          ) : (
            'Sign in without typing your password.'
          )}
        </span>
      </div>
      {data.connected ? (
        data.hasPassword ? (
          <Button
            size="s"
            loading={disconnect.isPending}
            onClick={() =>
              disconnect.mutate(undefined, {
                onSuccess: () => toast.success('Google is disconnected'),
                onError: (error) => toast.error(error),
              })
            }
          >
            Disconnect
          </Button>
        ) : null
      ) : data.hasPassword ? (
        <Button size="s" onClick={() => setOpen(true)}>
          Connect
        </Button>
      ) : null}
      <Dialog open={open} onClose={() => setOpen(false)} title="Connect Google" size="s">
        {open ? <Connect /> : null}
      </Dialog>
    </div>
  )
}
