import { useState } from 'react'
import { call, serverMessage } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type BillingPeriod, type Plan, plans, priceCents } from '../../billing/rules.ts'
import type { SessionUser } from '../contract.ts'
import { AccountFrame } from './AccountFrame.tsx'

/** A plan with its price, as it was chosen on the price list. */
export type Chosen = { plan: Plan; period: BillingPeriod }

/** The plan that the address names; one that begins with a trial is chosen on the price list. */
export const chosenOf = (search: string): Chosen | null => {
  const query = new URLSearchParams(search)
  const plan = plans.find(({ id }) => id === query.get('plan'))
  return plan && plan.trialDays === 0 ? { plan, period: query.get('period') === 'year' ? 'year' : 'month' } : null
}

export const chosenLabel = ({ plan, period }: Chosen): string =>
  `${plan.name}, ${formatCents(priceCents(plan, period))} a ${period}`

// Subscriptions build on accounts: their checkout is named here by its address, as on the price list.
const checkout = { method: 'POST', path: '/api/payment/create-checkout-session-for-user' } as const

/** The account is made: what was promised comes next. */
export const PayChosen = ({ chosen, user }: { chosen: Chosen; user: SessionUser }) => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const pay = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const body = { priceId: chosen.plan.priceIds[chosen.period], userId: user._id }
      const { url } = (await call(checkout, { body } as never)) as unknown as { url: string }
      location.assign(url)
    } catch (error) {
      setProblem(serverMessage(error, 'The payment page could not be opened. Nothing was charged; please try again.'))
      setBusy(false)
    }
  }
  return (
    <AccountFrame title="Your account is made." lead={`Next: pay for ${chosenLabel(chosen)}.`}>
      {problem ? <Banner tone="error" title={problem} /> : null}
      <Button kind="primary" size="l" wide loading={busy} onClick={() => void pay()}>
        Pay for {chosen.plan.name}
      </Button>
      <Button size="l" wide href={paths.pricing}>
        Look at all plans
      </Button>
    </AccountFrame>
  )
}
