import { useUser } from '../features/accounts/web/session.ts'
import { dayOf, formatDay } from '../shared/dates.ts'
import { LinkTo } from '../ui/LinkTo.tsx'
import { bannerOf } from './subscription.ts'
import './banners.css'

/** What the office should know of its subscription on every screen: that it is missing, overdue, or about to end. */
export const SubscriptionBanner = () => {
  const user = useUser()
  const day = (instant: string) => formatDay(dayOf(instant, user.business.timeZone), { long: true })
  const banner = bannerOf(user, new Date(), day)
  if (!banner) return null
  return (
    <div className="shell-banner shell-banner--plan" role="status">
      <span>
        <b>{banner.title}</b> {banner.text}
      </span>
      {user.role === 'Owner' ? <LinkTo href={banner.href}>{banner.action}</LinkTo> : null}
    </div>
  )
}
