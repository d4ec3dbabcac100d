import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { IconLock } from '../../../ui/icons.ts'
import { TextField } from '../../../ui/TextField.tsx'
import type { OwnerSession } from './session.ts'
import './owner.css'

type Props = {
  session: OwnerSession
  note: string
  button: string
  /** The leads dashboard clears both fields after a no; the portal only shows the message. */
  clears: boolean
}

const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : '')

/** A wrong name or password has its own words; what the server says of the second step or of too many tries is shown as it is. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof ApiError) || error.code === 'invalid_credentials') return 'Invalid credentials'
  return error.errors[0]?.message ?? error.message
}

/** The product owner's own way in, apart from every business. */
export const OwnerLogin = ({ session, note, button, clears }: Props) => {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  /** Null until the server asks for the second step. */
  const [code, setCode] = useState<string | null>(null)
  const [missing, setMissing] = useState<{ username?: string; password?: string }>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const failed = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) failed.current?.focus()
  }, [problem])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const gaps = {
      ...(username.trim() === '' ? { username: 'Enter your username.' } : {}),
      ...(password === '' ? { password: 'Enter your password.' } : {}),
    }
    setMissing(gaps)
    if (busy || Object.keys(gaps).length > 0) return
    setBusy(true)
    setProblem(null)
    try {
      await session.signIn(username.trim(), password, code?.trim() || undefined)
    } catch (error) {
      setBusy(false)
      const asks = codeOf(error) === 'two_factor_required'
      if (asks && code === null) {
        setCode('')
        return
      }
      setProblem(messageOf(error))
      if (clears && code === null) {
        setUsername('')
        setPassword('')
      }
    }
  }
  return (
    <main className="owner-login" id="screen" tabIndex={-1}>
      <div className="owner-login__sheet">
        <span className="owner-login__mark" aria-hidden="true">
          <IconLock size={22} />
        </span>
        <h1>Owner Access Only</h1>
        <p className="muted">{note}</p>
        {problem ? <Banner tone="error" title={problem} ref={failed} /> : null}
        {session.hasEnded && !problem ? <Banner tone="warn" title="Please sign in to continue" /> : null}
        <form noValidate aria-label="Owner sign-in" onSubmit={(event) => void submit(event)}>
          <TextField
            label="Username"
            name="username"
            autoComplete="username"
            autoFocus
            value={username}
            onChange={setUsername}
            error={missing.username}
            spellCheck={false}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={missing.password}
          />
          {code === null ? null : (
            <TextField
              label="Code"
              name="code"
              hint="The six digits of your authenticator app, or a recovery code."
              autoComplete="one-time-code"
              inputMode="numeric"
              autoFocus
              maxLength={20}
              value={code}
              onChange={setCode}
            />
          )}
          <Button type="submit" kind="primary" size="l" wide loading={busy}>
            {button}
          </Button>
        </form>
      </div>
    </main>
  )
}
