import { useQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { billingPlansApi } from '../contract.ts'
import { kindLabel, standingLabel } from '../rules.ts'
import { customerPlansQuery } from './data.ts'

/** The billing plans of one customer: what each stands at, and a new one. */
export const CustomerPlans = ({ customerId }: { customerId: string }) => {
  const may = useMay()
  const isShown = may(billingPlansApi.list)
  const found = useQuery({ ...customerPlansQuery(customerId), enabled: isShown })
  if (!isShown) return null
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the billing plans"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  const items = found.data?.items ?? []
  return (
    <section aria-label="Billing plans">
      {items.length > 0 ? (
        <ul className="panel-rows">
          {items.map((plan) => (
            <li key={plan.id}>
              <span className="panel-rows__main">
                <LinkTo href={linkTo.billingPlan(plan.id)}>{plan.name}</LinkTo>
                <span className="muted">
                  {[
                    kindLabel[plan.kind],
                    plan.status === 'settled'
                      ? 'settled'
                      : plan.isOver
                        ? 'waits to be settled'
                        : plan.next
                          ? `next ${formatDay(plan.next.billOn)}`
                          : 'running',
                  ].join(' · ')}
                </span>
              </span>
              <span className="panel-rows__side num">
                {plan.status === 'settled' ? '' : standingLabel(plan.differenceCents)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {may(billingPlansApi.create) ? (
        <Button calls={billingPlansApi.create} size="s" icon={<IconPlus />} href={linkTo.newBillingPlan(customerId)}>
          New billing plan
        </Button>
      ) : null}
    </section>
  )
}
