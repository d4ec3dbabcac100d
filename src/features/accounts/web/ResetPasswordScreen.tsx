import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, call, serverMessage } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { accountsApi } from '../contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { NewPasswordFields, newPasswordErrors } from './Password.tsx'

type Values = { password: string; repeated: string }

const resolver: Resolver<Values> = (values) => {
  const errors = newPasswordErrors(values.password, values.repeated)
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

const fallback = 'An error occurred while resetting your password. Please try again.'
const invalidMessage = 'Invalid or expired password reset token.'

const Dead = ({ message }: { message: string }) => (
  <AccountFrame title="Reset password">
    <Banner tone="error" title={message}>
      A link works once, for one hour. Nothing was changed.
    </Banner>
    <Button kind="primary" size="l" wide href={paths.forgotPassword}>
      Ask for a new link
    </Button>
    <p className="signin__new">
      <LinkTo href={paths.signin}>Back to sign in</LinkTo>
    </p>
  </AccountFrame>
)

/** Sets a new password by the link of a mail, after looking whether the link still works. */
export const ResetPasswordScreen = () => {
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
        state: { success: 'Your password was changed. Sign in with the new one.', email },
      })
    } catch (error) {
      const field = error instanceof ApiError ? error.errors.find((item) => item.path === 'password') : undefined
      if (field) form.setError('password', { type: 'server', message: field.message })
      else setProblem(serverMessage(error, fallback))
    }
  })

  if (token === '') return <Dead message={invalidMessage} />
  if (check.isError && !check.data) return <Dead message={serverMessage(check.error, invalidMessage)} />
  return (
    <AccountFrame
      title="Reset password"
      lead={check.data ? `A new password for ${check.data.email}. All devices are signed out.` : 'Checking the link…'}
    >
      {problem ? <Banner tone="error" title={problem} /> : null}
      {check.data ? (
        <form noValidate aria-label="Reset password" onSubmit={(event) => void submit(event)}>
          <input type="hidden" autoComplete="username" value={check.data.email} readOnly />
          <NewPasswordFields control={form.control} label="New password" autoFocus />
          <Button type="submit" kind="primary" size="l" wide loading={form.formState.isSubmitting}>
            Set new password
          </Button>
        </form>
      ) : (
        <Skeleton height={180} />
      )}
    </AccountFrame>
  )
}
