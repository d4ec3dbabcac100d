import type { ReactNode } from 'react'
import './Progress.css'

type Props = { value: number; max?: number; label: ReactNode; detail?: ReactNode; tone?: 'done' | 'now' | 'late' }

/** How far something is, as a mowed strip. The label says it in words. */
export const Progress = ({ value, max = 100, label, detail, tone = 'done' }: Props) => (
  <div className={`ui-progress ui-progress--${tone}`}>
    <div className="ui-progress__words">
      <span>{label}</span>
      <span className="muted num">{detail ?? `${Math.round((value / max) * 100)}%`}</span>
    </div>
    <div
      className="ui-progress__track"
      role="progressbar"
      aria-valuenow={Math.round(value)}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-label={typeof label === 'string' ? label : 'Progress'}
    >
      <span style={{ width: `${Math.min(100, Math.max(0, (value / max) * 100))}%` }} />
    </div>
  </div>
)
