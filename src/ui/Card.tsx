import type { ReactNode } from 'react'
import './Card.css'

type Props = {
  title?: ReactNode
  /** Quiet words at the right of the title. */
  hint?: ReactNode
  actions?: ReactNode
  /** Without padding, for tables and lists that draw their own rows. */
  flush?: boolean
  as?: 'section' | 'div' | 'article'
  className?: string
  id?: string
  children?: ReactNode
}

export const Card = ({ title, hint, actions, flush, as: As = 'section', className, id, children }: Props) => (
  <As className={`ui-card${className ? ` ${className}` : ''}`} id={id}>
    {title || actions ? (
      <header className="ui-card__head">
        <h2>{title}</h2>
        {hint ? <span className="hint">{hint}</span> : null}
        {actions ? <div className="ui-card__actions">{actions}</div> : null}
      </header>
    ) : null}
    {children === undefined ? null : flush ? children : <div className="ui-card__body">{children}</div>}
  </As>
)
