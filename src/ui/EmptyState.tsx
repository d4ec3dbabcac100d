import type { ReactNode } from 'react'
import './EmptyState.css'

type Props = {
  title: ReactNode
  /** What will be here and why it helps. */
  children?: ReactNode
  action?: ReactNode
  /** `unmowed`: nothing yet. `mowed`: all done, nothing waits. `search`: nothing fits the filter. */
  picture?: 'unmowed' | 'mowed' | 'search' | 'none'
  compact?: boolean
}

const widths = [22, 34, 18, 40, 26, 30, 20]

const Swath = ({ picture }: { picture: 'unmowed' | 'mowed' | 'search' }) => {
  let x = 5
  return (
    <svg className="ui-empty__swath" viewBox="0 0 240 72" width="240" height="72" aria-hidden="true">
      <path d="M5 60h230" className="ui-empty__ground" />
      {widths.map((width, index) => {
        const left = x
        x += width + 6
        return (
          <rect
            key={left}
            x={left}
            y={22}
            width={width}
            height={32}
            rx="4"
            className={picture === 'mowed' ? `is-mowed-${index % 2}` : 'is-line'}
          />
        )
      })}
      {picture === 'search' ? (
        <g className="ui-empty__glass">
          <circle cx="146" cy="34" r="20" />
          <path d="m160 49 14 14" />
        </g>
      ) : (
        <g className="ui-empty__flag">
          <path d={picture === 'mowed' ? 'M232 60V8' : 'M31 60V8'} />
          <path className="is-cloth" d={picture === 'mowed' ? 'M232 8l-20 7 20 7z' : 'M31 8l20 7-20 7z'} />
        </g>
      )}
    </svg>
  )
}

export const EmptyState = ({ title, children, action, picture = 'unmowed', compact }: Props) => (
  <div className={`ui-empty${compact ? ' ui-empty--compact' : ''}`}>
    {picture === 'none' || compact ? null : <Swath picture={picture} />}
    <h2>{title}</h2>
    {children ? <p className="muted">{children}</p> : null}
    {action ? <div className="ui-empty__action">{action}</div> : null}
  </div>
)
