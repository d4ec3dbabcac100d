import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { phoneLanguage } from '../../../../shared/phoneLanguage.ts'
import { messageIn } from '../../../../shared/spanishMessages.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import type { SessionUser } from '../../contract.ts'
import { useSession } from '../../web/session.ts'
import { signInWords } from '../../web/signInTexts.ts'
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
  const t = signInWords()
  const [phone, setPhone] = useState<string | null>(null)
  const [pin, setPin] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async () => {
    if (!phone || pin.length !== 6) {
      setProblem(phone ? t.pin.needed : t.pin.phoneNeeded)
      return
    }
    setBusy(true)
    setProblem(null)
    try {
      onDone(session.adopt(await signInByPin(phone, pin)))
    } catch (error) {
      setProblem(
        error instanceof ApiError && error.message ? messageIn(phoneLanguage(), error.message, t.failed) : t.failed,
      )
      setPin('')
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      aria-label={t.withPin}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {problem ? (
        <Banner tone="error" title={problem} />
      ) : signedOut ? (
        <Banner tone="info" title={t.pin.signedOut}>
          {t.pin.signedOutMore}
        </Banner>
      ) : null}
      <PhoneField label={t.pin.phone} unread={t.pin.phoneWrong} value={phone} onChange={setPhone} />
      <TextField
        label={t.pin.pin}
        type="password"
        showWord={t.showPin}
        inputMode="numeric"
        autoComplete="current-password"
        hint={t.pin.hint}
        maxLength={6}
        value={pin}
        onChange={(text) => setPin(text.replace(/\D/g, ''))}
      />
      <Button type="submit" kind="primary" size="l" wide loading={busy}>
        {t.title}
      </Button>
      <Button wide onClick={onBack}>
        {t.pin.withEmail}
      </Button>
    </form>
  )
}
