import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call, serverMessage } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { accountsApi } from '../contract.ts'
import { challengeTx } from '../twofactor/web/data.ts'
import { SecondStep } from '../twofactor/web/SecondStep.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { afterSignIn, startOf } from './return-to.ts'
import { useMaybeUser, useSession } from './session.ts'

const done = {
  verifyEmail: { title: 'Address confirmed', message: (email: string) => `${email} is confirmed. Thank you.` },
  changeEmail: { title: 'Address changed', message: (email: string) => `You sign in with ${email} from now on.` },
  signIn: { title: 'Signing you in', message: (email: string) => `Signed in as ${email}.` },
} as const

/** Where the links of account mails land: does what the link is for, once, and says so. */
export const LoginSuccessScreen = () => {
  const token = useSearchParams()[0].get('token') ?? ''
  const session = useSession()
  const user = useMaybeUser()
  const navigate = useNavigate()
  // A query, so that one link is used once however often this is drawn.
  const used = useQuery({
    queryKey: ['email-link', token],
    queryFn: async () => {
      const answer = await call(accountsApi.useEmailLink, { params: { token } }, { retries: 0 })
      const person = answer.session ? session.adopt(answer.session) : await session.refreshUser()
      return {
        purpose: answer.purpose,
        email: answer.email,
        role: person?.role ?? null,
        signedIn: answer.session !== null,
      }
    },
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const { data } = used
  const goOn = data?.signedIn ? data.role : null
  useEffect(() => {
    if (!goOn) return
    const timer = setTimeout(() => void navigate(afterSignIn(goOn), { replace: true }), 1_000)
    return () => clearTimeout(timer)
  }, [goOn, navigate])

  const challenge = challengeTx(used.error)
  if (challenge !== null)
    return (
      <AccountFrame title="One more step">
        <SecondStep
          challenge={challenge}
          onDone={(person) => void navigate(afterSignIn(person.role), { replace: true })}
          onAgain={() => void navigate(paths.signin, { replace: true })}
        />
      </AccountFrame>
    )
  if (token === '' || used.isError) {
    const message = 'This link has expired or was used already. Nothing was changed; ask for a new one.'
    return (
      <AccountFrame title="This link does not work any more">
        <Banner tone="error" title={serverMessage(used.error, message)} />
        <Button kind="primary" size="l" wide href={user ? startOf(user.role) : paths.signin}>
          {user ? 'Go on' : 'Sign in'}
        </Button>
        <p className="signin__new">
          <LinkTo href={paths.forgotPassword}>Forgot password?</LinkTo>
        </p>
      </AccountFrame>
    )
  }
  if (!data)
    return (
      <AccountFrame title="Signing you in">
        <p className="signin__lead" role="status">
          <Spinner /> One moment, we check the link.
        </p>
      </AccountFrame>
    )
  const { title, message } = done[data.purpose]
  return (
    <AccountFrame title={title}>
      <Banner tone="done" title={message(data.email)} />
      {data.signedIn ? null : user ? (
        <Button kind="primary" size="l" wide href={startOf(user.role)}>
          Go on
        </Button>
      ) : (
        <Button
          kind="primary"
          size="l"
          wide
          onClick={() =>
            void navigate(paths.signin, { replace: true, state: { success: message(data.email), email: data.email } })
          }
        >
          Sign in
        </Button>
      )}
    </AccountFrame>
  )
}
