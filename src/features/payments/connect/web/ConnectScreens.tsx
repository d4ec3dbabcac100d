import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../../shared/client.ts'
import { paths } from '../../../../shared/paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Spinner } from '../../../../ui/Spinner.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { Requirements } from './CardAccountCard.tsx'
import { goToConnect, useSyncAccount } from './data.ts'
import './connect.css'

const settings = `${paths.profile}?section=money#cards`

/** Back from the provider's form. That somebody came back says nothing: the provider is asked. */
export const ConnectReturnScreen = () => {
  const sync = useSyncAccount()
  const [leaving, setLeaving] = useState(false)
  const asked = useRef(false)
  const ask = sync.mutate
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    ask()
  }, [ask])
  const account = sync.data
  if (!account)
    return (
      <section className="connect-back">
        {sync.isError ? (
          <ErrorState
            error={sync.error}
            title="We could not ask how your account stands"
            onRetry={() => sync.mutate()}
            retrying={sync.isPending}
          />
        ) : (
          <>
            <Spinner size={30} />
            <h1>Asking how your account stands…</h1>
          </>
        )}
      </section>
    )
  const goOn = account.state === 'incomplete' || account.state === 'paused' || account.state === 'needsInfo'
  return (
    <section className="connect-back" role="status">
      <h1>{account.title}</h1>
      <p>{account.message}</p>
      <Requirements account={account} as="h2" />
      <div className="card-account__do">
        {goOn && account.can.connect ? (
          <Button
            kind="primary"
            loading={leaving}
            onClick={() => {
              setLeaving(true)
              void goToConnect().catch((error) => {
                setLeaving(false)
                toast.error(error)
              })
            }}
          >
            {account.state === 'incomplete' ? 'Go on with the set-up' : 'Send what is asked for'}
          </Button>
        ) : null}
        {account.state === 'checking' ? (
          <Button loading={sync.isPending} onClick={() => sync.mutate()}>
            Check again
          </Button>
        ) : null}
        <Button href={settings} {...(account.state === 'ready' ? { kind: 'primary' as const } : {})}>
          Your card payments
        </Button>
      </div>
    </section>
  )
}

/** The provider's form timed out or was opened twice: a fresh one is opened at once, for the owner. */
export const ConnectRefreshScreen = () => {
  const user = useUser()
  const [problem, setProblem] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const begun = useRef(false)
  const isOwner = user.role === 'Owner'
  const go = () => {
    setBusy(true)
    void goToConnect().catch((error) => {
      setBusy(false)
      setProblem(error)
    })
  }
  useEffect(() => {
    if (begun.current || !isOwner) return
    begun.current = true
    void goToConnect().catch(setProblem)
  }, [isOwner])
  if (!isOwner)
    return (
      <section className="connect-back">
        <h1>The owner sets up card payments</h1>
        <p>The account and its bank are theirs. Ask them to open this from their own sign-in; nothing was changed.</p>
        <Button href={settings}>Your card payments</Button>
      </section>
    )
  return (
    <section className="connect-back">
      {problem ? (
        <>
          <ErrorState
            error={problem instanceof ApiError ? problem : new Error('We could not open the form.')}
            title="The form did not open"
            onRetry={go}
            retrying={busy}
          />
          <Button href={settings}>Your card payments</Button>
        </>
      ) : (
        <>
          <Spinner size={30} />
          <h1>Opening a fresh form…</h1>
          <p>The one before was too old. What you filled in is kept.</p>
        </>
      )}
    </section>
  )
}
