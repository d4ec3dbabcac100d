import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useOnlyLooks, useUser } from '../../../accounts/web/session.ts'
import { type CardAccount, connectApi } from '../contract.ts'
import type { ConnectState } from '../rules.ts'
import { cardAccountQuery, goToConnect, useDisconnect, useSyncAccount } from './data.ts'
import './connect.css'

const tones: Record<ConnectState, Tone> = {
  unavailable: 'neutral',
  none: 'neutral',
  incomplete: 'wait',
  checking: 'wait',
  paused: 'late',
  needsInfo: 'flag',
  ready: 'done',
  disconnected: 'neutral',
  removed: 'late',
}

/** What the button that leads to the provider says, by what it leads to. */
const leads: Partial<Record<ConnectState, string>> = {
  none: 'Set up card payments',
  incomplete: 'Go on with the set-up',
  paused: 'Send what is asked for',
  needsInfo: 'Send what is asked for',
  disconnected: 'Switch card payments on',
  removed: 'Set up card payments again',
}

/** What is still asked for, in words. */
export const Requirements = ({ account, as: Heading = 'h3' }: { account: CardAccount; as?: 'h2' | 'h3' }) =>
  account.requirements.length === 0 ? null : (
    <div className="card-account__due">
      <Heading>{account.providerLabel} asks for</Heading>
      <ul>
        {account.requirements.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  )

const Actions = ({ account, onDisconnect }: { account: CardAccount; onDisconnect: () => void }) => {
  const [leaving, setLeaving] = useState(false)
  const sync = useSyncAccount()
  const { state, dashboardUrl, can } = account
  const leave = async () => {
    setLeaving(true)
    try {
      await goToConnect()
    } catch (error) {
      setLeaving(false)
      toast.error(error)
    }
  }
  const lead = leads[state]
  const look = (state === 'ready' || state === 'checking') && dashboardUrl === null
  const waits = state === 'checking' || state === 'paused' || state === 'needsInfo' || state === 'incomplete'
  return (
    <div className="card-account__do">
      {can.connect && lead ? (
        <Button calls={connectApi.connectAccount} kind="primary" loading={leaving} onClick={leave}>
          {lead}
        </Button>
      ) : null}
      {can.connect && look ? (
        <Button calls={connectApi.connectAccount} loading={leaving} onClick={leave}>
          Open the account
        </Button>
      ) : null}
      {account.testBankPath && can.disconnect ? (
        <Button href={account.testBankPath} newTab>
          Play the bank
        </Button>
      ) : null}
      {dashboardUrl && can.disconnect ? (
        <Button href={dashboardUrl} newTab>
          Open Stripe
        </Button>
      ) : null}
      {waits ? (
        <Button
          kind="quiet"
          loading={sync.isPending}
          onClick={() =>
            sync.mutate(undefined, {
              onSuccess: (now) => toast.success(now.title),
              onError: (error) => toast.error(error),
            })
          }
        >
          Check again
        </Button>
      ) : null}
      {can.disconnect ? (
        <Button kind="quiet" onClick={onDisconnect}>
          Switch off card payments
        </Button>
      ) : null}
    </div>
  )
}

/** Whether customers can pay by card, what is missing for it, and the way there. */
export const CardAccountCard = () => {
  const user = useUser()
  const onlyLooks = useOnlyLooks()
  const found = useQuery(cardAccountQuery)
  const disconnect = useDisconnect()
  const [asking, setAsking] = useState(false)
  const account = found.data
  return (
    <Card id="cards" flush className="settings-card">
      {account ? (
        <>
          <div className="settings-card__words">
            <h2>
              Card payments <Badge tone={tones[account.state]}>{account.title}</Badge>
              {account.providerLabel && !account.livemode ? <Badge tone="flag">TEST – no money moves</Badge> : null}
            </h2>
            <p className="muted">{account.message}</p>
          </div>
          {account.takesCards && !account.payoutsEnabled ? (
            <Banner tone="warn">Money that comes in waits in your account: it is not paid out to your bank yet.</Banner>
          ) : null}
          <Requirements account={account} />
          <Actions account={account} onDisconnect={() => setAsking(true)} />
          {user.role === 'Owner' || onlyLooks || account.state === 'unavailable' ? null : (
            <p className="hint">The owner of the business sets this up: the account and its bank are theirs.</p>
          )}
          <ConfirmDialog
            open={asking}
            onClose={() => setAsking(false)}
            title="Switch off card payments?"
            confirmLabel="Switch off card payments"
            danger
            onConfirm={() => disconnect.mutateAsync()}
          >
            From now on nobody can pay by card, and payment pages that are open right now end. The account stays yours
            with its money and payouts, earlier card payments can still be refunded here, and you can switch it on again
            any time.
          </ConfirmDialog>
        </>
      ) : found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load your card payments"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </Card>
  )
}
