import { paths } from '../../../shared/paths.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { findPlan, type PlanId, plans } from '../../billing/rules.ts'
import { meterState } from '../rules.ts'

export type Meter = {
  /** What is counted: decides which plan allows more. */
  of: 'customers' | 'segments'
  label: string
  used: number
  limit: number | null
  /** What happens at the limit. */
  atLimit: string
}

const nextPlan = (plan: PlanId | null, { of, used }: Meter) => {
  const start = plans.findIndex((one) => one.id === (findPlan(plan)?.id ?? 'basic'))
  return plans.slice(start + 1).find((one) => {
    const limit = of === 'customers' ? one.customerLimit : one.messageLimit
    return limit === null || limit > used
  })
}

const One = ({ meter, plan }: { meter: Meter; plan: PlanId | null }) => {
  const { label, used, limit, atLimit } = meter
  if (limit === null)
    return (
      <p>
        <b className="num">{used.toLocaleString('en-US')}</b> {label.toLowerCase()}{' '}
        <span className="muted">without a limit</span>
      </p>
    )
  const state = meterState(used, limit)
  const next = nextPlan(plan, meter)
  const more = next ? (meter.of === 'customers' ? next.customerLimit : next.messageLimit) : null
  return (
    <div>
      <Progress
        label={label}
        value={used}
        max={limit}
        detail={`${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')}`}
        tone={state === 'fine' ? 'done' : 'late'}
      />
      {state === 'fine' ? null : (
        <p className="plan-warn">
          {state === 'full' ? `The limit is reached: ${atLimit}` : `${limit - used} left.`}{' '}
          {next ? (
            <LinkTo href={paths.pricing}>
              {next.name} {more === null ? 'has no limit' : `holds ${more}`}
            </LinkTo>
          ) : null}
        </p>
      )}
    </div>
  )
}

/** How much of the plan is used, with what comes when it is full. */
export const PlanMeters = ({ plan, meters }: { plan: PlanId | null; meters: readonly Meter[] }) => (
  <div className="plan-meters">
    {meters.map((meter) => (
      <One key={meter.of} meter={meter} plan={plan} />
    ))}
    <p className="hint">
      Archived customers do not count. One text of up to 160 plain characters is one segment, one with photos counts as
      three.
    </p>
  </div>
)
