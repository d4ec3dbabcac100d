import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { needs } from '../../web/needs.ts'
import type { Me } from '../contract.ts'
import { resendVerification, useAskForEmail, useCancelEmailChange } from './data.ts'

const Ask = ({ onDone }: { onDone: () => void }) => {
  const ask = useAskForEmail()
  const form = useForm({
    resolver: needs<{ email: string; password: string }>({
      email: 'Enter the new email',
      password: 'Enter your password',
    }),
    defaultValues: { email: '', password: '' },
  })
  return (
    <Form
      form={form}
      label="Change email"
      onSubmit={async (values) => {
        await ask.mutateAsync({ email: values.email.trim(), password: values.password })
        onDone()
      }}
    >
      <p className="muted">
        We mail a link to the new address and a note to the old one. Until you open the link, the old one stays.
      </p>
      <FormField control={form.control} name="email">
        {(field) => (
          <TextField label="New email" type="email" autoComplete="email" inputMode="email" autoFocus {...field} />
        )}
      </FormField>
      <FormField control={form.control} name="password">
        {(field) => <TextField label="Your password" type="password" autoComplete="current-password" {...field} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Send the link
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** The address a person signs in with: whether it is confirmed, which one waits, and the way to another. */
export const EmailChange = ({ me }: { me: Me }) => {
  const keep = useCancelEmailChange()
  const [asking, setAsking] = useState(false)
  const [sending, setSending] = useState(false)
  const resend = async () => {
    setSending(true)
    try {
      toast.success(`Sent to ${(await resendVerification()).sentTo}`)
    } catch (error) {
      toast.error(error as Error)
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      <div className="own-row">
        <div>
          <b>Email</b>
          <span className="own-row__value">{me.email ?? 'None yet'}</span>
          {me.email && !me.emailVerified ? <span className="hint">Not confirmed yet</span> : null}
        </div>
        <div className="own-row__actions">
          {me.email && !me.emailVerified ? (
            <Button size="s" loading={sending} onClick={() => void resend()}>
              Send the link again
            </Button>
          ) : null}
          <Button size="s" onClick={() => setAsking(true)}>
            Change email
          </Button>
        </div>
      </div>
      {me.pendingEmail ? (
        <Banner
          title={`Waiting for ${me.pendingEmail}`}
          action={
            <Button
              size="s"
              loading={keep.isPending}
              onClick={() => keep.mutate(undefined, { onError: (error) => toast.error(error) })}
            >
              Keep {me.email ? 'the old one' : 'none'}
            </Button>
          }
        >
          Open the link in the mail we sent there, within a day.
        </Banner>
      ) : null}
      <Dialog open={asking} onClose={() => setAsking(false)} title="Change email" size="s">
        {asking ? <Ask onDone={() => setAsking(false)} /> : null}
      </Dialog>
    </>
  )
}
