import { useEffect, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { IconAlertTriangle, IconCircleCheck, IconLock } from '../../../ui/icons.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import type { PublicInvoice } from '../../payments/contract.ts'
import { openCheckout } from './data.ts'
import { useConfirmation } from './useConfirmation.ts'

type Props = {
  invoice: PublicInvoice
  token: string | null
  isBack: boolean
  onSettled: () => void
  onReload: () => void
}

const Reach = ({ business }: { business: PublicInvoice['business'] }) => (
  <>
    {business.phone ? <a href={`tel:${business.phone}`}>{formatPhone(business.phone)}</a> : null}
    {business.phone && business.email ? ' or ' : null}
    {business.email ? <a href={`mailto:${business.email}`}>{business.email}</a> : null}
    {business.phone || business.email ? null : business.name}
  </>
)

const Paid = ({ invoice }: { invoice: PublicInvoice }) => {
  const last = invoice.payments.at(-1)
  const firstName = invoice.billTo.name.split(' ')[0]
  return (
    <section className="pay pay--paid">
      <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
      <h2>Paid. Thank you{firstName ? `, ${firstName}` : ''}!</h2>
      <p>
        <b className="num">{formatCents(invoice.totalCents)}</b>
        {last ? ` arrived on ${formatDay(last.receivedOn, { long: true })}` : ''}. Nothing is open. This page is your
        receipt; a copy is in your mail.
      </p>
    </section>
  )
}

/** The button where the page is only shown: it says what would happen. */
const ShownButton = ({ invoice }: { invoice: PublicInvoice }) => {
  const [pressed, setPressed] = useState(false)
  return (
    <>
      <button type="button" className="pay__button" onClick={() => setPressed(true)}>
        <IconLock size={19} aria-hidden="true" />
        Pay {formatCents(invoice.balanceCents)}
      </button>
      <p className="pay__shown" role="status">
        {pressed
          ? 'Here your customer would pay on the secure card page. Then this page turns into the receipt, and the invoice into paid. This is a tour: nothing is charged.'
          : null}
      </p>
    </>
  )
}

const PayButton = ({ invoice, token, onReload }: { invoice: PublicInvoice; token: string; onReload: () => void }) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    // Back from the checkout without paying: the browser shows this page as it was left.
    const back = (event: PageTransitionEvent) => event.persisted && setBusy(false)
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [])
  const pay = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const { url } = await openCheckout(token)
      window.location.assign(url)
    } catch (error) {
      setBusy(false)
      setProblem(
        error instanceof ApiError
          ? error.message
          : 'The payment page did not open. Nothing was charged; please try again.',
      )
      onReload()
    }
  }
  return (
    <>
      {problem ? (
        <p className="pay__problem" role="alert">
          <IconAlertTriangle size={18} aria-hidden="true" /> {problem}
        </p>
      ) : null}
      <button type="button" className="pay__button" onClick={busy ? undefined : pay} aria-busy={busy || undefined}>
        {busy ? <Spinner size={20} /> : <IconLock size={19} aria-hidden="true" />}
        Pay {formatCents(invoice.balanceCents)}
      </button>
    </>
  )
}

/** The top of the page: how much, until when, and the one thing to do about it. */
export const PayBox = ({ invoice, token, isBack, onSettled, onReload }: Props) => {
  const { phase, again, stop } = useConfirmation(token ?? '', isBack && invoice.status !== 'paid', onSettled)
  if (invoice.status === 'paid') return <Paid invoice={invoice} />
  if (invoice.status === 'void')
    return (
      <section className="pay pay--void">
        <h2>This invoice was voided</h2>
        <p>
          There is nothing to pay on it. If you expected otherwise, reach us at <Reach business={invoice.business} />.
        </p>
      </section>
    )
  if (invoice.status === 'written_off')
    return (
      <section className="pay pay--void">
        <h2>This invoice is closed</h2>
        <p>
          Nothing is asked for on it any more. If you would like to pay it after all, reach us at{' '}
          <Reach business={invoice.business} />.
        </p>
      </section>
    )
  if (phase === 'asking')
    return (
      <section className="pay" role="status">
        <Spinner size={34} />
        <h2>Confirming your payment…</h2>
        <p>This takes a few seconds. Please leave this page open.</p>
      </section>
    )
  if (phase === 'late')
    return (
      <section className="pay" role="status">
        <h2>We have not heard back about your payment yet</h2>
        <p>
          If you finished paying, it is safe to close this page: your payment counts, and the receipt comes by mail.
          Please do not pay a second time.
        </p>
        <button type="button" className="pay__button" onClick={again}>
          Check again
        </button>
        <button
          type="button"
          className="pay__quiet"
          onClick={() => {
            stop()
            onSettled()
          }}
        >
          I did not pay yet
        </button>
      </section>
    )
  return (
    <section className="pay">
      <p className="pay__label">Amount due</p>
      <p className="pay__amount num">{formatCents(invoice.balanceCents)}</p>
      <p className={`pay__due${invoice.overdue ? ' is-late' : ''}`}>
        {invoice.overdue ? 'It was due ' : 'Due '}
        {formatDay(invoice.dueOn, { long: true })}
        {invoice.paidCents > 0
          ? ` · ${formatCents(invoice.paidCents)} of ${formatCents(invoice.totalCents)} is paid`
          : ''}
      </p>
      {invoice.canPay ? (
        <>
          {token === null ? (
            <ShownButton invoice={invoice} />
          ) : (
            <PayButton invoice={invoice} token={token} onReload={onReload} />
          )}
          <p className="pay__hint">
            {invoice.livemode
              ? 'Secure card payment. The receipt comes by mail at once.'
              : 'Test checkout: it looks like the real one, and no money moves.'}
          </p>
        </>
      ) : (
        <p className="pay__hint">
          To pay, follow the terms below or reach us at <Reach business={invoice.business} />.
        </p>
      )}
    </section>
  )
}
