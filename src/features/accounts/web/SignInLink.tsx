import { useState } from 'react'
import { call, serverMessage } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { accountsApi } from '../contract.ts'

/** Signs in without a password: a link by mail, for the address in the form above. */
export const SignInLink = ({ email }: { email: () => string }) => {
  const [busy, setBusy] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const send = async () => {
    const address = email().trim()
    if (!/^\S+@\S+\.\S+$/.test(address)) {
      setNote('Enter your email above first.')
      return
    }
    setBusy(true)
    try {
      setNote((await call(accountsApi.sendSignInLink, { body: { email: address } }, { retries: 0 })).message)
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
        {note}
      </p>
    </div>
  )
}
