import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, serverMessage } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { copyText } from '../../../ui/copy.ts'
import { IconCopy, IconExternalLink } from '../../../ui/icons.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { type BillingPeriod, type Plan, plans } from '../../billing/rules.ts'
import { useOwner } from '../../owner/web/session.ts'
import { subscriptionsApi } from '../../subscriptions/contract.ts'
import type { CheckoutLink, Registered } from './registered.ts'

const notCreated = 'Failed to create checkout session'
const notProcessed = 'Failed to process plan selection'

/** What a refusal says. Without a session the login says so; without an answer nobody knows. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : notProcessed
  return error.status === 0 ? notProcessed : serverMessage(error, notCreated)
}

const MadeLink = ({ url, plan, email }: CheckoutLink & { email: string }) => (
  <div className="desk-link">
    <b>
      {plan} for {email}
    </b>
    <input
      className="desk-link__url"
      aria-label={`Checkout link for ${plan}`}
      readOnly
      value={url}
      onFocus={(event) => event.target.select()}
    />
    <span className="desk-link__acts">
      <Button
        size="s"
        icon={<IconCopy />}
        onClick={() => void copyText(url, 'Link copied', 'The link could not be copied; select it instead.')}
      >
        Copy link
      </Button>
      <Button size="s" href={url} newTab icon={<IconExternalLink />}>
        Open checkout
      </Button>
    </span>
  </div>
)

/** A checkout link per plan for the account that was just opened. */
export const CheckoutLinks = ({
  registered,
  made,
  onMade,
}: {
  registered: Registered | null
  /** The link that was made for them. */
  made: CheckoutLink | null
  onMade: (link: CheckoutLink) => void
}) => {
  const { ask } = useOwner()
  const [period, setPeriod] = useState<BillingPeriod>('month')
  const [coupon, setCoupon] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const make = useMutation({
    mutationFn: async (plan: Plan) => {
      if (!registered) throw new Error('Please register a user first before starting checkout.')
      const { url } = await ask(subscriptionsApi.createCheckout, {
        body: {
          // The annual price where there is one, else the monthly.
          priceId: (period === 'year' ? plan.priceIds.year : undefined) ?? plan.priceIds.month,
          userId: registered.userId,
          ...(coupon.trim() ? { coupon: coupon.trim().toUpperCase() } : {}),
        },
      })
      if (!url) throw new Error(notCreated)
      return {
        url: new URL(url, window.location.origin).href,
        plan: `${plan.name}, ${period === 'year' ? 'annual' : 'monthly'}`,
      }
    },
    onMutate: () => setProblem(null),
    onSuccess: onMade,
    onError: (error) => setProblem(messageOf(error)),
  })
  return (
    <Card
      title="Checkout links"
      hint={registered ? `for ${registered.name}` : 'for the account you create'}
      as="section"
    >
      <fieldset className="desk-period">
        <legend className="ui-hidden">Billing period</legend>
        {(['month', 'year'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={period === one} onClick={() => setPeriod(one)}>
            {one === 'month' ? 'Monthly' : 'Annual (Save 17%)'}
          </button>
        ))}
      </fieldset>
      {problem ? <Banner tone="error">{problem}</Banner> : null}
      <ul className="desk-plans">
        {plans.map((plan) => (
          <li key={plan.id}>
            <span className="desk-plans__words">
              <b>{plan.name}</b>
              <span className="num">
                {formatCents(period === 'year' ? plan.annualCents : plan.monthlyCents)}
                <span className="hint"> / {period}</span>
              </span>
              <span className="hint">
                {plan.customerLimit === null ? 'Unlimited customers' : `${plan.customerLimit} customers`}
                {plan.trialDays > 0 ? `, ${plan.trialDays}-day free trial` : ''}
              </span>
            </span>
            <Button
              loading={make.isPending && make.variables.id === plan.id}
              disabled={make.isPending}
              onClick={() => make.mutate(plan)}
            >
              Generate link<span className="ui-hidden"> for {plan.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <TextField
        label="Coupon"
        optional
        value={coupon}
        onChange={setCoupon}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
      />
      {made && registered ? <MadeLink {...made} email={registered.email} /> : null}
    </Card>
  )
}
