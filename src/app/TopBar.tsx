import { useOnlyLooks, useSession, useUser } from '../features/accounts/web/session.ts'
import { NotificationBell } from '../features/notifications/web/NotificationBell.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { IconLogout, IconMenu2, IconSearch } from '../ui/icons.ts'
import { LinkTo } from '../ui/LinkTo.tsx'
import { Logo } from './Logo.tsx'
import { NewMenu } from './NewMenu.tsx'
import './topbar.css'

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

type Props = { onSearch: () => void; onMenu: () => void }

/** Search, what is new, who this is. The logo stands in the sidebar until there is none. */
export const TopBar = ({ onSearch, onMenu }: Props) => {
  const user = useUser()
  const session = useSession()
  const onlyLooks = useOnlyLooks()
  return (
    <header className="top">
      <button type="button" className="top__icon top__menu" aria-label="Menu" onClick={onMenu}>
        <IconMenu2 size={22} aria-hidden="true" />
      </button>
      <LinkTo href="/dashboard" className="top__logo" aria-label="Swath, to the dashboard">
        <Logo />
      </LinkTo>
      <button type="button" className="top__search" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={18} aria-hidden="true" />
        <span>Find a customer, job or invoice</span>
        <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <span className="top__space" />
      <LinkTo href="/dashboard" className="top__link">
        Dashboard
      </LinkTo>
      {onlyLooks ? null : (
        <>
          <NewMenu />
          <NotificationBell />
          <LinkTo href="/profile" className="top__person">
            <span className="top__avatar">
              <Avatar name={user.name} size={30} color="var(--side)" />
            </span>
            <b>{user.name}</b>
            <span className="ui-hidden">, profile</span>
          </LinkTo>
          <button type="button" className="top__icon top__logout" onClick={() => void session.signOut()} title="Logout">
            <IconLogout size={20} stroke={1.8} aria-hidden="true" />
            <span className="ui-hidden">Logout</span>
          </button>
        </>
      )}
    </header>
  )
}
