import { useEffect, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { IconAlertTriangle, IconBuildingBank, IconCircleCheck, IconLock } from '../../../ui/icons.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { receiptComes, toldBy } from '../../messages/paperways/rules.ts'
import type { PublicInvoice } from '../../payments/contract.ts'
import { pendingWords, usualBankDays } from '../pending/rules.ts'
import { invoiceName } from '../rules.ts'
import { openCheckout, openCheckoutAndSave, openCheckoutForAll, openCheckoutWithTip, turnAutopayOff } from './data.ts'
import { TipPicker } from './TipPicker.tsx'
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

const Paid = ({ invoice, ...rest }: { invoice: PublicInvoice; token: string | null; onReload: () => void }) => {
  const firstName = invoice.billTo.name.split(' ')[0]
  return (
    <section className="pay pay--paid">
      <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
      <h2>
        {invoice.totalCents === 0
          ? 'There is nothing to pay'
          : invoice.paidCents > invoice.creditedCents
            ? `Paid. Thank you${firstName ? `, ${firstName}` : ''}!`
            : 'Nothing is open'}
      </h2>
      {invoice.totalCents === 0 ? (
        <p>Nothing is charged on this invoice.</p>
      ) : (
        <p>
          {invoice.payments.map((payment, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: payments are only ever added
            <span key={at}>
              {at > 0 ? (at === invoice.payments.length - 1 ? ' and ' : ', ') : ''}
              <b className="num">{formatCents(payment.amountCents)}</b>
              {payment.method === 'credit'
                ? ' was credited'
                : ` came on ${formatDay(payment.receivedOn, { long: true, year: true })}`}
              {payment.tipCents > 0 ? `, with ${formatCents(payment.tipCents)} more as a tip for the crew` : ''}
            </span>
          ))}
          {invoice.payments.length > 0 ? '. ' : ''}
          {invoice.lateFees.length > 0 ? '' : 'Nothing is open. '}
          {invoice.paidCents > invoice.creditedCents
            ? `This page is your receipt${invoice.told === null ? '' : `; a copy comes ${toldBy[invoice.told]}`}.`
            : ''}
        </p>
      )}
      <LateFees invoice={invoice} />
      <AutopayNote invoice={invoice} {...rest} />
    </section>
  )
}

/** What paying it late cost so far: invoices of their own, and what is owed with them. */
const LateFees = ({ invoice }: { invoice: PublicInvoice }) => {
  const { lateFees, owedWithFeesCents, balanceCents } = invoice
  if (lateFees.length === 0) return null
  return (
    <div className="pay__fees">
      <p>
        Because it {balanceCents > 0 ? 'is' : 'was'} late, {lateFees.length === 1 ? 'a late fee was' : 'late fees were'}{' '}
        charged:
      </p>
      <ul>
        {lateFees.map(({ number, openCents, onDay, path }) => (
          <li key={number}>
            <span>
              <a href={path}>{invoiceName(number)}</a>, {formatDay(onDay, { year: true })}
            </span>
            <b className="num">{formatCents(openCents)}</b>
          </li>
        ))}
      </ul>
      <p>
        {balanceCents > 0 ? 'Owed in all: ' : 'Still open: '}
        <b className="num">{formatCents(owedWithFeesCents)}</b>
      </p>
    </div>
  )
}

/** What is on its way from the payer's bank. */
const OnItsWay = ({ invoice }: { invoice: PublicInvoice }) =>
  invoice.pending ? (
    <p className="pay__pending" role="status">
      <IconBuildingBank size={18} aria-hidden="true" />
      <span>
        {pendingWords(invoice.pending)}{' '}
        {invoice.status === 'void'
          ? `When it arrives, it is your credit with ${invoice.business.name}.`
          : invoice.payableCents > 0
            ? `${formatCents(invoice.payableCents)} is still to pay.`
            : `You need not do anything; ${receiptComes(invoice.told)}.`}
      </span>
    </p>
  ) : null

/** A bank that said no: whoever opens the page again has not done nothing. */
const Bounced = ({ invoice: { bounced } }: { invoice: PublicInvoice }) =>
  bounced ? (
    <p className="pay__problem" role="status">
      <IconAlertTriangle size={18} aria-hidden="true" />
      <span>
        Your bank payment of {formatCents(bounced.cents)} did not go through on {formatDay(bounced.onDay)}.{' '}
        {bounced.reason} It is open again; please pay it another way.
      </span>
    </p>
  ) : null

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
  const [saves, setSaves] = useState(false)
  const [tipCents, setTipCents] = useState(0)
  const [tipProblem, setTipProblem] = useState<string>()
  useEffect(() => {
    // Back from the checkout without paying: the browser shows this page as it was left.
    const back = (event: PageTransitionEvent) => event.persisted && setBusy(false)
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [])
  const hasFees = invoice.lateFees.length > 0 && !invoice.pending
  const what = invoice.takesBank ? 'this card or account' : 'this card'
  const pay = async (all: boolean) => {
    if (invoice.tips && tipCents > invoice.tips.mostCents)
      return setTipProblem(`At most ${formatCents(invoice.tips.mostCents)}.`)
    setBusy(true)
    setProblem(null)
    try {
      const { url } =
        tipCents > 0
          ? await openCheckoutWithTip(token, { tipCents, withFees: all, mandate: saves ? invoice.mandate.text : null })
          : all
            ? await openCheckoutForAll(token)
            : saves
              ? await openCheckoutAndSave(token, invoice.mandate.text)
              : await openCheckout(token)
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
      {invoice.tips ? (
        <TipPicker
          tips={invoice.tips}
          value={tipCents}
          error={tipProblem}
          onChange={(cents) => {
            setTipCents(cents)
            setTipProblem(undefined)
          }}
        />
      ) : null}
      {hasFees || invoice.told === null ? null : (
        <div className="pay__save">
          <CheckboxField
            label={
              invoice.autopay
                ? `Keep ${what} instead of ${invoice.autopay.card}`
                : `Keep ${what} and pay my invoices automatically`
            }
            value={saves}
            onChange={setSaves}
          />
          {saves ? <p className="pay__mandate">{invoice.mandate.text}</p> : null}
        </div>
      )}
      <button
        type="button"
        className="pay__button"
        onClick={busy ? undefined : () => pay(hasFees)}
        aria-busy={busy || undefined}
      >
        {busy ? <Spinner size={20} /> : <IconLock size={19} aria-hidden="true" />}
        Pay {formatCents((hasFees ? invoice.owedWithFeesCents : invoice.payableCents) + tipCents)}
        {hasFees ? ' with late fees' : ''}
        {tipCents > 0 ? (hasFees ? ' and tip' : ' with tip') : ''}
      </button>
      {hasFees ? (
        <button type="button" className="pay__quiet" onClick={busy ? undefined : () => pay(false)}>
          Pay only this invoice, {formatCents(invoice.payableCents + tipCents)}
        </button>
      ) : null}
    </>
  )
}

/** Autopay as it stands for this customer, and the way out of it. */
export const AutopayNote = ({
  invoice,
  token,
  onReload,
}: {
  invoice: PublicInvoice
  token: string | null
  onReload: () => void
}) => {
  const [state, setState] = useState<'on' | 'asking' | 'busy' | 'off'>('on')
  const [problem, setProblem] = useState<string | null>(null)
  const { autopay, business } = invoice
  if (state === 'off')
    return (
      <p className="pay__auto" role="status">
        Autopay is off. Nothing is charged by itself any more; invoices come as before.
      </p>
    )
  if (!autopay) return null
  const off = async () => {
    if (!token) return
    setState('busy')
    setProblem(null)
    try {
      await turnAutopayOff(token)
      setState('off')
      onReload()
    } catch (error) {
      setState('asking')
      setProblem(
        error instanceof ApiError
          ? error.message
          : 'We could not reach the server. Autopay is still on; please try again.',
      )
    }
  }
  return (
    <div className="pay__auto">
      <p>
        {autopay.chargeOn ? (
          <>
            <b>Autopay:</b> your {autopay.card} is charged on {formatDay(autopay.chargeOn, { long: true })}. You need
            not do anything.
          </>
        ) : (
          <>
            <b>Autopay is on:</b> {business.name} charges your {autopay.card} when an invoice is due, and tells you
            before.
          </>
        )}
        {autopay.declined ? ` The last try did not go through. ${autopay.declined}` : ''}
      </p>
      {problem ? (
        <p className="pay__problem" role="alert">
          <IconAlertTriangle size={18} aria-hidden="true" /> {problem}
        </p>
      ) : null}
      {token === null ? null : state === 'on' ? (
        <button type="button" className="pay__quiet" onClick={() => setState('asking')}>
          Turn autopay off
        </button>
      ) : (
        <p>
          Turn it off for all invoices of {business.name}?{' '}
          <button type="button" className="pay__quiet" onClick={off} aria-busy={state === 'busy' || undefined}>
            Yes, turn it off
          </button>
          <button type="button" className="pay__quiet" onClick={() => setState('on')}>
            Keep it on
          </button>
        </p>
      )}
    </div>
  )
}

/** The top of the page: how much, until when, and the one thing to do about it. */
export const PayBox = ({ invoice, token, isBack, onSettled, onReload }: Props) => {
  const { phase, again, stop } = useConfirmation(token ?? '', isBack && invoice.status !== 'paid', onSettled)
  if (invoice.status === 'paid') return <Paid invoice={invoice} token={token} onReload={onReload} />
  if (invoice.status === 'void')
    return (
      <section className="pay pay--void">
        <h2>This invoice was voided</h2>
        <p>
          There is nothing to pay on it. If you expected otherwise, reach us at <Reach business={invoice.business} />.
        </p>
        <OnItsWay invoice={invoice} />
        <AutopayNote invoice={invoice} token={token} onReload={onReload} />
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
        <AutopayNote invoice={invoice} token={token} onReload={onReload} />
      </section>
    )
  if (phase === 'asking' && !invoice.pending)
    return (
      <section className="pay" role="status">
        <Spinner size={34} />
        <h2>Confirming your payment…</h2>
        <p>This takes a few seconds. Please leave this page open.</p>
      </section>
    )
  if (phase === 'late' && !invoice.pending)
    return (
      <section className="pay" role="status">
        <h2>We have not heard back about your payment yet</h2>
        <p>
          If you finished paying, it is safe to close this page: your payment counts, and {receiptComes(invoice.told)}.
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
  if (invoice.disputedCents !== null)
    return (
      <section className="pay pay--void">
        <h2>Your bank is looking into a payment</h2>
        <p>
          It asked about your payment of <b className="num">{formatCents(invoice.disputedCents)}</b>. There is nothing
          to pay here until it has decided. Questions? Reach us at <Reach business={invoice.business} />.
        </p>
      </section>
    )
  const isCovered = invoice.pending !== null && invoice.payableCents === 0
  return (
    <section className="pay">
      <p className="pay__label">{isCovered ? 'On its way from your bank' : 'Amount due'}</p>
      <p className="pay__amount num">{formatCents(invoice.balanceCents)}</p>
      <p className={`pay__due${invoice.overdue && !isCovered ? ' is-late' : ''}`}>
        {invoice.overdue ? 'It was due ' : 'Due '}
        {formatDay(invoice.dueOn, { long: true })}
        {invoice.paidCents > 0
          ? ` · ${formatCents(invoice.paidCents)} of ${formatCents(invoice.totalCents)} is paid`
          : ''}
      </p>
      <OnItsWay invoice={invoice} />
      <Bounced invoice={invoice} />
      <LateFees invoice={invoice} />
      <AutopayNote invoice={invoice} token={token} onReload={onReload} />
      {invoice.canPay ? (
        <>
          {token === null ? (
            <ShownButton invoice={invoice} />
          ) : (
            <PayButton invoice={invoice} token={token} onReload={onReload} />
          )}
          <p className="pay__hint">
            {invoice.livemode
              ? invoice.takesBank
                ? `Secure payment by card or bank account. A bank takes about ${usualBankDays} business days.`
                : `Secure card payment.${invoice.told === null ? '' : ` The receipt comes ${toldBy[invoice.told]} at once.`}`
              : `${invoice.takesBank ? 'By card or bank account. ' : ''}Test checkout: it looks like the real one, and no money moves.`}
          </p>
        </>
      ) : isCovered ? null : (
        <p className="pay__hint">
          To pay, {invoice.terms ? 'follow the terms below or ' : ''}reach us at <Reach business={invoice.business} />.
        </p>
      )}
    </section>
  )
}
