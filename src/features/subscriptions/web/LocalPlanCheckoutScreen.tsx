import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import type { LocalPlanCheckout } from '../../../local/plans/contract.ts'
import { ApiError } from '../../../shared/client.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconArrowLeft, IconCircleCheck } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TestCards, TestFrame, usualCards } from '../../payments/web/TestCards.tsx'
import { layCoupon, payPlan, planCheckoutQuery } from './data.ts'
import './localplan.css'

const cards = [
  ...usualCards,
  { number: '4000 0025 0000 3155', label: 'asks you to confirm' },
  { number: '4000 0000 0000 0341', label: 'works now, fails later' },
]

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const day = (instant: string) => formatDay(dayOf(instant, zone), { long: true, year: true })
const messageOf = (error: unknown) =>
  error instanceof ApiError
    ? (error.errors[0]?.message ?? error.message)
    : 'This did not go through. Nothing was charged; please try again.'

const Coupon = ({ sessionId, page }: { sessionId: string; page: LocalPlanCheckout }) => {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const lay = async (next: string | null) => {
    setBusy(true)
    setWrong(undefined)
    try {
      client.setQueryData(planCheckoutQuery(sessionId).queryKey, await layCoupon(sessionId, next))
      setCode('')
    } catch (error) {
      setWrong(messageOf(error))
    }
    setBusy(false)
  }
  if (page.coupon)
    return (
      <div className="local-coupon">
        <span>
          Code <b>{page.coupon.code}</b>: {page.coupon.percentOff}% off the first {page.period}
        </span>
        <Button size="s" kind="quiet" loading={busy} onClick={() => void lay(null)}>
          Take it off
        </Button>
      </div>
    )
  return (
    <form
      className="local-coupon"
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim()) void lay(code)
      }}
    >
      <TextField
        label="Code"
        value={code}
        onChange={setCode}
        error={wrong}
        optional
        maxLength={40}
        autoComplete="off"
      />
      <Button type="submit" loading={busy} disabled={!code.trim()}>
        Apply
      </Button>
    </form>
  )
}

const Pay = ({ sessionId, page }: { sessionId: string; page: LocalPlanCheckout }) => {
  const [card, setCard] = useState('4242 4242 4242 4242')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | undefined>()
  const [refused, setRefused] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const message = useRef<HTMLParagraphElement>(null)
  const confirm = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (refused) message.current?.focus()
  }, [refused])
  useEffect(() => {
    if (asking) confirm.current?.focus()
  }, [asking])
  const send = async (confirmed: boolean) => {
    if (busy) return
    setBusy(true)
    setWrong(undefined)
    setRefused(null)
    try {
      const answer = await payPlan(sessionId, card, confirmed)
      // Busy to the end: there is nothing left to press on this page.
      if (answer.result === 'paid') return window.location.assign(answer.returnPath)
      setAsking(answer.result === 'confirm')
      if (answer.result === 'declined') setRefused(answer.message)
    } catch (error) {
      const field = error instanceof ApiError ? error.errors.find((one) => one.path === 'cardNumber') : undefined
      if (field) setWrong(field.message)
      else setRefused(messageOf(error))
    }
    setBusy(false)
  }
  if (asking)
    return (
      <section className="checkout__form" aria-label="Confirm the payment">
        <h2 ref={confirm} tabIndex={-1}>
          Your bank asks: is this you?
        </h2>
        <p>3-D Secure, played on this computer. A real bank would send a code to your phone.</p>
        <button type="button" className="checkout__pay" onClick={() => void send(true)} aria-busy={busy || undefined}>
          {busy ? <Spinner size={19} /> : null} Yes, it is me
        </button>
        <Button
          onClick={() => {
            setAsking(false)
            setRefused('You did not confirm. Nothing was charged; try another card.')
          }}
        >
          No, stop
        </Button>
      </section>
    )
  const label = page.dueNowCents > 0 ? `Pay ${formatCents(page.dueNowCents)}` : 'Start the free trial'
  return (
    <div className="checkout__form">
      <h2>{page.dueNowCents > 0 ? 'Pay with a test card' : 'Card for after the trial'}</h2>
      {refused ? (
        <p className="checkout__declined" role="alert" tabIndex={-1} ref={message}>
          {refused}
        </p>
      ) : null}
      <Coupon sessionId={sessionId} page={page} />
      <form
        className="local-pay"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send(false)
        }}
      >
        <TestCards value={card} onChange={setCard} error={wrong} cards={cards} />
        <button type="submit" className="checkout__pay" aria-busy={busy || undefined}>
          {busy ? <Spinner size={19} /> : null}
          {busy ? 'Paying…' : label}
        </button>
      </form>
      <p className="hint">
        No card network is asked and no money moves. <a href={page.cancelPath}>Cancel and go back</a>
      </p>
    </div>
  )
}

