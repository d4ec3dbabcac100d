import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { cameOf } from '../../../shared/paid.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { IconBuildingBank, IconCircleCheck, IconLock } from '../../../ui/icons.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { receiptComes, toldIn } from '../../messages/paperways/rules.ts'
import type { PublicInvoice } from '../../payments/contract.ts'
import { usualBankDays } from '../pending/rules.ts'
import { invoiceName } from '../rules.ts'
import { cameIn, dayIn, methodIn } from '../words/rules.ts'
import {
  openBankCheckout,
  openCheckout,
  openCheckoutAndSave,
  openCheckoutForAll,
  openCheckoutForPart,
  openCheckoutWithTip,
  turnAutopayOff,
} from './data.ts'
import { PayInParts } from './PayInParts.tsx'
import { Bounced, OnItsWay, PartCame, TakenBack } from './PayNews.tsx'
import { PayPart } from './PayPart.tsx'
import { PayProblem } from './PayProblem.tsx'
import { pageTexts } from './pageTexts.ts'
import { TipPicker } from './TipPicker.tsx'
import { isSettled, useConfirmation } from './useConfirmation.ts'
import { useOpening } from './useOpening.ts'

type Props = {
  invoice: PublicInvoice
  token: string | null
  isBack: boolean
  /** What is left once the part is booked that was paid; null where all of it was. */
  leftCents: number | null
  onSettled: () => void
  onReload: () => void
}

const Reach = ({ invoice: { business, language } }: { invoice: PublicInvoice }) => (
  <>
    {business.phone ? <a href={`tel:${business.phone}`}>{formatPhone(business.phone)}</a> : null}
    {business.phone && business.email ? pageTexts[language].or : null}
    {business.email ? <a href={`mailto:${business.email}`}>{business.email}</a> : null}
    {business.phone || business.email ? null : business.name}
  </>
)

/** Whether money came, be it that it went back since. */
export const isMoney = ({ payments }: Pick<PublicInvoice, 'payments'>): boolean =>
  payments.some(({ method }) => method !== 'credit')

/** Whether some of the money that came stayed: nobody is thanked for what went back whole. */
const isKept = ({ payments }: Pick<PublicInvoice, 'payments'>): boolean =>
  payments.some(({ method, keptCents }) => method !== 'credit' && keptCents > 0)

const Paid = ({ invoice, ...rest }: { invoice: PublicInvoice; token: string | null; onReload: () => void }) => {
  const firstName = firstNameOf(invoice.billTo.name)
  const { language } = invoice
  const t = pageTexts[language]
  return (
    <section className="pay pay--paid">
      <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" />
      <h2>{invoice.totalCents === 0 ? t.nothingToPay : isKept(invoice) ? t.thanks(firstName) : t.nothingOpen}</h2>
      {invoice.totalCents === 0 ? (
        <p>{t.nothingCharged}</p>
      ) : (
        <p>
          {invoice.payments.map((payment, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: payments are only ever added
            <span key={at}>
              {at > 0 ? (at === invoice.payments.length - 1 ? t.and : ', ') : ''}
              <b className="num">{formatCents(payment.amountCents)}</b>
              {payment.method === 'credit'
                ? t.wasCredited
                : t.cameOn(dayIn(language, payment.receivedOn, { long: true, year: true }))}
              {payment.tipCents > 0 ? t.withTip(formatCents(payment.tipCents)) : ''}
            </span>
          ))}
          {invoice.payments.length > 0 ? '. ' : ''}
          {invoice.gaveBack
            .map((one) =>
              t.gaveBack(
                formatCents(one.amountCents),
                dayIn(language, one.onDay, { long: true, year: true }),
                methodIn(language, one.method),
              ),
            )
            .join('')}
          {invoice.lateFees.length > 0 ? '' : t.nothingOpenSaid}
          {isMoney(invoice) ? t.isReceipt(invoice.told === null ? '' : toldIn(language, invoice.told)) : ''}
        </p>
      )}
      <LateFees invoice={invoice} />
      <AutopayNote invoice={invoice} {...rest} />
    </section>
  )
}

