import { Tooltip as Base } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import './theme/mantine-base.ts'
import '@mantine/core/styles/Tooltip.layer.css'
import './Tooltip.css'

const events = { hover: true, focus: true, touch: false }

/** Extra words on pointer and on keyboard focus. Never the only place of something needed. The child is wrapped, so anything may be inside. */
export const Tooltip = ({
  text,
  side = 'top',
  children,
}: {
  text: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactElement
}) => (
  <Base
    label={text}
    position={side}
    openDelay={350}
    events={events}
    classNames={{ tooltip: 'ui-tooltip' }}
    withinPortal
    multiline
  >
    <span className="ui-tooltip-anchor">{children}</span>
  </Base>
)
