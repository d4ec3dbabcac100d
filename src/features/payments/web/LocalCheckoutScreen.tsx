import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconArrowLeft, IconCircleCheck } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { type CheckoutTexts, checkoutTexts } from './checkoutTexts.ts'
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
  t,
}: {
  t: CheckoutTexts
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
      else setDeclined(error instanceof ApiError ? error.message : t.failed)
    }
    setBusy(false)
  }
  return (
    <form className="checkout__form" onSubmit={submit} noValidate>
      <h2>
        {keepsOnly ? t.keep : t.payWith} {byBank ? t.testBank : t.testCard}
      </h2>
      {bankAccounts.length > 0 && !bankOnly ? (
        <div className="checkout__ways">
          <button type="button" aria-pressed={!byBank} onClick={() => setAccount(null)}>
            {t.card}
          </button>
          <button type="button" aria-pressed={byBank} onClick={() => setAccount(bankAccounts[0]?.number ?? '')}>
            {t.bank}
          </button>
        </div>
      ) : null}
      {declined ? (
        <p className="checkout__declined" role="alert" tabIndex={-1} ref={message}>
          {declined}
        </p>
      ) : null}
      {savesCard ? <p className="hint">{t.kept(byBank)}</p> : null}
      {byBank ? (
        <TestAccounts value={account} onChange={setAccount} error={wrong} accounts={bankAccounts} t={t} />
      ) : (
        <TestCards value={card} onChange={setCard} error={wrong} cards={savesCard ? keptCards : usualCards} t={t} />
      )}
      <button type="submit" className="checkout__pay" aria-busy={busy || undefined}>
        {busy ? <Spinner size={19} /> : null}
        {keepsOnly ? (busy ? t.keeping : t.keepThis(byBank)) : busy ? t.paying : t.pay(formatCents(amountCents))}
      </button>
      <p className="hint">
        {t.noMoney} <a href={backFrom(returnPath)}>{t.cancel}</a>
      </p>
    </form>
  )
}

/** Stands in for a card provider's hosted page while none is set up. Nobody may take it for the real thing. */
export const LocalCheckoutScreen = () => {
  const { sessionId = '' } = useParams()
  const found = useQuery(checkoutQuery(sessionId))
  const session = found.data
  const language = session?.language ?? 'en'
  const t = checkoutTexts[language]
  const frame = (inside: ReactNode) => (
    <TestFrame language={language} t={t}>
      {inside}
    </TestFrame>
  )
  if (!session)
    return frame(
      found.error instanceof ApiError && found.error.status === 404 ? (
        <div className="checkout__end">
          <h1>There is no such payment page</h1>
          <p>Go back to the invoice and press Pay again. Nothing was charged.</p>
          <p lang="es">
            Esta página de pago no existe. Vuelva a la factura y presione Pagar de nuevo. No se cobró nada.
          </p>
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
        <h1>{session.keepsOnly ? t.isKept : session.byBank ? t.isAsked : t.isPaid}</h1>
        <p>
          {session.keepsOnly
            ? t.nothingCharged
            : (session.byBank ? t.onItsWay : t.wasPaid)(formatCents(session.amountCents))}
        </p>
        <a className="checkout__pay" href={session.returnPath}>
          {session.returnPath.startsWith('/i/') ? t.toInvoice : t.back}
        </a>
      </div>,
    )
  if (session.status === 'expired')
    return frame(
      <div className="checkout__end">
        <h1>{t.expired}</h1>
        <p>{t.expiredMore}</p>
        <a className="checkout__pay" href={back}>
          {session.returnPath.startsWith('/i/') ? t.toInvoice : t.back}
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
              ? t.leaveWith(session.businessName, session.bankAccounts.length > 0)
              : t.payBusiness(session.businessName)}
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
              <dt>{t.tip}</dt>
              <dd className="num">{formatCents(session.tipCents)}</dd>
            </div>
          ) : null}
          <div>
            <dt>{t.total}</dt>
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
        t={t}
      />
    </>,
  )
}
