import { useState } from 'react'
import { useLocation } from 'react-router'
import { call, serverMessage } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { accountsApi } from '../contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { LocalMailLink } from './LocalMailLink.tsx'

type Outcome = { tone: 'done' | 'error'; message: string }

/** Asks for the link that sets a new password. The words are the same whether or not the address has an account. */
export const ForgotPasswordScreen = () => {
  const arrival = useLocation().state as { email?: string } | null
  const [email, setEmail] = useState(arrival?.email ?? '')
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const ask = async () => {
    const isAddress = /^\S+@\S+\.\S+$/.test(email.trim())
    setWrong(isAddress ? undefined : 'Please enter a valid email address')
    if (!isAddress) return
    setBusy(true)
    setOutcome(null)
    try {
      const { message } = await call(accountsApi.forgotPassword, { body: { email: email.trim() } }, { retries: 0 })
      setOutcome({ tone: 'done', message: message })
    } catch (error) {
      const fallback = 'An error occurred while requesting password reset. Please try again.'
      setOutcome({ tone: 'error', message: serverMessage(error, fallback) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <AccountFrame title="Forgot password" lead="We mail you a link that sets a new password.">
      {outcome ? (
        <Banner tone={outcome.tone} title={outcome.message}>
          {outcome.tone === 'done' ? (
            <>
              Nothing there after a few minutes? Look under spam, or check the address. <LocalMailLink />
            </>
          ) : null}
        </Banner>
      ) : null}
      <form
        noValidate
        aria-label="Forgot password"
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          name="email"
          value={email}
          onChange={setEmail}
          error={wrong}
          autoFocus
        />
        <Button type="submit" kind="primary" size="l" wide loading={busy}>
          {outcome?.tone === 'done' ? 'Send it again' : 'Send the link'}
        </Button>
      </form>
      <p className="signin__new">
        <LinkTo href={paths.signin}>Back to sign in</LinkTo>
      </p>
    </AccountFrame>
  )
}
