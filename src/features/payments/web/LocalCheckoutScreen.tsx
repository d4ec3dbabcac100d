import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconArrowLeft, IconCircleCheck } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { checkoutQuery, payTest } from './data.ts'
import { TestAccounts, TestCards, TestFrame, usualCards } from './TestCards.tsx'

/** Where whoever pays nothing goes: the page that they came from. */
const backFrom = (returnPath: string): string => returnPath.replace(/\?[^#]*/, '')

/** Cards that are good now and say no when they are charged later. */
const keptCards = [
  ...usualCards,
  { number: '4000 0000 0000 0341', label: 'is paid, has no money later' },
  { number: '4000 0000 0000 0069', label: 'is paid, has expired later' },
]

const Form = ({
  sessionId,
  amountCents,
  returnPath,
  savesCard,
  keepsOnly,
  bankAccounts,
  bankOnly,
}: {
  bankOnly: boolean
  bankAccounts: readonly { number: string; label: string }[]
  savesCard: boolean
  keepsOnly: boolean
  sessionId: string
  amountCents: number
  returnPath: string
}) => {
  const [card, setCard] = useState('4242 4242 4242 4242')
  const [account, setAccount] = useState<string | null>(bankOnly ? (bankAccounts[0]?.number ?? '') : null)
  const byBank = account !== null
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
      const answer = await payTest(sessionId, byBank ? { bankAccount: account } : { cardNumber: card })
      // Busy to the end: there is nothing left to press on this page.
      if (answer.result === 'paid') return window.location.assign(answer.returnPath)
      setDeclined(answer.message)
    } catch (error) {
      const field = error instanceof ApiError ? error.errors[0] : undefined
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
      <h2>
        {keepsOnly ? 'Keep' : 'Pay with'} {byBank ? 'a test bank account' : 'a test card'}
      </h2>
      {bankAccounts.length > 0 && !bankOnly ? (
        <div className="checkout__ways">
          <button type="button" aria-pressed={!byBank} onClick={() => setAccount(null)}>
            Card
          </button>
          <button type="button" aria-pressed={byBank} onClick={() => setAccount(bankAccounts[0]?.number ?? '')}>
            US bank account
          </button>
        </div>
      ) : null}
      {declined ? (
        <p className="checkout__declined" role="alert" tabIndex={-1} ref={message}>
          {declined}
        </p>
      ) : null}
      {savesCard ? <p className="hint">This {byBank ? 'account' : 'card'} is kept for autopay.</p> : null}
      {byBank ? (
        <TestAccounts value={account} onChange={setAccount} error={wrong} accounts={bankAccounts} />
      ) : (
        <TestCards value={card} onChange={setCard} error={wrong} cards={savesCard ? keptCards : usualCards} />
      )}
      <button type="submit" className="checkout__pay" aria-busy={busy || undefined}>
        {busy ? <Spinner size={19} /> : null}
        {keepsOnly
          ? busy
            ? 'Keeping…'
            : byBank
              ? 'Keep this account'
              : 'Keep this card'
          : busy
            ? 'Paying…'
            : `Pay ${formatCents(amountCents)}`}
      </button>
      <p className="hint">
        No card network or bank is asked and no money moves. <a href={backFrom(returnPath)}>Cancel and go back</a>
      </p>
    </form>
  )
}

/** Stands in for a card provider's hosted page while none is set up. Nobody may take it for the real thing. */
export const LocalCheckoutScreen = () => {
  const { sessionId = '' } = useParams()
  const found = useQuery(checkoutQuery(sessionId))
  const session = found.data
  const frame = (inside: ReactNode) => <TestFrame>{inside}</TestFrame>
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
        <h1>{session.keepsOnly ? 'This is kept' : session.byBank ? 'The bank was asked' : 'This is paid'}</h1>
        <p>
          {session.keepsOnly
            ? 'Nothing was charged.'
            : session.byBank
              ? `${formatCents(session.amountCents)} is on its way from a test account. It cannot be paid twice.`
              : `${formatCents(session.amountCents)} was paid with a test card. It cannot be paid twice.`}
        </p>
        <a className="checkout__pay" href={session.returnPath}>
          {session.returnPath.startsWith('/i/') ? 'Back to the invoice' : 'Go back'}
        </a>
      </div>,
    )
  if (session.status === 'expired')
    return frame(
      <div className="checkout__end">
        <h1>This payment page has expired</h1>
        <p>Nothing was charged. Go back and press Pay again for a fresh one over what is still open.</p>
        <a className="checkout__pay" href={back}>
          {session.returnPath.startsWith('/i/') ? 'Back to the invoice' : 'Go back'}
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
          <span>
            {session.keepsOnly
              ? `Leave ${session.bankAccounts.length > 0 ? 'a card or bank account' : 'a card'} with ${session.businessName}`
              : `Pay ${session.businessName}`}
          </span>
          <b className="num">{formatCents(session.amountCents)}</b>
        </h1>
        <dl>
          <div>
            <dt>{session.description}</dt>
            <dd className="num">{formatCents(session.amountCents - session.tipCents)}</dd>
          </div>
          {session.tipCents > 0 ? (
            <div>
              <dt>Tip for the crew</dt>
              <dd className="num">{formatCents(session.tipCents)}</dd>
            </div>
          ) : null}
          <div>
            <dt>Total due</dt>
            <dd className="num">{formatCents(session.amountCents)}</dd>
          </div>
        </dl>
      </section>
      <Form
        sessionId={sessionId}
        amountCents={session.amountCents}
        returnPath={session.returnPath}
        savesCard={session.savesCard}
        keepsOnly={session.keepsOnly}
        bankAccounts={session.bankAccounts}
        bankOnly={session.bankOnly}
      />
    </>,
  )
}
