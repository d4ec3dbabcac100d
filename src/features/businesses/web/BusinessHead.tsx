import type { CSSProperties, ReactNode } from 'react'
import './businesshead.css'

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Whether dark or light text reads better on a color of a business (WCAG contrast of the two). */
export const isLight = (hex: string): boolean => {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return false
  const luminance = 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05)
}

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
