import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import type { NavSession } from '../rules.ts'
import { navLinks } from './site.ts'
import './public-nav.css'

type Props = {
  /** Path of the page shown. */
  current?: string
  /** Which account links to show. Left out: all variants stand in the page and `<html data-nav>` picks one (prerendered pages). */
  session?: NavSession
  /** Only 'Back to Home': sign-in, register and payment-success. */
  reduced?: boolean
  /** Left out: the button carries `data-logout` for the public script. */
  onLogout?: () => void
}

const Link = ({
  href,
  label,
  current,
  className,
}: {
  href: string
  label: string
  current?: string
  className?: string
}) => (
  <a href={href} className={className} aria-current={href === current ? 'page' : undefined}>
    {label}
  </a>
)

const Logout = ({ onLogout }: Pick<Props, 'onLogout'>) => (
  <button type="button" className="pn-link" data-logout={onLogout ? undefined : ''} onClick={onLogout}>
    Logout
  </button>
)

const AccountLinks = ({ session, onLogout }: { session: NavSession } & Pick<Props, 'onLogout'>) => {
  if (session === 'out') return <Link href={paths.signin} label="Sign In" className="pn-btn" />
  if (session === 'tier')
    return (
      <>
        <Link href={paths.dashboard} label="Dashboard" className="pn-btn" />
        <Link href={paths.profile} label="Profile" className="pn-link" />
        <Logout onLogout={onLogout} />
      </>
    )
  return (
    <>
      <Link href={paths.profile} label="Profile" className="pn-link" />
      <Link href={paths.pricing} label="Subscribe" className="pn-btn" />
      <Logout onLogout={onLogout} />
    </>
  )
}

const Account = ({ session, onLogout }: Pick<Props, 'session' | 'onLogout'>) =>
  session ? (
    <div className="pn-account">
      <AccountLinks session={session} onLogout={onLogout} />
    </div>
  ) : (
    (['out', 'tier', 'notier'] as const).map((each) => (
      <div key={each} className={`pn-account pn-for-${each}`}>
        <AccountLinks session={each} />
      </div>
    ))
  )

/** The public pages' nav. Plain links and CSS: it stands in the prerendered pages and in the signed-out screens alike. */
export const PublicNav = ({ current, session, reduced = false, onLogout }: Props) => (
  <header className="pn">
    <a className="pn-skip" href="#main">
      Skip to content
    </a>
    <nav className="pn-bar" aria-label="Main">
      <a className="pn-logo" href={paths.home}>
        {brand.name}
      </a>
      {reduced ? (
        <a className="pn-link" href={paths.home}>
          Back to Home
        </a>
      ) : (
        <>
          <ul className="pn-links">
            {navLinks.map((link) => (
              <li key={link.href}>
                <Link {...link} current={current} className="pn-link" />
              </li>
            ))}
          </ul>
          <div className="pn-wide">
            <Account session={session} onLogout={onLogout} />
          </div>
          <details className="pn-menu">
            <summary>Menu</summary>
            <div className="pn-sheet">
              <ul>
                {navLinks.map((link) => (
                  <li key={link.href}>
                    <Link {...link} current={current} />
                  </li>
                ))}
              </ul>
              <Account session={session} onLogout={onLogout} />
            </div>
          </details>
        </>
      )}
    </nav>
  </header>
)
