import { useState } from 'react'
import { call, serverMessage } from '../../../shared/client.ts'
import { phoneLanguage } from '../../../shared/phoneLanguage.ts'
import { messageIn } from '../../../shared/spanishMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { accountsApi } from '../contract.ts'
import { LocalMailLink } from './LocalMailLink.tsx'
import { signInWords } from './signInTexts.ts'

/** Signs in without a password: a link by mail, for the address in the form above. */
export const SignInLink = ({ email }: { email: () => string }) => {
  const t = signInWords()
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const send = async () => {
    const address = email().trim()
    if (!/^\S+@\S+\.\S+$/.test(address)) {
      setNote(t.linkNeedsEmail)
      return
    }
    setBusy(true)
    setSent(false)
    try {
      const { message } = await call(accountsApi.sendSignInLink, { body: { email: address } }, { retries: 0 })
      setNote(t.linkSent ?? message)
      setSent(true)
    } catch (error) {
      setNote(messageIn(phoneLanguage(), serverMessage(error, t.linkFailed), t.linkFailed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="signin__google">
      <Button size="l" wide loading={busy} onClick={() => void send()}>
        {t.link}
      </Button>
      <p className="hint" role="status">
        {note} {sent ? <LocalMailLink label={t.localMail} /> : null}
      </p>
    </div>
  )
}