/** What paying it late cost so far: invoices of their own, and what is owed with them. */
const LateFees = ({ invoice }: { invoice: PublicInvoice }) => {
  const { lateFees, owedWithFeesCents, balanceCents, language } = invoice
  const t = pageTexts[language]
  if (lateFees.length === 0) return null
  return (
    <div className="pay__fees">
      <p>{t.feesCharged(balanceCents > 0, lateFees.length)}</p>
      <ul>
        {lateFees.map(({ number, openCents, onDay, path }) => (
          <li key={number}>
            <span>
              <a href={path}>{invoiceName(number)}</a>, {dayIn(language, onDay, { year: true })}
            </span>
            <b className="num">{formatCents(openCents)}</b>
          </li>
        ))}
      </ul>
      <p>
        {balanceCents > 0 ? t.owedInAll : t.stillOpen}
        <b className="num">{formatCents(owedWithFeesCents)}</b>
      </p>
    </div>
  )
}

/** The button where the page is only shown: it says what would happen. */
const ShownButton = ({ invoice }: { invoice: PublicInvoice }) => {
  const [pressed, setPressed] = useState(false)
  const t = pageTexts[invoice.language]
  return (
    <>
      <button type="button" className="pay__button" onClick={() => setPressed(true)}>
        <IconLock size={19} aria-hidden="true" />
        {t.pay(formatCents(invoice.balanceCents))}
      </button>
      <p className="pay__shown" role="status">
        {pressed ? t.shown : null}
      </p>
    </>
  )
}

