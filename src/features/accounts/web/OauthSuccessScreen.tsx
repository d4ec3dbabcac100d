import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { brand } from '../../../shared/brand.ts'
import { serverMessage } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import type { SessionUser } from '../contract.ts'
import type { IdentityProblem } from '../identity/rules.ts'
import { connectByLink, finishQuery } from '../identity/web/data.ts'
import { ProveAccount } from '../identity/web/ProveAccount.tsx'
import { RegisterWithGoogle } from '../identity/web/RegisterWithGoogle.tsx'
import { challengeTx } from '../twofactor/web/data.ts'
import { SecondStep } from '../twofactor/web/SecondStep.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { GoogleButton } from './GoogleButton.tsx'
import { afterSignIn } from './return-to.ts'
import { useSession } from './session.ts'

const problems: Record<IdentityProblem, { title: string; text: string }> = {
  canceled: {
    title: 'You canceled at Google.',
    text: 'Nothing was changed. You can try again, or sign in another way.',
  },
  lost: {
    title: 'Google sent you back to another browser, or too late.',
    text: 'Nothing was changed. Try again here; if it happens again, allow cookies for this page.',
  },
  failed: { title: 'Google’s answer did not fit.', text: 'Nothing was changed. Please try again.' },
  off: { title: 'Google sign-in is not set up on this server yet.', text: 'Sign in with your email and password.' },
  email_not_verified: {
    title: 'Google has not verified your email address.',
    text: 'Confirm it at Google first, then try again. Until then, sign in with your email and password.',
  },
  invited: {
    title: 'You have an invitation that you have not taken yet.',
    text: 'Open the link in the message you got; you can use Google there. If you cannot find it, ask your office for a new one.',
  },
  disabled: {
    title: 'This sign-in was switched off.',
    text: 'Ask the office of your business if you think that is a mistake.',
  },
  invite_email: {
    title: 'This invitation is for another email address.',
    text: 'Choose the Google account with the address that was invited, or set a password on the invitation instead.',
  },
  invite_over: { title: 'This invitation cannot be taken any more.', text: 'Ask your office for a new one.' },
  taken: {
    title: 'This Google account belongs to another sign-in already.',
    text: 'Nothing was changed. Choose another Google account, or disconnect it there first.',
  },
}

const Problem = ({ name }: { name: string }) => {
  const { title, text } = problems[name as IdentityProblem] ?? problems.failed
  return (
    <AccountFrame title="You are not signed in yet">
      <Banner tone="warn" title={title}>
        {text}
      </Banner>
      <GoogleButton label="Try again with Google" />
      <Button size="l" wide href={paths.signin}>
        Sign in another way
      </Button>
    </AccountFrame>
  )
}

const Connected = () => (
  <AccountFrame title="Google is connected">
    <Banner tone="done" title="From now on you can sign in with Google." />
    <Button kind="primary" size="l" wide href={paths.profile}>
      Back to your profile
    </Button>
  </AccountFrame>
)

/** Tokens of mails come behind the #, which no server sees; it leaves the address at once. */
const takeMailed = (): string => {
  const token = /^#connect=(.+)$/.exec(window.location.hash)?.[1] ?? ''
  if (token) window.history.replaceState(null, '', window.location.pathname)
  return decodeURIComponent(token)
}

const pauseMs = 1_000

/** Where Google sends people back: into their session, or to what is still asked of them. */
export const OauthSuccessScreen = () => {
  const [query] = useSearchParams()
  const code = query.get('code') ?? ''
  const problem = query.get('problem')
  const session = useSession()
  const navigate = useNavigate()
  const [mailed] = useState(takeMailed)
  const [challenge, setChallenge] = useState<string | null>(null)
  const [connecting, setConnecting] = useState<{ busy: boolean; message: string | null }>({
    busy: false,
    message: null,
  })
  const finish = useQuery(finishQuery(code))
  const entered = useRef(false)

  const go = (user: SessionUser, next: string | null = null) =>
    setTimeout(() => void navigate(next ?? afterSignIn(user.role), { replace: true }), pauseMs)
  const failed = (error: unknown): void => {
    const found = challengeTx(error)
    if (found) setChallenge(found)
  }

  const answer = finish.data
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer comes once, and only it matters
  useEffect(() => {
    if (answer?.kind !== 'signedIn' || entered.current) return
    entered.current = true
    go(session.adopt(answer), answer.next)
  }, [answer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (finish.error) failed(finish.error)
  }, [finish.error])

  if (challenge)
    return (
      <AccountFrame title="One more step">
        <SecondStep
          challenge={challenge}
          onDone={(user) => go(user)}
          onAgain={() => void navigate(paths.signin, { replace: true })}
        />
      </AccountFrame>
    )
  if (mailed)
    return (
      <AccountFrame title="Connect Google" lead={`Google then signs you in to ${brand.name}, besides your password.`}>
        {connecting.message ? <Banner tone="error" title={connecting.message} /> : null}
        <Button
          kind="primary"
          size="l"
          wide
          loading={connecting.busy}
          onClick={async () => {
            setConnecting({ busy: true, message: null })
            try {
              const opened = await connectByLink(mailed)
              go(session.adopt(opened), opened.next)
            } catch (error) {
              failed(error)
              setConnecting({ busy: false, message: serverMessage(error, 'This did not work. Please try again.') })
            }
          }}
        >
          Connect Google and sign in
        </Button>
      </AccountFrame>
    )
  if (query.get('connected')) return <Connected />
  if (problem) return <Problem name={problem} />
  if (code === '' || (finish.isError && !challengeTx(finish.error)))
    return (
      <AccountFrame title="You are not signed in yet">
        <Banner
          tone="warn"
          title={serverMessage(finish.error, 'This sign-in took too long or was used already. Please sign in again.')}
        />
        <Button kind="primary" size="l" wide href={paths.signin}>
          Sign in
        </Button>
      </AccountFrame>
    )
  if (answer?.kind === 'prove')
    return (
      <AccountFrame title="Is this your account?">
        <ProveAccount
          code={code}
          email={answer.email}
          hasPassword={answer.hasPassword}
          onDone={go}
          onProblem={failed}
        />
      </AccountFrame>
    )
  if (answer?.kind === 'register')
    return (
      <AccountFrame title="Create your account" lead={`You sign in as ${answer.email}, with Google.`}>
        <RegisterWithGoogle code={code} name={answer.name} onDone={go} />
      </AccountFrame>
    )
  return (
    <AccountFrame title="Signing you in">
      <p className="signin__lead" role="status">
        <Spinner /> One moment, Google has answered.
      </p>
    </AccountFrame>
  )
}
