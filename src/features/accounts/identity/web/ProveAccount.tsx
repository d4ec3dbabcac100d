import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { serverMessage } from '../../../../shared/client.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import type { SessionUser } from '../../contract.ts'
import { useSession } from '../../web/session.ts'
import { proveByMail, proveByPassword } from './data.ts'

/** An e-mail alone opens nothing: the password, or a link in that mailbox, shows that the account is theirs. */
export const ProveAccount = ({
  code,
  email,
  hasPassword,
  onDone,
  onProblem,
}: {
  code: string
  email: string
  hasPassword: boolean
  onDone: (user: SessionUser, next: string | null) => void
  onProblem: (error: unknown) => void
}) => {
  const session = useSession()
  const form = useForm({ defaultValues: { password: '' } })
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<{ message: string; done: boolean } | null>(null)
  const submit = async ({ password }: { password: string }) => {
    try {
      const opened = await proveByPassword(code, password)
      onDone(session.adopt(opened), opened.next)
    } catch (error) {
      onProblem(error)
      throw error
    }
  }
  const mail = async () => {
    setBusy(true)
    try {
      const { sentTo } = await proveByMail(code)
      setNote({ message: `We have mailed a link to ${sentTo}. It works for an hour.`, done: true })
    } catch (error) {
      setNote({ message: serverMessage(error, 'The mail could not be sent. Please try again.'), done: false })
    }
    setBusy(false)
  }
  return (
    <>
      <p className="signin__lead">{email} has a sign-in already. Show once that it is yours; then Google is enough.</p>
      {note ? <Banner tone={note.done ? 'done' : 'error'} title={note.message} /> : null}
      {hasPassword ? (
        <>
          <Form form={form} onSubmit={submit} label="Is this your account?">
            <FormField control={form.control} name="password">
              {(field) => (
                <TextField label="Password" type="password" autoComplete="current-password" autoFocus {...field} />
              )}
            </FormField>
            <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting}>
              Connect and sign in
            </Button>
          </Form>
          <p className="signin__or">
            <span>or</span>
          </p>
        </>
      ) : null}
      <Button
        size="l"
        wide
        kind={hasPassword ? 'secondary' : 'primary'}
        loading={busy}
        disabled={note?.done ?? false}
        onClick={() => void mail()}
      >
        Email me a link instead
      </Button>
    </>
  )
}
