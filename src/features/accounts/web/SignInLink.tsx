import { useState } from 'react'
import { call, serverMessage } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { accountsApi } from '../contract.ts'
import { LocalMailLink } from './LocalMailLink.tsx'

/** Signs in without a password: a link by mail, for the address in the form above. */
export const SignInLink = ({ email }: { email: () => string }) => {
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const send = async () => {
    const address = email().trim()
    if (!/^\S+@\S+\.\S+$/.test(address)) {
      setNote('Enter your email above first.')
      return
    }
    setBusy(true)
    setSent(false)
    try {
      setNote((await call(accountsApi.sendSignInLink, { body: { email: address } }, { retries: 0 })).message)
      setSent(true)
    } catch (error) {
      setNote(serverMessage(error, 'The link could not be sent. Please try again.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="signin__google">
      <Button size="l" wide loading={busy} onClick={() => void send()}>
        Email me a sign-in link
      </Button>
      <p className="hint" role="status">
        {note} {sent ? <LocalMailLink /> : null}
      </p>
    </div>
  )
}
