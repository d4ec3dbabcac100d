import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconArrowLeft, IconCircleCheck } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import './checkout.css'
import { checkoutQuery, payWithTestCard } from './data.ts'

const testCards = [
  { number: '4242 4242 4242 4242', words: 'is paid' },
  { number: '4000 0000 0000 0002', words: 'is declined' },
  { number: '4000 0000 0000 9995', words: 'has no money' },
] as const

/** Four digits at a time, as they stand on the card. */
const grouped = (text: string): string =>
  (
    text
      .replace(/\D/g, '')
      .slice(0, 16)
      .match(/.{1,4}/g) ?? []
  ).join(' ')

const backFrom = (returnPath: string): string => returnPath.replace(/\?.*$/, '')

const Form = ({
  sessionId,
  amountCents,
  returnPath,
}: {
  sessionId: string
  amountCents: number
  returnPath: string
}) => {
  const [card, setCard] = useState('4242 4242 4242 4242')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | undefined>()
  const [declined, setDeclined] = useState<string | null>(null)
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (declined) message.current?.focus()
  }, [declined])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setWrong(undefined)
    setDeclined(null)
    try {
      const answer = await payWithTestCard(sessionId, card)
      // Busy to the end: there is nothing left to press on this page.
      if (answer.result === 'paid') return window.location.assign(answer.returnPath)
      setDeclined(answer.message)
    } catch (error) {
      const field = error instanceof ApiError ? error.errors.find((one) => one.path.endsWith('cardNumber')) : undefined
      if (field) setWrong(field.message)
      else
        setDeclined(
          error instanceof ApiError ? error.message : 'This did not go through. Nothing was charged; please try again.',
        )
    }
    setBusy(false)
  }
  return (
    <form className="checkout__form" onSubmit={submit} noValidate>
      <h2>Pay with a test card</h2>
      {declined ? (
        <p className="checkout__declined" role="alert" tabIndex={-1} ref={message}>
          {declined}
        </p>
      ) : null}
      <TextField
        label="Card number"
        value={card}
        onChange={(text) => setCard(grouped(text))}
        inputMode="numeric"
        autoComplete="off"
        error={wrong}
      />
      <fieldset className="checkout__cards">
        <legend>Test cards</legend>
        {testCards.map(({ number, words }) => (
          <button key={number} type="button" aria-pressed={card === number} onClick={() => setCard(number)}>
            <span className="num">{number}</span> <span className="hint">{words}</span>
          </button>
        ))}
      </fieldset>
      <button type="submit" className="checkout__pay" aria-busy={busy || undefined}>
        {busy ? <Spinner size={19} /> : null}
        {busy ? 'Paying…' : `Pay ${formatCents(amountCents)}`}
      </button>
      <p className="hint">
        No card network is asked and no money moves. <a href={backFrom(returnPath)}>Cancel and go back</a>
      </p>
    </form>
  )
}

/** Stands in for a card provider's hosted page while none is set up. Nobody may take it for the real thing. */
export const LocalCheckoutScreen = () => {
  const { sessionId = '' } = useParams()
  const found = useQuery(checkoutQuery(sessionId))
  const session = found.data
  const frame = (inside: ReactNode) => (
    <main className="checkout" id="screen">
      <p className="checkout__test">
        <b>TEST checkout</b> Never type a real card number here.
      </p>
      <div className="checkout__sheet">{inside}</div>
    </main>
  )
  if (!session)
    return frame(
      found.error instanceof ApiError && found.error.status === 404 ? (
        <div className="checkout__end">
          <h1>There is no such payment page</h1>
          <p>Go back to the invoice and press Pay again. Nothing was charged.</p>
        </div>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      ),
    )
  const back = backFrom(session.returnPath)
  if (session.status === 'complete')
    return frame(
      <div className="checkout__end">
        <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
        <h1>This is paid</h1>
        <p>{formatCents(session.amountCents)} was paid with a test card. It can not be paid twice.</p>
        <a className="checkout__pay" href={session.returnPath}>
          Back to the invoice
        </a>
      </div>,
    )
  if (session.status === 'expired')
    return frame(
      <div className="checkout__end">
        <h1>This payment page has expired</h1>
        <p>Nothing was charged. The invoice opens a fresh one over what is still open.</p>
        <a className="checkout__pay" href={back}>
          Back to the invoice
        </a>
      </div>,
    )
  return frame(
    <>
      <section className="checkout__what">
        <a href={back}>
          <IconArrowLeft size={17} aria-hidden="true" />
          {session.businessName}
        </a>
        <h1>
          <span>Pay {session.businessName}</span>
          <b className="num">{formatCents(session.amountCents)}</b>
        </h1>
        <dl>
          <div>
            <dt>{session.description}</dt>
            <dd className="num">{formatCents(session.amountCents)}</dd>
          </div>
          <div>
            <dt>Total due</dt>
            <dd className="num">{formatCents(session.amountCents)}</dd>
          </div>
        </dl>
      </section>
      <Form sessionId={sessionId} amountCents={session.amountCents} returnPath={session.returnPath} />
    </>,
  )
}
