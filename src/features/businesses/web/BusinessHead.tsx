import type { CSSProperties, ReactNode } from 'react'
import { isLight } from '../rules.ts'
import './businesshead.css'

/** The color of a business and the text that stands on it, for everything inside. */
export const brandStyle = (color: string): CSSProperties =>
  ({ '--brand': color, '--on-brand': isLight(color) ? 'var(--sync-phone-ink)' : 'var(--on-crew)' }) as CSSProperties

/** The head of what a business sends to its customers: its name on its color, and how to reach it. */
export const BusinessHead = ({
  name,
  color,
  logoUrl,
  as: As = 'h1',
  children,
}: {
  name: string
  color: string
  logoUrl?: string | null
  as?: 'h1' | 'p'
  children?: ReactNode
}) => (
  <header className="business-head" style={brandStyle(color)}>
    <span className="business-head__who">
      {logoUrl ? <img className="business-head__logo" src={logoUrl} alt="" /> : null}
      <As className="business-head__name">{name}</As>
    </span>
    {children ? <div className="business-head__side">{children}</div> : null}
  </header>
)
