import { paths } from '../../../shared/paths.ts'
import { type Plan, planFeatures, plans } from '../../billing/rules.ts'

export const planSteps = { id: 'plans', title: 'What comes with which plan' } as const

/** What a plan adds to the one below it. */
export const addedFeatures = (plan: Plan, below: Plan | undefined): string[] =>
  plan.features.filter((feature) => !below?.features.includes(feature)).map((feature) => planFeatures[feature])

const limits = ({ customerLimit, messageLimit }: Plan): string =>
  customerLimit === null && messageLimit === null
    ? 'Unlimited customers and unlimited messages'
    : `${customerLimit} customers and ${messageLimit} SMS segments a month`

/** Every feature that a plan has, named once, under the smallest plan that has it. */
export const PlanSteps = () => (
  <section id={planSteps.id} className="part" aria-labelledby="plans-title">
    <h2 id="plans-title">{planSteps.title}</h2>
    <ul className="plan-steps">
      {plans.map((plan, index) => (
        <li key={plan.id}>
          <h3>{index === 0 ? `${plan.name}, and every plan` : `${plan.name} adds`}</h3>
          <ul className="plan-features">
            {addedFeatures(plan, plans[index - 1]).map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
          <p>{limits(plan)}.</p>
        </li>
      ))}
    </ul>
    <p className="part-lead">
      The <a href={paths.pricing}>pricing page</a> has the prices and what happens at a limit.
    </p>
  </section>
)