const PayButton = ({ invoice, token, onReload }: { invoice: PublicInvoice; token: string; onReload: () => void }) => {
  const [saves, setSaves] = useState(false)
  // while the field of a part is open nothing else is pressed by mistake
  const [parting, setParting] = useState(false)
  const [tipCents, setTipCents] = useState(0)
  const [tipProblem, setTipProblem] = useState<string>()
  const hasFees = invoice.lateFees.length > 0 && !invoice.pending
  const t = pageTexts[invoice.language]
  const { busy, problem, open } = useOpening(t.notOpened, onReload)
  const bankOffer = invoice.takesBank ? invoice.cashDiscount : null
  const pay = async (all: boolean, byBank = false, partCents: number | null = null) => {
    if (partCents === null && invoice.tips && tipCents > invoice.tips.mostCents)
      return setTipProblem(`${t.atMost(formatCents(invoice.tips.mostCents))}.`)
    const chosen = { tipCents, withFees: all, mandate: saves ? invoice.mandate.text : null }
    return open(() =>
      byBank
        ? openBankCheckout(token, chosen)
        : partCents !== null
          ? openCheckoutForPart(token, partCents)
          : tipCents > 0
            ? openCheckoutWithTip(token, chosen)
            : all
              ? openCheckoutForAll(token)
              : saves
                ? openCheckoutAndSave(token, invoice.mandate.text)
                : openCheckout(token),
    )
  }
  return (
    <>
      <PayProblem problem={problem} />
      {parting && (tipCents > 0 || saves) ? <p className="pay__hint">{t.partAlone}</p> : null}
      {invoice.tips && !parting ? (
        <TipPicker
          tips={invoice.tips}
          t={t}
          value={tipCents}
          error={tipProblem}
          onChange={(cents) => {
            setTipCents(cents)
            setTipProblem(undefined)
          }}
        />
      ) : null}
      {hasFees || invoice.told === null || parting ? null : (
        <div className="pay__save">
          <CheckboxField
            label={invoice.autopay ? t.keepInstead(invoice.takesBank, invoice.autopay.card) : t.keep(invoice.takesBank)}
            value={saves}
            onChange={setSaves}
          />
          {saves ? <p className="pay__mandate">{invoice.mandate.text}</p> : null}
        </div>
      )}
      {parting ? null : (
        <button
          type="button"
          className="pay__button"
          onClick={busy ? undefined : () => pay(hasFees)}
          aria-busy={busy || undefined}
        >
          {busy ? <Spinner size={20} /> : <IconLock size={19} aria-hidden="true" />}
          {t.payMore(
            formatCents((hasFees ? invoice.owedWithFeesCents : invoice.payableCents) + tipCents),
            hasFees,
            tipCents > 0,
          )}
        </button>
      )}
      {bankOffer && !parting ? (
        <button
          type="button"
          className="pay__button pay__button--bank"
          onClick={busy ? undefined : () => pay(hasFees, true)}
        >
          <IconBuildingBank size={19} aria-hidden="true" />
          {t.payByBank(
            formatCents((hasFees ? bankOffer.withFeesCents : bankOffer.payCents) + tipCents),
            bankOffer.percent,
            hasFees,
            tipCents > 0,
          )}
        </button>
      ) : null}
      {hasFees && !parting ? (
        <button type="button" className="pay__quiet" onClick={busy ? undefined : () => pay(false)}>
          {t.payOnly(formatCents(invoice.payableCents + tipCents))}
        </button>
      ) : null}
      {invoice.parts ? (
        <PayPart
          parts={invoice.parts}
          t={t}
          busy={busy}
          onPay={(cents) => void pay(false, false, cents)}
          onAsking={setParting}
        />
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
  const { autopay, business, language } = invoice
  const t = pageTexts[language]
  if (state === 'off')
    return (
      <p className="pay__auto" role="status">
        {t.autopayOff}
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
      setProblem(error instanceof ApiError ? error.message : t.notReached)
    }
  }
  return (
    <div className="pay__auto">
      <p>
        {autopay.chargeOn ? (
          <>
            <b>{t.autopay}</b> {t.charged(autopay.card, dayIn(language, autopay.chargeOn, { long: true }))}
          </>
        ) : (
          <>
            <b>{t.autopayOn}</b> {t.charges(business.name, autopay.card)}
          </>
        )}
        {autopay.declined !== null ? t.declined(autopay.declined) : ''}
      </p>
      <PayProblem problem={problem} />
      {token === null ? null : state === 'on' ? (
        <button type="button" className="pay__quiet" onClick={() => setState('asking')}>
          {t.turnOff}
        </button>
      ) : (
        <p>
          {t.turnOffAll(business.name)}{' '}
          <button type="button" className="pay__quiet" onClick={off} aria-busy={state === 'busy' || undefined}>
            {t.yesOff}
          </button>
          <button type="button" className="pay__quiet" onClick={() => setState('on')}>
            {t.keepOn}
          </button>
        </p>
      )}
    </div>
  )
}

/** The top of the page: how much, until when, and the one thing to do about it. */
export const PayBox = ({ invoice, token, isBack, leftCents, onSettled, onReload }: Props) => {
  const back = { isBack, isDone: isSettled(invoice, leftCents) }
  const { phase, again, stop } = useConfirmation(token ?? '', back, leftCents, onSettled)
  const { language } = invoice
  const t = pageTexts[language]
  if (invoice.status === 'paid') return <Paid invoice={invoice} token={token} onReload={onReload} />
  if (invoice.status === 'void')
    return (
      <section className="pay pay--void">
        <h2>{t.voided}</h2>
        <p>
          {t.voidedMore} <Reach invoice={invoice} />.
        </p>
        <OnItsWay invoice={invoice} />
        <AutopayNote invoice={invoice} token={token} onReload={onReload} />
      </section>
    )
  if (invoice.status === 'written_off')
    return (
      <section className="pay pay--void">
        <h2>{t.closed}</h2>
        <p>
          {t.closedMore} <Reach invoice={invoice} />.
        </p>
        <AutopayNote invoice={invoice} token={token} onReload={onReload} />
      </section>
    )
  if (phase === 'asking' && !invoice.pending)
    return (
      <section className="pay" role="status">
        <Spinner size={34} />
        <h2>{t.confirming}</h2>
        <p>{t.confirmingMore}</p>
      </section>
    )
  if (phase === 'late' && !invoice.pending)
    return (
      <section className="pay" role="status">
        <h2>{t.late}</h2>
        <p>{t.lateMore(receiptComes(invoice.told, language))}</p>
        <button type="button" className="pay__button" onClick={again}>
          {t.again}
        </button>
        <button
          type="button"
          className="pay__quiet"
          onClick={() => {
            stop()
            onSettled()
          }}
        >
          {t.didNot}
        </button>
      </section>
    )
  if (invoice.disputedCents !== null)
    return (
      <section className="pay pay--void">
        <h2>{t.disputed}</h2>
        <p>
          {t.disputedMore(formatCents(invoice.disputedCents))} <Reach invoice={invoice} />.
        </p>
      </section>
    )
  // what leaves the bank is less than what it settles where something is taken off with it
  const onItsWay = invoice.payableCents === 0 ? invoice.pending : null
  const isCovered = onItsWay !== null
  const came = cameIn(language, invoice)
  const isPart = cameOf(invoice).moneyCents > 0
  // whatever became of it since: who paid is never told that nothing was charged
  const wasCharged = invoice.bounced !== null || invoice.takenBack !== null || isMoney(invoice)
  const isCharged = invoice.autopay?.chargeOn != null && invoice.autopay.declined === null
  return (
    <section className={`pay${isCharged ? ' pay--auto' : ''}`}>
      {phase === 'closed' && !wasCharged ? (
        <p className="pay__closed" role="status">
          {t.pageClosed}
        </p>
      ) : null}
      {isPart ? <PartCame invoice={invoice} /> : null}
      <p className="pay__label">{isCovered ? t.onItsWay : isCharged ? t.byItself : isPart ? t.openNow : t.amountDue}</p>
      <p className="pay__amount num">{formatCents(onItsWay?.cents ?? invoice.balanceCents)}</p>
      <p className={`pay__due${invoice.overdue && !isCovered ? ' is-late' : ''}`}>
        {(invoice.overdue ? t.wasDue : t.due)(dayIn(language, invoice.dueOn, { long: true }))}
        {came ? ` · ${came}` : ''}
      </p>
      <OnItsWay invoice={invoice} />
      <Bounced invoice={invoice} />
      <TakenBack invoice={invoice} />
      {invoice.cashDiscount ? (
        <p className="pay__off">
          {t.withoutCard(
            formatCents(invoice.cashDiscount.payCents),
            formatCents(invoice.cashDiscount.cents),
            invoice.cashDiscount.percent,
            invoice.takesBank && invoice.canPay,
          )}
        </p>
      ) : null}
      <LateFees invoice={invoice} />
      <AutopayNote invoice={invoice} token={token} onReload={onReload} />
      {invoice.canPay ? (
        <>
          {isCharged ? <p className="pay__hint">{t.orNow}</p> : null}
          {token === null ? (
            <ShownButton invoice={invoice} />
          ) : (
            <PayButton invoice={invoice} token={token} onReload={onReload} />
          )}
          <p className="pay__hint">
            {invoice.livemode
              ? invoice.takesBank
                ? t.secureBank(usualBankDays)
                : `${t.secure}${invoice.told === null ? '' : t.receiptAtOnce(toldIn(language, invoice.told))}`
              : t.trial(invoice.takesBank)}
          </p>
        </>
      ) : isCovered ? null : (
        <>
          {invoice.parts && token !== null ? (
            <PayInParts parts={invoice.parts} token={token} t={t} onReload={onReload} />
          ) : null}
          <p className="pay__hint">
            {invoice.whyNoCard ? t[invoice.whyNoCard] : ''}
            {t.toPay(invoice.terms !== '' && !invoice.whyNoCard)} <Reach invoice={invoice} />.
          </p>
        </>
      )}
    </section>
  )
}
