import type { CSSProperties } from 'react'
import './Skeleton.css'

/** One bar. Waits 150 ms before it shows, so quick answers do not flash. */
export const Skeleton = ({
  width = '100%',
  height = 14,
  style,
}: {
  width?: number | string
  height?: number | string
  style?: CSSProperties
}) => <span className="ui-skeleton" style={{ width, height, ...style }} />

const Wait = ({ children, className }: { children: React.ReactNode; className?: string }) => (
  <div className={className} role="status" aria-busy="true">
    <span className="ui-hidden">Loading</span>
    {children}
  </div>
)

const spans = [62, 44, 78, 52, 70, 38, 66, 58]
const many = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Rows in the shape of a table. */
export const TableSkeleton = ({ rows = 8, columns = 5 }: { rows?: number; columns?: number }) => (
  <Wait className="ui-skeleton-table">
    {many(rows).map((row) => (
      <div
        key={row}
        className="ui-skeleton-table__row"
        style={{ gridTemplateColumns: `1.6fr repeat(${columns - 1}, 1fr)` }}
      >
        {many(columns).map((column) => (
          <Skeleton key={column} width={`${spans[(row * 3 + column) % spans.length]}%`} />
        ))}
      </div>
    ))}
  </Wait>
)

/** Cards in a row, as on the dashboard. */
export const CardSkeleton = ({ count = 1, height = 112 }: { count?: number; height?: number }) => (
  <Wait className="ui-skeleton-cards">
    {many(count).map((card) => (
      <div key={card} className="ui-skeleton-card" style={{ minHeight: height }}>
        <Skeleton width="45%" />
        <Skeleton width="65%" height={26} />
        <Skeleton width="55%" height={12} />
      </div>
    ))}
  </Wait>
)

/** The inside of a record panel. */
export const PanelSkeleton = () => (
  <Wait className="ui-skeleton-panel">
    <Skeleton width="55%" height={24} />
    <Skeleton width="35%" />
    {many(6).map((row) => (
      <div key={row} className="ui-skeleton-panel__row">
        <Skeleton width="70%" />
        <Skeleton width={`${spans[row]}%`} />
      </div>
    ))}
  </Wait>
)

/** Day strips before their stops are known. */
export const StripSkeleton = ({ rows = 3 }: { rows?: number }) => (
  <Wait className="ui-skeleton-panel">
    {many(rows).map((row) => (
      <Skeleton key={row} height={34} />
    ))}
  </Wait>
)
