import type { ReactNode, Ref } from 'react'
import './Banner.css'
import { IconButton } from './IconButton.tsx'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from './icons.ts'

type Props = {
  tone?: 'info' | 'warn' | 'error' | 'done'
  title?: ReactNode
  action?: ReactNode
  onClose?: () => void
  icon?: ReactNode
  ref?: Ref<HTMLDivElement>
  children?: ReactNode
}

/** Something to know on this screen, with the one thing to do about it. */
export const Banner = ({ tone = 'info', title, action, onClose, icon, ref, children }: Props) => {
  const Icon = tone === 'info' ? IconInfoCircle : tone === 'done' ? IconCheck : IconAlertTriangle
  return (
    <div
      ref={ref}
      className={`ui-banner ui-banner--${tone}`}
      role={tone === 'error' ? 'alert' : 'status'}
      tabIndex={-1}
    >
      <span className="ui-banner__icon" aria-hidden="true">
        {icon ?? <Icon size={19} />}
      </span>
      <div className="ui-banner__words">
        {title ? <b>{title}</b> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action ? <div className="ui-banner__action">{action}</div> : null}
      {onClose ? <IconButton label="Close" size="s" icon={<IconX />} onClick={onClose} tooltip={false} /> : null}
    </div>
  )
}
