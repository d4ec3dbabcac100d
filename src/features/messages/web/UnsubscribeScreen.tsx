import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { brand } from '../../../shared/brand.ts'
import { ApiError } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCircleCheck } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { unsubscribe, unsubscribeQuery } from './data.ts'
import './local.css'

const stillComes = (isOurs: boolean): string =>
  isOurs
    ? 'Word about your application and a booked call still comes.'
    : 'Invoices, receipts and word about your visits still come.'

const Ask = ({
  token,
  businessName,
  address,
  isOurs,
  onDone,
}: {
  token: string
  businessName: string
  address: string
  isOurs: boolean
  onDone: () => void
}) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const stop = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await unsubscribe(token, isOurs)
      onDone()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'This did not work. Please try again.')
      setBusy(false)
    }
  }
  return (
    <>
      <h1>Stop news and offers?</h1>
      <p>
        <b>{businessName}</b> would no longer send {isOurs ? 'offers and news' : 'offers, news and questions'} to{' '}
        <b>{address}</b>. {stillComes(isOurs)}
      </p>
      {problem ? <p role="alert">{problem}</p> : null}
      <Button kind="primary" size="l" wide loading={busy} onClick={stop}>
        Stop news and offers
      </Button>
    </>
  )
}

/** One click ends marketing mail; nobody has to sign in for it. */
export const UnsubscribeScreen = () => {
  const { token = '' } = useParams()
  const found = useQuery(unsubscribeQuery(token))
  const [done, setDone] = useState(false)
  const info = found.data
  return (
    <main className="unsub" id="screen">
      <div className="unsub__sheet">
        {info ? (
          done || info.unsubscribed ? (
            <>
              <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
              <h1>{done ? 'Done' : 'This is done already'}</h1>
              <p role="status">
                <b>{info.businessName}</b> sends no more news and offers to <b>{info.address}</b>.{' '}
                {stillComes(info.isOurs)}
              </p>
            </>
          ) : (
            <Ask
              token={token}
              businessName={info.businessName}
              address={info.address}
              isOurs={info.isOurs}
              onDone={() => setDone(true)}
            />
          )
        ) : found.error instanceof ApiError && found.error.status === 404 ? (
          <>
            <h1>This link does not work</h1>
            <p>It may be cut off. Open it again from the mail, or answer that mail and ask them to stop.</p>
          </>
        ) : found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : (
          <PanelSkeleton />
        )}
      </div>
      <p className="hint">Sent with {brand.name}</p>
    </main>
  )
}
