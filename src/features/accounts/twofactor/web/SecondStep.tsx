import { useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { messageIn } from '../../../../shared/spanishMessages.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import type { SessionUser } from '../../contract.ts'
import { useSession } from '../../web/session.ts'
import { signInTexts } from '../../web/signInTexts.ts'
import { takeSecondStep } from './data.ts'

/** The second step of a sign-in: six digits of the app, or a recovery code. */
export const SecondStep = ({
  challenge,
  onDone,
  onAgain,
  language = 'en',
}: {
  challenge: string
  onDone: (user: SessionUser) => void
  onAgain: () => void
  /** Of the screen that it stands on: the office's are English. */
  language?: 'en' | 'es'
}) => {
  const t = signInTexts[language]
  const session = useSession()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ message: string; over: boolean } | null>(null)
  const submit = async () => {
    setBusy(true)
    setProblem(null)
    try {
      onDone(session.adopt(await takeSecondStep(challenge, code)))
    } catch (error) {
      const field = error instanceof ApiError ? error.errors[0]?.message : undefined
      setProblem({
        message: messageIn(language, field ?? (error instanceof Error ? error.message : t.failed), t.failed),
        over: error instanceof ApiError && error.status === 409,
      })
      setCode('')
      setBusy(false)
    }
  }
  return (
    <form
      className="ui-form"
      noValidate
      aria-label={t.second.form}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
    >
      {problem ? <Banner tone="error" title={problem.message} /> : null}
      <TextField
        label={t.second.code}
        hint={t.second.hint}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        maxLength={20}
        autoFocus
      />
      {problem?.over ? null : (
        <Button type="submit" kind="primary" size="l" wide loading={busy} disabled={code.trim().length < 6}>
          {t.second.goOn}
        </Button>
      )}
      <Button wide onClick={onAgain}>
        {t.second.again}
      </Button>
    </form>
  )
}
