import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useUser } from '../../accounts/web/session.ts'

export type Counts = {
  all: number
  withoutJob: number
  withoutPin: number
  limit: number | null
  planName: string
  nextPlanName: string | null
}

/** How full the plan is, from four fifths on. */
export const LimitBanner = ({ counts }: { counts: Counts | undefined }) => {
  // Without a plan nothing is full: that there is none stands above every screen already.
  const hasPlan = useUser().subscriptionActive
  if (!hasPlan || !counts || counts.limit === null || counts.all < counts.limit * 0.8) return null
  const full = counts.all >= counts.limit
  return (
    <div className="customers-banner">
      <Banner
        tone="warn"
        title={
          full
            ? `Your ${counts.planName} plan is full.`
            : `${counts.all} of ${counts.limit} customers on ${counts.planName}.`
        }
        action={<Button href="/pricing">See {counts.nextPlanName}</Button>}
      >
        {full
          ? 'Everyone in your list keeps working. To add more, change the plan or archive customers you no longer serve.'
          : 'Archived customers do not count.'}
      </Banner>
    </div>
  )
}
