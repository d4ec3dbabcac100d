import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { LocalBank } from '../../../../local/payments/contract.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { TestFrame } from '../../web/TestCards.tsx'
import { isUndecided, kindLabels } from '../rules.ts'
import { bankQuery, playBank } from './data.ts'
import '../../connect/web/connect.css'
import './disputes.css'

type Payment = LocalBank['payments'][number]
type Play = (deed: Parameters<typeof playBank>[1]) => void

const words = {
  needs_response: 'waits for the business',
  under_review: 'is looked into',
  won: 'was decided for the business',
  lost: 'was decided for the customer',
  closed: 'was closed',
}

const debitWords = {
  processing: 'From a bank account, on its way.',
  paid: 'From a bank account, paid.',
  failed: 'From a bank account: the bank said no.',
  returned: 'From a bank account, taken back.',
}

const Row = ({ payment, play, busy }: { payment: Payment; play: Play; busy: boolean }) => {
  const { id: paymentId, amountCents, disputes, debit, next } = payment
  const running = disputes.some(({ status }) => isUndecided(status))
  const taken = disputes.some(({ kind, status }) => kind !== 'inquiry' && status === 'lost')
  return (
    <li>
      <span>
        <b>{payment.description}</b> <span className="num">{formatCents(amountCents)}</span>
      </span>
      {debit ? (
        <p>
          {debitWords[debit]} {next}
        </p>
      ) : null}
      {disputes.map(({ id, kind, status, evidence, amountCents: cents }) => (
        <div key={id}>
          <p>
            {kindLabels[kind]} over {formatCents(cents)} {words[status]}.
          </p>
          {evidence ? (
            <details>
              <summary>The evidence that arrived</summary>
              <p>{evidence}</p>
            </details>
          ) : null}
          {isUndecided(status) && kind === 'inquiry' ? (
            <>
              <button type="button" disabled={busy} onClick={() => play({ step: 'escalate', disputeId: id })}>
                Make it a dispute
              </button>
              <button type="button" disabled={busy} onClick={() => play({ step: 'lose', disputeId: id })}>
                Ask no more
              </button>
            </>
          ) : null}
          {isUndecided(status) && kind === 'dispute' ? (
            <>
              <button type="button" disabled={busy} onClick={() => play({ step: 'win', disputeId: id })}>
                Decide for the business
              </button>
              <button type="button" disabled={busy} onClick={() => play({ step: 'lose', disputeId: id })}>
                Decide for the customer
              </button>
            </>
          ) : null}
          {kind === 'dispute' && (status === 'won' || status === 'lost') ? (
            <button type="button" disabled={busy} onClick={() => play({ step: 'reverse', disputeId: id })}>
              Decide otherwise
            </button>
          ) : null}
        </div>
      ))}
      {running || taken || debit ? null : (
        <>
          <button type="button" disabled={busy} onClick={() => play({ kind: 'dispute', paymentId })}>
            Dispute it
          </button>
          {amountCents > 1 ? (
            <button
              type="button"
              disabled={busy}
              onClick={() => play({ kind: 'dispute', paymentId, amountCents: Math.floor(amountCents / 2) })}
            >
              Dispute half
            </button>
          ) : null}
          <button type="button" disabled={busy} onClick={() => play({ kind: 'inquiry', paymentId })}>
            Only ask
          </button>
        </>
      )}
    </li>
  )
}

const payoutWords = {
  on_its_way: 'is on its way',
  paid: 'has arrived',
  failed: 'was sent back',
  canceled: 'was canceled',
}

const PayoutRow = ({ payout, play, busy }: { payout: LocalBank['payouts'][number]; play: Play; busy: boolean }) => (
  <li>
    <span>
      <b>Payout</b> <span className="num">{formatCents(payout.amountCents)}</span> for {formatDay(payout.arrivesOn)}{' '}
      {payoutWords[payout.status]}.
    </span>
    {payout.status === 'on_its_way' ? (
      <button type="button" disabled={busy} onClick={() => play({ payoutId: payout.id, becomes: 'arrive' })}>
        It arrives
      </button>
    ) : null}
    {payout.status === 'on_its_way' || payout.status === 'paid' ? (
      <button type="button" disabled={busy} onClick={() => play({ payoutId: payout.id, becomes: 'fail' })}>
        The bank sends it back
      </button>
    ) : null}
  </li>
)

/** Plays the banks of the customers, while no real provider is set up. */
export const LocalBankScreen = () => {
  const { accountId = '' } = useParams()
  const client = useQueryClient()
  const query = bankQuery(accountId)
  const found = useQuery(query)
  const [busy, setBusy] = useState(false)
  const play: Play = (deed) => {
    if (busy) return
    setBusy(true)
    playBank(accountId, deed)
      .then((bank) => client.setQueryData(query.queryKey, bank), toast.error)
      .finally(() => setBusy(false))
  }
  const bank = found.data
  return (
    <TestFrame>
      <div className="local-connect local-bank">
        {bank ? (
          <>
            <h1>Banks of the customers of {bank.businessName}</h1>
            <p>
              What customers paid by test card or bank account, the newest first. Choose what their bank does; the
              business hears of it at once.{' '}
              <a href={`${paths.profile}?section=money#cards`}>Back to your card payments</a>
            </p>
            <h2>Payouts to the business’s bank</h2>
            <button type="button" disabled={busy} onClick={() => play({ paysOut: true })}>
              Pay out what is there
            </button>
            <ul>
              {bank.payouts.map((payout) => (
                <PayoutRow key={payout.id} payout={payout} play={play} busy={busy} />
              ))}
            </ul>
            <h2>Payments</h2>
            {bank.payments.some(({ next }) => next !== null) ? (
              <button type="button" disabled={busy} onClick={() => play({ days: true })}>
                Let the days pass: banks answer
              </button>
            ) : null}
            {bank.payments.length === 0 ? <p className="hint">Nothing was paid yet.</p> : null}
            <ul>
              {bank.payments.map((payment) => (
                <Row key={payment.id} payment={payment} play={play} busy={busy} />
              ))}
            </ul>
          </>
        ) : found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : (
          <PanelSkeleton />
        )}
      </div>
    </TestFrame>
  )
}
