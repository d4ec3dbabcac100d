import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import type { SessionUser } from '../../contract.ts'
import { useSession } from '../../web/session.ts'
import { signInByPin } from './data.ts'

/** Sign-in of crew without e-mail: phone number and PIN, on a phone that took an invitation. */
export const PinSignIn = ({
  signedOut = false,
  onDone,
  onBack,
}: {
  /** Somebody was on a page of theirs and is not signed in any more. */
  signedOut?: boolean
  onDone: (user: SessionUser) => void
  onBack: () => void
}) => {
  const session = useSession()
  const [phone, setPhone] = useState<string | null>(null)
  const [pin, setPin] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async () => {
    if (!phone || pin.length !== 6) {
      setProblem(phone ? 'Enter the six digits of your PIN.' : 'Enter your phone number.')
      return
    }
    setBusy(true)
    setProblem(null)
    try {
      onDone(session.adopt(await signInByPin(phone, pin)))
    } catch (error) {
      setProblem(error instanceof ApiError && error.message ? error.message : 'This did not work. Please try again.')
      setPin('')
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      aria-label="Sign in with phone and PIN"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {problem ? (
        <Banner tone="error" title={problem} />
      ) : signedOut ? (
        <Banner tone="info" title="You are signed out on this phone.">
          Sign in with your PIN. If it no longer works, the office may have switched your access off: ask them.
        </Banner>
      ) : null}
      <PhoneField label="Phone number" value={phone} onChange={setPhone} />
      <TextField
        label="PIN"
        type="password"
        inputMode="numeric"
        autoComplete="current-password"
        hint="Six digits. It works on the phone on which you took your invitation."
        maxLength={6}
        value={pin}
        onChange={(text) => setPin(text.replace(/\D/g, ''))}
      />
      <Button type="submit" kind="primary" size="l" wide loading={busy}>
        Sign in
      </Button>
      <Button wide onClick={onBack}>
        Sign in with email
      </Button>
    </form>
  )
}
