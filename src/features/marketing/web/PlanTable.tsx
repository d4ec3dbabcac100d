import { type PlanFeature, planFeatures, planHas, plans } from '../../billing/rules.ts'

const features = Object.entries(planFeatures) as [PlanFeature, string][]
const count = (value: number | null): string => (value === null ? 'Unlimited' : String(value))

const Has = ({ yes }: { yes: boolean }) =>
  yes ? (
    <td className="yes">
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2.500 8.500l3.500 3.500 7.500-8" fill="none" stroke="currentColor" strokeWidth="2.200" />
      </svg>
      <span className="ui-hidden">Yes</span>
    </td>
  ) : (
    <td className="no">
      <span aria-hidden="true">–</span>
      <span className="ui-hidden">No</span>
    </td>
  )

/** Limits and features, plan by plan. */
export const PlanTable = () => (
  <table className="compare">
    <thead>
      <tr>
        <th scope="col">
          <span className="ui-hidden">Feature</span>
        </th>
        {plans.map((plan) => (
          <th key={plan.id} scope="col">
            {plan.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">Customers</th>
        {plans.map((plan) => (
          <td key={plan.id}>{count(plan.customerLimit)}</td>
        ))}
      </tr>
      <tr>
        <th scope="row">
          <a href="#segments">SMS segments</a> a month
        </th>
        {plans.map((plan) => (
          <td key={plan.id}>{count(plan.messageLimit)}</td>
        ))}
      </tr>
      <tr>
        <th scope="row">Free trial</th>
        {plans.map((plan) =>
          plan.trialDays > 0 ? <td key={plan.id}>{plan.trialDays} days</td> : <Has key={plan.id} yes={false} />,
        )}
      </tr>
      {features.map(([feature, name]) => (
        <tr key={feature}>
          <th scope="row">{name}</th>
          {plans.map((plan) => (
            <Has key={plan.id} yes={planHas(plan.id, feature)} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
