import { useUser } from '../features/accounts/web/session.ts'
import { LinkTo } from '../ui/LinkTo.tsx'
import './banners.css'

/** What a business without an active subscription should know on the screens that stay open to it. */
export const SubscriptionBanner = () => {
  const user = useUser()
  if (user.subscriptionActive && user.subscriptionTier) return null
  return (
    <div className="shell-banner shell-banner--plan" role="status">
      <span>
        <b>No active subscription.</b> You can read and export everything; booking and invoicing wait for a plan.
      </span>
      <LinkTo href="/pricing">See plans</LinkTo>
    </div>
  )
}
