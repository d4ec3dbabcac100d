import type { ReactNode } from 'react'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '../icons.ts'
import './field.css'

/** What can hurt or go wrong (dog, gate, no-go), above the action. `wait` and `done` for lesser news. */
export const Alert = ({
  tone = 'danger',
  icon,
  children,
}: {
  tone?: 'danger' | 'wait' | 'done'
  icon?: ReactNode
  children: ReactNode
}) => (
  <div className={`f-alert f-alert--${tone}`} role={tone === 'danger' ? undefined : 'status'}>
    {icon ??
      (tone === 'danger' ? (
        <IconAlertTriangle aria-hidden="true" />
      ) : tone === 'done' ? (
        <IconCheck aria-hidden="true" />
      ) : (
        <IconInfoCircle aria-hidden="true" />
      ))}
    <div className="f-alert__words">{children}</div>
  </div>
)
