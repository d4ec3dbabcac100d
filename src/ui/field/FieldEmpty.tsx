import type { ReactNode } from 'react'
import './field.css'

/** Nothing here yet, or nothing left: says so and offers the next thing. */
export const FieldEmpty = ({
  title,
  children,
  action,
}: {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className="f-empty">
    <h2>{title}</h2>
    {children ? <p className="muted">{children}</p> : null}
    {action}
  </div>
)
