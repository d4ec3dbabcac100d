import { useEffect } from 'react'
import { useSession, useSupport, useUser } from '../features/accounts/web/session.ts'
import { momentText } from '../features/support/rules.ts'
import { IconEye } from '../ui/icons.ts'
import './banners.css'

const againMs = 30_000

/** On every screen of a support view: whose business this is, that nothing can be changed, until when, and the way out. */
export const SupportBanner = () => {
  const session = useSession()
  const support = useSupport()
  const { timeZone } = useUser().business
  const isOn = support !== null
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => void session.refresh(), againMs)
    return () => clearInterval(timer)
  }, [isOn, session])
  if (!support) return null
  return (
    <div className="shell-banner shell-banner--support" role="status">
      <IconEye size={18} aria-hidden="true" />
      <span>
        <b>{support.businessName}.</b> Support view, read only, until{' '}
        {momentText(support.until, timeZone, new Date().toISOString())}
      </span>
      <button type="button" onClick={() => void session.signOut()}>
        Leave
      </button>
    </div>
  )
}
