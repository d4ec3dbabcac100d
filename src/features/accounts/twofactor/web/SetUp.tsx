import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import './twofactor.css'

const grouped = (key: string): string => key.match(/.{1,4}/g)?.join(' ') ?? key

/** The code to scan, drawn in this browser: the key goes nowhere else. */
const Qr = ({ uri }: { uri: string }) => {
  const drawn = useQuery({
    queryKey: ['qr', uri],
    queryFn: async () => {
      const { encode } = await import('uqr')
      const { data, size } = encode(uri, { border: 2 })
      return {
        size,
        path: data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join(''),
      }
    },
    gcTime: 0,
  }).data
  return drawn ? (
    <svg
      className="two-qr"
      viewBox={`0 0 ${drawn.size} ${drawn.size}`}
      role="img"
      aria-label="QR code for your authenticator app"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={drawn.path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  ) : (
    <div className="two-qr" />
  )
}

type Props = {
  /** False where nobody can be asked for one: the sign-in with Google. */
  hasPassword: boolean
  begin: (password: string) => Promise<{ key: string; uri: string }>
  confirm: (code: string) => Promise<{ recoveryCodes: string[] }>
  onDone: () => void
}

/** Switches the second step on: password, scan, code, recovery codes. Whose second step it is, the caller says. */
export const SetUp = ({ hasPassword, begin, confirm, onDone }: Props) => {
  const [secret, setSecret] = useState<{ key: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const first = useForm({ defaultValues: { password: '' } })
  const second = useForm({ defaultValues: { code: '' } })
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (secret)
    return (
      <Form
        form={second}
        label="Confirm your authenticator app"
        onSubmit={async ({ code }) => setCodes((await confirm(code)).recoveryCodes)}
      >
        <p>
          Scan this with an authenticator app (Google Authenticator, 1Password, Authy or another), then enter the code
          it shows.
        </p>
        <div className="two-scan">
          <Qr uri={secret.uri} />
          <p className="two-key">
            <span className="hint">Or type this key into the app:</span>
            <code>{grouped(secret.key)}</code>
          </p>
        </div>
        <FormField control={second.control} name="code">
          {(field) => (
            <TextField
              label="Code"
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={7}
              autoFocus
              {...field}
            />
          )}
        </FormField>
        <FormActions>
          <Button type="submit" kind="primary" loading={second.formState.isSubmitting}>
            Switch it on
          </Button>
        </FormActions>
      </Form>
    )
  return (
    <Form
      form={first}
      label="Set up the second step"
      onSubmit={async ({ password }) => setSecret(await begin(password))}
    >
      <Banner tone="info" title="Signing in then takes your password and a code of your phone.">
        A stolen password alone opens nothing any more.
      </Banner>
      {hasPassword ? (
        <FormField control={first.control} name="password">
          {(field) => (
            <TextField label="Your password" type="password" autoComplete="current-password" autoFocus {...field} />
          )}
        </FormField>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={first.formState.isSubmitting}>
          Continue
        </Button>
      </FormActions>
    </Form>
  )
}
