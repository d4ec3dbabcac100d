import { useState } from 'react'
import { useLocation } from 'react-router'
import { call, serverMessage } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { phoneLanguage } from '../../../shared/phoneLanguage.ts'
import { messageIn } from '../../../shared/spanishMessages.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { accountsApi } from '../contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { LocalMailLink } from './LocalMailLink.tsx'
import { signInWords, usePhoneLanguage } from './signInTexts.ts'

type Outcome = { tone: 'done' | 'error'; message: string }

/** Asks for the link that sets a new password. The words are the same whether or not the address has an account. */
export const ForgotPasswordScreen = () => {
  const t = signInWords()
  usePhoneLanguage()
  const arrival = useLocation().state as { email?: string } | null
  const [email, setEmail] = useState(arrival?.email ?? '')
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const ask = async () => {
    const isAddress = /^\S+@\S+\.\S+$/.test(email.trim())
    setWrong(isAddress ? undefined : t.forgotten.wrong)
    if (!isAddress) return
    setBusy(true)
    setOutcome(null)
    try {
      const { message } = await call(accountsApi.forgotPassword, { body: { email: email.trim() } }, { retries: 0 })
      setOutcome({ tone: 'done', message: messageIn(phoneLanguage(), message, message) })
    } catch (error) {
      const { failed } = t.forgotten
      setOutcome({ tone: 'error', message: messageIn(phoneLanguage(), serverMessage(error, failed), failed) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <AccountFrame title={t.forgotten.title} lead={t.forgotten.lead} home={t.home}>
      {outcome ? (
        <Banner tone={outcome.tone} title={outcome.message}>
          {outcome.tone === 'done' ? (
            <>
              {t.forgotten.nothingThere} <LocalMailLink label={t.localMail} />
            </>
          ) : null}
        </Banner>
      ) : null}
      <form
        noValidate
        aria-label={t.forgotten.title}
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <TextField
          label={t.email}
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
          {outcome?.tone === 'done' ? t.forgotten.sendAgain : t.forgotten.send}
        </Button>
      </form>
      <p className="signin__new">
        <LinkTo href={paths.signin}>{t.back}</LinkTo>
      </p>
    </AccountFrame>
  )
}
