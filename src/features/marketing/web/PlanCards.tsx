import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { type BillingPeriod, billingPeriods, type Plan, plans, priceCents } from '../../billing/rules.ts'
import { addedFeatures } from './PlanSteps.tsx'

const who: Record<Plan['id'], string> = {
  basic: 'You, a mower and a list that still fits on a clipboard.',
  pro: 'A crew or two, a full week, and customers who expect a text.',
  enterprise: 'Several crews and a list with no end to it.',
}

const unit = { month: 'a month', year: 'a year' } as const

const Price = ({ plan, period }: { plan: Plan; period: BillingPeriod }) => (
  <div className={`plan-price for-${period}`}>
    <p>
      <b>{formatCents(priceCents(plan, period))}</b> <span>{unit[period]}</span>
    </p>
    <p className="plan-per" {...(period === 'month' && plan.trialDays > 0 ? { 'data-trial': plan.trialDays } : {})}>
      {period === 'year'
        ? `${formatCents(Math.round(plan.annualCents / 12))}/mo, ${formatCents(12 * plan.monthlyCents - plan.annualCents)} less than twelve months`
        : plan.trialDays > 0
          ? `${plan.trialDays}-day free trial`
          : 'Billed each month, cancel any month'}
    </p>
    <a
      className={plan.recommended ? 'btn primary big' : 'btn big'}
      href={`${paths.register}?plan=${plan.id}&period=${period}`}
      data-plan={plan.id}
      data-period={period}
      data-price={plan.priceIds[period]}
    >
      {plan.trialDays > 0 ? 'Start free trial' : `Choose ${plan.name}`}
    </a>
  </div>
)

const Included = ({ plan, below }: { plan: Plan; below: Plan | undefined }) => (
  <>
    <p className="plan-with">{below ? `Everything in ${below.name}, and:` : 'With:'}</p>
    <ul className="plan-features">
      {addedFeatures(plan, below).map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
    </ul>
  </>
)

export const PlanCards = () => (
  <ul className="plans">
    {plans.map((plan, index) => (
      <li key={plan.id} className={plan.recommended ? 'plan best' : 'plan'}>
        <h2>
          {plan.name} {plan.recommended && <span>Recommended</span>}
          <span className="plan-mine">Your plan</span>
        </h2>
        <p className="plan-who">{who[plan.id]}</p>
        {billingPeriods.map((period) => (
          <Price key={period} plan={plan} period={period} />
        ))}
        <ul className="plan-limits">
          <li>{plan.customerLimit === null ? 'Unlimited customers' : `${plan.customerLimit} customers`}</li>
          <li>{plan.messageLimit === null ? 'Unlimited messages' : `${plan.messageLimit} SMS segments a month`}</li>
        </ul>
        <Included plan={plan} below={plans[index - 1]} />
      </li>
    ))}
  </ul>
)
