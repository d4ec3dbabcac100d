import type { ReactNode } from 'react'
import './Badge.css'

export type Tone = 'done' | 'now' | 'late' | 'wait' | 'neutral' | 'flag'

/** A state in one or two words. The dot and the tint repeat it; the word says it. */
export const Badge = ({
  tone = 'neutral',
  dot = true,
  children,
}: {
  tone?: Tone
  dot?: boolean
  children: ReactNode
}) => <span className={`ui-badge ui-badge--${tone}${dot ? '' : ' ui-badge--plain'}`}>{children}</span>
