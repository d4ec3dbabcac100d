import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, call, serverMessage } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { phoneLanguage } from '../../../shared/phoneLanguage.ts'
import { messageIn } from '../../../shared/spanishMessages.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { accountsApi } from '../contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { NewPasswordFields, newPasswordErrors } from './Password.tsx'
import { type SignInTexts, signInWords, usePhoneLanguage } from './signInTexts.ts'

type Values = { password: string; repeated: string }

const resolver: Resolver<Values> = (values) => {
  const errors = newPasswordErrors(values.password, values.repeated, signInWords().reset.fields)
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

const Dead = ({ message, t }: { message: string; t: SignInTexts }) => (
  <AccountFrame title={t.reset.title} home={t.home}>
    <Banner tone="error" title={messageIn(phoneLanguage(), message, t.reset.dead)}>
      {t.reset.deadMore}
    </Banner>
    <Button kind="primary" size="l" wide href={paths.forgotPassword}>
      {t.reset.ask}
    </Button>
    <p className="signin__new">
      <LinkTo href={paths.signin}>{t.back}</LinkTo>
    </p>
  </AccountFrame>
)

/** Sets a new password by the link of a mail, after looking whether the link still works. */
export const ResetPasswordScreen = () => {
  const t = signInWords()
  usePhoneLanguage()
  const token = useSearchParams()[0].get('token') ?? ''
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<Values>({ resolver, defaultValues: { password: '', repeated: '' } })
  const check = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => call(accountsApi.checkReset, { params: { token } }, { signal, retries: 1 }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const submit = form.handleSubmit(async ({ password }) => {
    setProblem(null)
    try {
      const { email } = await call(accountsApi.resetPassword, { params: { token }, body: { password } }, { retries: 0 })
      void navigate(paths.signin, {
        replace: true,
        state: { success: t.reset.done, email },
      })
    } catch (error) {
      const field = error instanceof ApiError ? error.errors.find((item) => item.path === 'password') : undefined
      if (field)
        form.setError('password', {
          type: 'server',
          message: messageIn(phoneLanguage(), field.message, t.reset.failed),
        })
      else setProblem(messageIn(phoneLanguage(), serverMessage(error, t.reset.failed), t.reset.failed))
    }
  })

  if (token === '') return <Dead message={t.reset.dead} t={t} />
  if (check.isError && !check.data) return <Dead message={serverMessage(check.error, t.reset.dead)} t={t} />
  return (
    <AccountFrame
      title={t.reset.title}
      home={t.home}
      lead={check.data ? t.reset.lead(check.data.email) : t.reset.looking}
    >
      {problem ? <Banner tone="error" title={problem} /> : null}
      {check.data ? (
        <form noValidate aria-label={t.reset.title} onSubmit={(event) => void submit(event)}>
          <input type="hidden" autoComplete="username" value={check.data.email} readOnly />
          <NewPasswordFields
            control={form.control}
            label={t.reset.fields.label}
            again={t.reset.fields.again}
            hint={t.reset.fields.hint}
            autoFocus
          />
          <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting}>
            {t.reset.set}
          </Button>
        </form>
      ) : (
        <Skeleton height={180} />
      )}
    </AccountFrame>
  )
}
