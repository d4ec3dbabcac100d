import { Fragment, type ReactNode } from 'react'
import './field.css'

/** A line of parts breaks between them: a time of day that is torn from its AM is read wrong. */
const inParts = (line: ReactNode): ReactNode =>
  typeof line === 'string'
    ? line.split(' · ').map((part, at) => (
        <Fragment key={part}>
          {at > 0 ? ' · ' : ''}
          <span className="f-head__part">{part}</span>
        </Fragment>
      ))
    : line

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
        <span>{inParts(left)}</span>
        {right}
      </div>
    ) : null}
    <h1 className="f-head__title">{title}</h1>
    {children}
  </header>
)
