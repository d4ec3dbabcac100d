import type { CSSProperties, ReactNode } from 'react'
import './FieldFrame.css'

/** Fields side by side where there is room, one under the other where not. A child with class `is-whole` takes the full row. */
export const FieldGrid = ({ min = 220, children }: { min?: number; children: ReactNode }) => (
  <div className="ui-fields" style={{ '--min': `${min}px` } as CSSProperties}>
    {children}
  </div>
)
