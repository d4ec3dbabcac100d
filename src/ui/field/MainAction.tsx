import type { ReactNode } from 'react'
import './field.css'

type Props = {
  children: ReactNode
  onClick: () => void
  icon?: ReactNode
  busy?: boolean
  disabled?: boolean
  tone?: 'go' | 'stop'
}

/** The one thing to do next: 64 px, in the dock. */
export const MainAction = ({ children, onClick, icon, busy = false, disabled, tone = 'go' }: Props) => (
  <button
    type="button"
    className={`f-main f-main--${tone}`}
    disabled={disabled}
    aria-busy={busy || undefined}
    onClick={busy ? undefined : onClick}
  >
    {busy ? <span className="f-spin" aria-hidden="true" /> : icon}
    {children}
  </button>
)
