import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { challengeTx } from '../twofactor/web/data.ts'
import { SecondStep } from '../twofactor/web/SecondStep.tsx'
import { useSession, useSessionState } from './session.ts'

/** Signs the person in again over a screen with something typed on it, so that nothing of it is lost. */
export const SignInAgain = () => {
  const session = useSession()
  const state = useSessionState()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [challenge, setChallenge] = useState<string | null>(null)
  if (state.phase !== 'expired') return null
  const { user } = state
  const submit = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await session.signIn(user.email ?? '', password)
    } catch (error) {
      const found = challengeTx(error)
      if (found) {
        setChallenge(found)
        return
      }
      setProblem(error instanceof ApiError && error.message ? error.message : 'Invalid credentials. Please try again.')
      setPassword('')
      setBusy(false)
    }
  }
  const startAgain = () => {
    setChallenge(null)
    setPassword('')
    setBusy(false)
  }
  const frame = { open: true, required: true, onClose: () => undefined, title: 'Sign in to go on', size: 's' } as const
  if (challenge !== null)
    return (
      <Dialog {...frame}>
        <div className="ui-form">
          <Banner tone="info" title="One more step">
            What you typed is still on the screen behind this.
          </Banner>
          <SecondStep challenge={challenge} onDone={startAgain} onAgain={startAgain} />
        </div>
      </Dialog>
    )
  return (
    <Dialog {...frame}>
      <form
        className="ui-form"
        noValidate
        aria-label="Sign in to go on"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <Banner tone={problem ? 'error' : 'info'} title={problem ?? state.notice}>
          What you typed is still on the screen behind this.
        </Banner>
        <input type="hidden" autoComplete="username" value={user.email ?? ''} readOnly />
        <TextField
          label={`Password of ${user.email ?? user.name}`}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          autoFocus
        />
        <p className="hint">You can also sign in in another tab; this page then goes on by itself.</p>
        <FormActions>
          <Button type="submit" kind="primary" loading={busy} disabled={password === ''}>
            Sign in
          </Button>
          <Button kind="quiet" onClick={() => void session.signOut()} disabled={busy}>
            Leave without saving
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
