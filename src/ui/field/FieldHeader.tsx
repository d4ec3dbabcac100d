import type { ReactNode } from 'react'
import './field.css'

/** The pine top of a crew screen: clock at the left, sync chip at the right, what matters now, and the day strip. */
export const FieldHeader = ({
  left,
  right,
  title,
  children,
}: {
  left?: ReactNode
  right?: ReactNode
  title: ReactNode
  children?: ReactNode
}) => (
  <header className="f-head">
    {left || right ? (
      <div className="f-head__row">
        <span>{left}</span>
        {right}
      </div>
    ) : null}
    <h1 className="f-head__title">{title}</h1>
    {children}
  </header>
)
