import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { brand } from '../../../shared/brand.ts'
import { ApiError } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCircleCheck } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { keepWords, unsubscribeWords } from '../unsubscribing/rules.ts'
import { keepOffers, unsubscribe, unsubscribeQuery } from '../unsubscribing/web/data.ts'
import './local.css'

type Info = { businessName: string; address: string; language: 'en' | 'es'; isOurs: boolean }

const ours = {
  wouldStop: 'would no longer send offers and news to',
  still: 'Word about your application and a booked call still comes.',
} as const

/** Does something of the link, and says why where it did not work. */
const useDoing = (failed: string) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (what: () => Promise<unknown>, done: () => void) => {
    setBusy(true)
    setProblem(null)
    try {
      await what()
      done()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : failed)
    }
    setBusy(false)
  }
  return { busy, problem, run }
}

type Part = { token: string; info: Info; onDone: () => void }

const Ask = ({ token, info, onDone }: Part) => {
  const t = unsubscribeWords[info.language]
  const { busy, problem, run } = useDoing(t.failed)
  const { wouldStop, still } = info.isOurs ? ours : t
  return (
    <>
      <h1>{t.ask}</h1>
      <p>
        <b>{info.businessName}</b> {wouldStop} <b>{info.address}</b>. {still}
      </p>
      {problem ? <p role="alert">{problem}</p> : null}
      <Button
        kind="primary"
        size="l"
        wide
        loading={busy}
        onClick={() => void run(() => unsubscribe(token, info.isOurs), onDone)}
      >
        {t.stop}
      </Button>
    </>
  )
}

/** Who pressed by mistake goes on getting offers. */
const Keep = ({ token, info, onDone }: Part) => {
  const { busy, problem, run } = useDoing(unsubscribeWords[info.language].failed)
  return (
    <>
      {problem ? <p role="alert">{problem}</p> : null}
      <Button wide loading={busy} onClick={() => void run(() => keepOffers(token), onDone)}>
        {keepWords[info.language]}
      </Button>
    </>
  )
}

/** One click ends marketing mail, and another one takes that back; nobody has to sign in for it. */
export const UnsubscribeScreen = () => {
  const { token = '' } = useParams()
  const found = useQuery(unsubscribeQuery(token))
  const [done, setDone] = useState<'stopped' | 'kept' | null>(null)
  const info = found.data
  const t = unsubscribeWords[info?.language ?? 'en']
  const isEnded = done === 'stopped' || (done === null && info?.unsubscribed)
  return (
    <main className="unsub" id="screen" lang={info?.language}>
      <div className="unsub__sheet">
        {info ? (
          done === 'kept' ? (
            <>
              <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
              <h1>{t.kept}</h1>
              <p role="status">
                <b>{info.businessName}</b> {t.keeps} <b>{info.address}</b>.
              </p>
            </>
          ) : isEnded ? (
            <>
              <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
              <h1>{done ? t.done : t.doneBefore}</h1>
              <p role="status">
                <b>{info.businessName}</b> {t.stopped} <b>{info.address}</b>. {info.isOurs ? ours.still : t.still}
              </p>
              {(done === 'stopped' && !info.isOurs) || info.mayKeep ? (
                <Keep token={token} info={info} onDone={() => setDone('kept')} />
              ) : null}
            </>
          ) : (
            <Ask token={token} info={info} onDone={() => setDone('stopped')} />
          )
        ) : found.error instanceof ApiError && found.error.status === 404 ? (
          <>
            <h1>{t.badLink}</h1>
            <p>{t.badLinkHelp}</p>
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