/** Stands in for the provider's hosted page for plans: everything is said before anything is paid. */
export const LocalPlanCheckoutScreen = () => {
  const { sessionId = '' } = useParams()
  const found = useQuery(planCheckoutQuery(sessionId))
  const page = found.data
  if (!page)
    return (
      <TestFrame>
        {found.error instanceof ApiError && found.error.status === 404 ? (
          <div className="checkout__end">
            <h1>There is no such payment page</h1>
            <p>Go back to the plans and choose again. Nothing was charged.</p>
            <a className="checkout__pay" href={paths.pricing}>
              Back to the plans
            </a>
          </div>
        ) : found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : (
          <PanelSkeleton />
        )}
      </TestFrame>
    )
  if (page.status !== 'open')
    return (
      <TestFrame>
        <div className="checkout__end">
          {page.status === 'complete' ? <IconCircleCheck size={44} stroke={1.5} aria-hidden="true" /> : null}
          <h1>{page.status === 'complete' ? 'This is paid' : 'This payment page has expired'}</h1>
          <p>
            {page.status === 'complete'
              ? 'It cannot be paid twice.'
              : 'Nothing was charged. Choose the plan again to get a fresh one.'}
          </p>
          <a className="checkout__pay" href={page.status === 'complete' ? page.successPath : page.cancelPath}>
            {page.status === 'complete' ? 'Go on' : 'Back to the plans'}
          </a>
        </div>
      </TestFrame>
    )
  const unit = page.period === 'year' ? 'a year' : 'a month'
  return (
    <TestFrame>
      <section className="checkout__what">
        <a href={page.cancelPath}>
          <IconArrowLeft size={17} aria-hidden="true" /> Swath
        </a>
        <h1>
          <span>
            {page.planName} for {page.businessName}
          </span>
          <b className="num">{formatCents(page.dueNowCents)}</b>
          <span>{page.trialEndsAt ? `today; free until ${day(page.trialEndsAt)}` : 'today'}</span>
        </h1>
        <dl>
          <div>
            <dt>
              {page.planName}, {unit}
            </dt>
            <dd className="num">{formatCents(page.priceCents)}</dd>
          </div>
          {page.coupon ? (
            <div>
              <dt>Code {page.coupon.code}</dt>
              <dd className="num">-{formatCents(page.discountCents)}</dd>
            </div>
          ) : null}
          <div>
            <dt>Sales tax</dt>
            <dd className="num">{formatCents(page.taxCents)}</dd>
          </div>
          {page.trialEndsAt ? (
            <div>
              <dt>Due on {day(page.trialEndsAt)}</dt>
              <dd className="num">{formatCents(page.firstCents)}</dd>
            </div>
          ) : null}
          <div>
            <dt>Due today</dt>
            <dd className="num">{formatCents(page.dueNowCents)}</dd>
          </div>
        </dl>
        <p>
          {page.trialEndsAt ? 'First payment' : 'Renews'} on {day(page.renewsAt)},{' '}
          {formatCents(page.trialEndsAt ? page.firstCents : page.priceCents)}
          {page.trialEndsAt ? `, then ${formatCents(page.priceCents)} ${unit}` : ` ${unit}`}. Cancel any time before in
          your profile.
        </p>
      </section>
      <Pay sessionId={sessionId} page={page} />
    </TestFrame>
  )
}
