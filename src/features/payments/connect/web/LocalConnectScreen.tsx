import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import type { AccountStep } from '../../../../local/payments/contract.ts'
import { ApiError } from '../../../../shared/client.ts'
import { paths } from '../../../../shared/paths.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { TestFrame } from '../../web/TestCards.tsx'
import { localAccountQuery, stepAccount } from './data.ts'
import './connect.css'

const states = {
  new: 'Nothing was filled in yet.',
  checking: 'The details are being checked.',
  ready: 'The account takes cards and is paid out.',
  needsInfo: 'The account takes cards; a photo of an ID is asked for.',
  paused: 'Card payments are paused.',
}

const steps: readonly { step: AccountStep; label: string; hint: string }[] = [
  { step: 'finish', label: 'Fill in everything', hint: 'Accepted at once: cards work.' },
  { step: 'submit', label: 'Fill in everything, to be checked', hint: 'It waits; open this again to let it pass.' },
  { step: 'leave', label: 'Leave half-way', hint: 'Nothing is sent.' },
  { step: 'askMore', label: 'The provider asks for more', hint: 'Cards work, payouts wait for a photo of an ID.' },
  { step: 'pause', label: 'The provider pauses card payments', hint: 'Nobody can pay by card.' },
  {
    step: 'remove',
    label: 'Take Swath’s access away',
    hint: 'As from the account’s own settings; it cannot be undone.',
  },
]

/** Plays the provider's side of a business's own account, while none is set up. */
export const LocalConnectScreen = () => {
  const { linkId = '' } = useParams()
  const found = useQuery(localAccountQuery(linkId))
  const [busy, setBusy] = useState<AccountStep | null>(null)
  const frame = (inside: ReactNode) => <TestFrame>{inside}</TestFrame>
  const page = found.data
  if (!page)
    return frame(
      found.error instanceof ApiError && found.error.status === 404 ? (
        <div className="checkout__end">
          <h1>There is no such account</h1>
          <p>Open it again from your settings.</p>
          <a className="checkout__pay" href={`${paths.profile}?section=money#cards`}>
            Your card payments
          </a>
        </div>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      ),
    )
  if (page.expired)
    return frame(
      <div className="checkout__end">
        <h1>This form is too old</h1>
        <p>It is good for five minutes. What was filled in is kept.</p>
        <a className="checkout__pay" href={page.refreshPath}>
          Open a fresh one
        </a>
      </div>,
    )
  const play = async (step: AccountStep) => {
    if (busy) return
    setBusy(step)
    try {
      window.location.assign((await stepAccount(linkId, step)).returnPath)
    } catch (error) {
      setBusy(null)
      toast.error(error)
      void found.refetch()
    }
  }
  return frame(
    <div className="local-connect">
      <h1>Account of {page.businessName}</h1>
      <p>
        At a real provider the owner fills in a form here: who they are, their bank, their ID. {states[page.state]}{' '}
        Choose what happens:
      </p>
      <ul>
        {steps.map(({ step, label, hint }) => (
          <li key={step}>
            <button type="button" onClick={() => play(step)} aria-busy={busy === step || undefined}>
              <b>{label}</b>
              <span className="hint">{hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>,
  )
}
