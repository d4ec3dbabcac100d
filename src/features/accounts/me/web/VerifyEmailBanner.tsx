import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { useUser } from '../../web/session.ts'
import { resendVerification } from './data.ts'

/** Stands over every screen until the person has confirmed that the address is theirs. */
export const VerifyEmailBanner = () => {
  const user = useUser()
  const [note, setNote] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  if (user.emailVerified || !user.email) return null
  const resend = async () => {
    setBusy(true)
    try {
      setNote(`Sent to ${(await resendVerification()).sentTo}. Look under spam too.`)
    } catch (error) {
      setNote(error instanceof ApiError ? error.message : 'The mail could not be sent. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="shell-banner" role="status">
      <span>
        <b>Confirm your email.</b> {note ?? `We sent a link to ${user.email}, so that you can always get back in.`}
      </span>
      <button type="button" disabled={busy} onClick={() => void resend()}>
        Send it again
      </button>
    </div>
  )
}
