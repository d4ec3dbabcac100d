import { useEffect, useRef, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'
import { phoneLanguage } from '../../../shared/phoneLanguage.ts'
import { messageIn } from '../../../shared/spanishMessages.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { SessionUser } from '../contract.ts'
import { rememberPin, remembersPin } from '../team/web/data.ts'
import { PinSignIn } from '../team/web/PinSignIn.tsx'
import { challengeTx } from '../twofactor/web/data.ts'
import { SecondStep } from '../twofactor/web/SecondStep.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { GoogleButton } from './GoogleButton.tsx'
import { afterSignIn, rememberReturn, startOf } from './return-to.ts'
import { SignInLink } from './SignInLink.tsx'
import { useSession, useSessionState } from './session.ts'
import { type SignInTexts, signInWords, usePhoneLanguage } from './signInTexts.ts'

type Values = { email: string; password: string }
/** What may come along with the navigation: a reason, a success, an address to begin with, the page that was wanted, and
 * whether the person was on it when their session ended: only then do they go back to it instead of the start of their role. */
type Arrival = { message?: string; success?: string; email?: string; from?: string; again?: true } | null

const bothRequired =
  (t: SignInTexts): Resolver<Values> =>
  (values) => {
    const errors = {
      ...(values.email.trim() === ''
        ? { email: { type: 'required', message: t.emailNeeded } }
        : /^\S+@\S+\.\S+$/.test(values.email.trim())
          ? {}
          : { email: { type: 'email', message: t.emailWrong } }),
      ...(values.password === '' ? { password: { type: 'required', message: t.passwordNeeded } } : {}),
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }

const pauseMs = 1_000

const messageOf = (error: unknown, t: SignInTexts): string => {
  const said =
    error instanceof ApiError || (error instanceof Error && error.message === 'Invalid token response')
      ? error.message
      : ''
  return messageIn(phoneLanguage(), said || t.wrong, t.failed)
}

export const SignInScreen = () => {
  const session = useSession()
  const t = signInWords()
  const state = useSessionState()
  const navigate = useNavigate()
  const arrival = useLocation().state as Arrival
  const form = useForm<Values>({
    resolver: bothRequired(t),
    defaultValues: { email: arrival?.email ?? '', password: '' },
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [welcome, setWelcome] = useState<string | null>(null)
  const [closed, setClosed] = useState<string | null>(null)
  const [challenge, setChallenge] = useState<string | null>(null)
  const [method, setMethod] = useState<'email' | 'pin'>(remembersPin() ? 'pin' : 'email')
  const failed = useRef<HTMLDivElement>(null)

  usePhoneLanguage()
  useEffect(() => {
    if (problem) failed.current?.focus()
  }, [problem])

  const wanted = arrival?.from
  useEffect(() => {
    if (wanted) rememberReturn(wanted)
  }, [wanted])

  const enter = async ({ email, password }: Values, reopen = false) => {
    const user = await session.signIn(email.trim(), password, reopen ? { reopen } : {})
    rememberPin(false)
    arrive(user)
  }
  const arrive = (user: SessionUser) => {
    setWelcome(firstNameOf(user.name))
    setTimeout(
      () => void navigate(arrival?.again ? afterSignIn(user.role) : startOf(user.role), { replace: true }),
      pauseMs,
    )
  }
  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await enter(values)
    } catch (error) {
      const found = challengeTx(error)
      if (found) {
        setChallenge(found)
        return
      }
      if (error instanceof ApiError && error.details.canReopen === true) {
        setClosed(error.message)
        return
      }
      setProblem(messageOf(error, t))
      form.resetField('password')
    }
  })

  if (state.phase === 'signedIn' && welcome === null && !form.formState.isSubmitting && closed === null)
    return <Navigate replace to={startOf(state.user.role)} />
  const success = arrival?.success
  if (challenge !== null && welcome === null)
    return (
      <AccountFrame title={t.second.title} home={t.home}>
        <SecondStep
          language={phoneLanguage()}
          challenge={challenge}
          onDone={arrive}
          onAgain={() => setChallenge(null)}
        />
      </AccountFrame>
    )
  if (method === 'pin' && welcome === null)
    return (
      <AccountFrame title={t.title} home={t.home}>
        <PinSignIn
          signedOut={arrival?.message !== undefined}
          onDone={(user) => {
            rememberPin(true)
            arrive(user)
          }}
          onBack={() => setMethod('email')}
        />
      </AccountFrame>
    )
  return (
    <AccountFrame title={t.title} home={t.home}>
      {success ? <Banner tone="done" title={success} /> : null}
      {arrival?.message && !problem ? (
        <Banner tone="info" title={messageIn(phoneLanguage(), arrival.message, t.title)} />
      ) : null}
      {problem ? <Banner tone="error" title={problem} ref={failed} /> : null}
      {welcome ? <Banner tone="done" title={t.welcome(welcome)} /> : null}
      <form noValidate onSubmit={(event) => void submit(event)} aria-label={t.title}>
        <FormField control={form.control} name="email">
          {(field) => (
            <TextField
              label={t.email}
              type="email"
              autoComplete="username"
              inputMode="email"
              autoFocus={!arrival?.email}
              {...field}
            />
          )}
        </FormField>
        <FormField control={form.control} name="password">
          {(field) => (
            <TextField
              label={t.password}
              type="password"
              showWord={t.show}
              autoComplete="current-password"
              hint={t.passwordHint}
              autoFocus={Boolean(arrival?.email)}
              {...field}
            />
          )}
        </FormField>
        <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting || welcome !== null}>
          {t.title}
        </Button>
        <LinkTo href={paths.forgotPassword} className="signin__forgot">
          {t.forgot}
        </LinkTo>
      </form>
      <p className="signin__or">
        <span>{t.or}</span>
      </p>
      <GoogleButton label={t.google} t={t} next={arrival?.from} />
      <Button size="l" wide onClick={() => setMethod('pin')}>
        {t.withPin}
      </Button>
      <SignInLink email={() => form.getValues('email')} />
      <p className="signin__new">
        {t.newHere} <LinkTo href={paths.register}>{t.create}</LinkTo>
      </p>
      <ConfirmDialog
        open={closed !== null}
        onClose={() => {
          setClosed(null)
          form.resetField('password')
        }}
        title={t.closed.title}
        confirmLabel={t.closed.open}
        onConfirm={() => enter(form.getValues(), true)}
      >
        {closed}
      </ConfirmDialog>
    </AccountFrame>
  )
}
