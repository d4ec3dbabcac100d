import { useState } from 'react'
import { inShell } from '../../../shared/shell.ts'
import { Button } from '../../../ui/Button.tsx'
import { type SignInTexts, signInTexts } from './signInTexts.ts'

const start = '/api/auth/google'

const addressOf = (input: { next?: string | undefined; invite?: string | undefined }): string => {
  const query = new URLSearchParams(Object.entries(input).filter((pair): pair is [string, string] => Boolean(pair[1])))
  return query.size ? `${start}?${query}` : start
}

const Mark = () => (
  <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
    <path
      fill="#4285f4"
      d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62z"
    />
    <path
      fill="#34a853"
      d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.32-1.58-5.03-3.7H.96v2.33A9 9 0 0 0 9 18z"
    />
    <path fill="#fbbc05" d="M3.97 10.72a5.4 5.4 0 0 1 0-3.44V4.95H.96a9 9 0 0 0 0 8.1z" />
    <path
      fill="#ea4335"
      d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.95l3.01 2.33C4.68 5.16 6.66 3.58 9 3.58z"
    />
  </svg>
)

/**
 * Leads to the identity provider when this server has one; else says so in place. The page that was wanted is remembered by the sign-in screen.
 * Not in the native shell: Google refuses to be asked there, and the phone's browser could not hand the answer back.
 */
export const GoogleButton = ({
  label = signInTexts.en.google,
  t = signInTexts.en,
  next,
  invite,
}: {
  label?: string
  t?: Pick<SignInTexts, 'notReached' | 'googleMissing'>
  /** The page to come back to. */
  next?: string | undefined
  /** Token of an invitation that this sign-in takes. */
  invite?: string
}) => {
  const [asking, setAsking] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const go = async () => {
    setAsking(true)
    setNote(null)
    const answer = await fetch(addressOf({ next, invite }), {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    }).catch(() => null)
    if (answer?.type === 'opaqueredirect') {
      window.location.assign(addressOf({ next, invite }))
      return
    }
    setAsking(false)
    setNote(answer === null ? t.notReached : t.googleMissing)
  }
  if (inShell()) return null
  return (
    <div className="signin__google">
      <Button
        size="l"
        wide
        icon={<Mark />}
        loading={asking}
        onClick={() => void go()}
        aria-describedby={note ? 'google-note' : undefined}
      >
        {label}
      </Button>
      <p id="google-note" className="hint" role="status">
        {note}
      </p>
    </div>
  )
}
