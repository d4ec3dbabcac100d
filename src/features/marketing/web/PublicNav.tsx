import type { ReactNode } from 'react'
import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { BrandMark } from '../../../ui/BrandMark.tsx'
import type { NavSession } from '../rules.ts'
import { navLinks } from './site.ts'
import './public-nav.css'

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

const Logout = () => (
  <button type="button" className="pn-link" data-logout="">
    Logout
  </button>
)

const accountLinks: Readonly<Record<NavSession, ReactNode>> = {
  out: (
    <>
      <Link href={paths.signin} label="Sign In" className="pn-link" />
      <Link href={paths.application} label="Apply free" className="pn-btn pn-cta" />
    </>
  ),
  tier: (
    <>
      <Link href={paths.dashboard} label="Dashboard" className="pn-btn" />
      <Link href={paths.profile} label="Profile" className="pn-link" />
      <Logout />
    </>
  ),
  notier: (
    <>
      <Link href={paths.profile} label="Profile" className="pn-link" />
      <Link href={paths.pricing} label="Subscribe" className="pn-btn" />
      <Logout />
    </>
  ),
}

/** All three stand in the page; `<html data-nav>` picks one. */
const Account = () =>
  (['out', 'tier', 'notier'] as const).map((session) => (
    <div key={session} className={`pn-account pn-for-${session}`}>
      {accountLinks[session]}
    </div>
  ))

/** The public pages' nav: plain links and CSS. */
export const PublicNav = ({ current }: { current: string }) => (
  <header className="pn">
    <a className="pn-skip" href="#main">
      Skip to content
    </a>
    <nav className="pn-bar" aria-label="Main">
      <a className="pn-logo" href={paths.home}>
        <BrandMark size={28} />
        {brand.name}
      </a>
      <ul className="pn-links">
        {navLinks.map((link) => (
          <li key={link.href}>
            <Link {...link} current={current} className="pn-link" />
          </li>
        ))}
      </ul>
      <div className="pn-wide">
        <Account />
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
          <Account />
        </div>
      </details>
    </nav>
  </header>
)
