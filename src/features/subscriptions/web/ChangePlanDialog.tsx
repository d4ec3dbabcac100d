import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { toast } from '../../../ui/toast.tsx'
import { annualLabel, type BillingPeriod, findPlan, type PlanId, plans, priceCents } from '../../billing/rules.ts'
import type { Subscription } from '../contract.ts'
import { planLabel } from '../rules.ts'
import { previewQuery, useChangePlan } from './data.ts'

const limitLabel = (plan: (typeof plans)[number]): string =>
  `${plan.customerLimit === null ? 'Unlimited customers' : `${plan.customerLimit} customers`}, ${plan.messageLimit === null ? 'unlimited SMS segments' : `${plan.messageLimit} SMS segments a month`}`

const Cost = ({ priceId, message }: { priceId: string; message: string }) => {
  const found = useQuery(previewQuery(priceId))
  const cost = found.data
  if (found.isError)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!cost)
    return (
      <p className="plan-cost" aria-busy="true">
        <Spinner size={18} /> Asking what it costs…
      </p>
    )
  return (
    <div className="plan-cost" aria-live="polite">
      <p>
        <b className="num">{formatCents(cost.dueNowCents)}</b> now
        {cost.creditCents > 0 ? `, and ${formatCents(cost.creditCents)} off your next invoice` : ''}. Then{' '}
        <span className="num">{formatCents(cost.priceCents)}</span> a {cost.period} for {message}.
      </p>
      {cost.endsTrial ? <p className="muted">Your trial ends today: this plan is billed from the first day.</p> : null}
      {cost.warnings.map((warning) => (
        <Banner key={warning} tone="warn">
          {warning}
        </Banner>
      ))}
    </div>
  )
}

/** Another plan or period: what it costs and what it would not hold is said before it is made. */
export const ChangePlanDialog = ({
  subscription,
  requested,
  open,
  onClose,
}: {
  subscription: Subscription
  requested: { plan: PlanId; period: BillingPeriod } | null
  open: boolean
  onClose: () => void
}) => {
  const change = useChangePlan()
  const [period, setPeriod] = useState<BillingPeriod>(requested?.period ?? subscription.period ?? 'month')
  const [planId, setPlanId] = useState<string>(requested?.plan ?? subscription.plan ?? 'pro')
  const [failed, setFailed] = useState<string | null>(null)
  const plan = findPlan(planId) ?? plans[1]
  const same = plan.id === subscription.plan && period === subscription.period
  const choose = (work: () => void) => {
    work()
    setFailed(null)
  }
  const submit = async () => {
    setFailed(null)
    try {
      await change.mutateAsync(plan.priceIds[period])
      toast.success(`You are on ${planLabel(plan.id, period)} now`)
      onClose()
    } catch (error) {
      setFailed(error instanceof Error ? error.message : 'This did not go through. Nothing was changed.')
    }
  }
  return (
    <Dialog open={open} onClose={onClose} title="Change plan">
      <div className="plan-change">
        <RadioField
          label="Billed"
          row
          value={period}
          onChange={(value) => choose(() => setPeriod(value === 'year' ? 'year' : 'month'))}
          options={[
            { value: 'month', label: 'Monthly' },
            { value: 'year', label: annualLabel },
          ]}
        />
        <RadioField
          label="Plan"
          value={plan.id}
          onChange={(value) => choose(() => setPlanId(value))}
          options={plans.map((one) => ({
            value: one.id,
            label: `${one.name}, ${formatCents(priceCents(one, period))} a ${period}${one.id === subscription.plan && period === subscription.period ? ' (yours)' : ''}`,
            hint: limitLabel(one),
          }))}
        />
        {same ? (
          <p className="plan-cost muted">This is what you have.</p>
        ) : (
          <Cost key={plan.priceIds[period]} priceId={plan.priceIds[period]} message={planLabel(plan.id, period)} />
        )}
        {failed ? <Banner tone="error">{failed}</Banner> : null}
        <FormActions>
          <Button kind="primary" disabled={same} loading={change.isPending} onClick={() => void submit()}>
            Change to {planLabel(plan.id, period)}
          </Button>
          <Button onClick={onClose}>Keep what I have</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
