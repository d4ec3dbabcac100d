import type { ReactNode } from 'react'
import { IconAlertTriangle } from '../icons.ts'
import { LinkTo } from '../LinkTo.tsx'
import { type StripState, stateNames } from '../stripLayout.ts'
import './field.css'
import { NumberBadge } from './NumberBadge.tsx'

type Props = {
  /** None for one that does not count. */
  number: number | null
  title: ReactNode
  sub?: ReactNode
  side?: ReactNode
  warning?: ReactNode
  state?: StripState
  stateLabel?: string
  href?: string
  onClick?: () => void
}

/** One stop in the list of the day. */
export const StopRow = ({ number, title, sub, side, warning, state = 'todo', stateLabel, href, onClick }: Props) => {
  const inside = (
    <>
      <NumberBadge number={number} state={state} />
      <span>
        <span className="ui-hidden">
          {number === null ? '' : `${number}, `}
          {stateLabel ?? stateNames[state]}:{' '}
        </span>
        <span className="f-stop__title">{title}</span>
        {sub ? <span className="f-stop__sub">{sub}</span> : null}
        {warning ? (
          <span className="f-stop__warn">
            <IconAlertTriangle aria-hidden="true" />
            {warning}
          </span>
        ) : null}
      </span>
      <span className="f-stop__side">{side}</span>
    </>
  )
  if (href)
    return (
      <LinkTo href={href} className="f-stop">
        {inside}
      </LinkTo>
    )
  return onClick ? (
    <button type="button" className="f-stop" onClick={onClick}>
      {inside}
    </button>
  ) : (
    <div className="f-stop">{inside}</div>
  )
}
