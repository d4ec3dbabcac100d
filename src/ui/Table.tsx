import { useRef } from 'react'
import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { TableSkeleton } from './Skeleton.tsx'
import { TableBulkBar } from './TableBulkBar.tsx'
import { TableCards } from './TableCards.tsx'
import { TableGrid } from './TableGrid.tsx'
import type { TableProps } from './tableProps.ts'
import './Table.css'
import { useNarrow } from './useNarrow.ts'
import { useTableModel } from './useTableModel.ts'

/** Ten thousand rows or three: sorted by the server, drawn only where they are seen, cards on a phone. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { rows, loading, error, onRetry, empty, columns, refreshing } = props
  const narrow = useNarrow()
  const root = useRef<HTMLDivElement>(null)
  const model = useTableModel(props)
  if (error && !rows) return <ErrorState error={error} {...(onRetry ? { onRetry } : {})} />
  if (loading || !rows) return <TableSkeleton columns={Math.min(6, columns.length)} />
  if (rows.length === 0) return <>{empty ?? <EmptyState picture="search" title="Nothing here" />}</>
  return (
    <div ref={root} className={`ui-table${refreshing ? ' is-refreshing' : ''}`} aria-busy={refreshing || undefined}>
      {narrow ? <TableCards {...props} model={model} /> : <TableGrid {...props} model={model} />}
      <TableBulkBar {...props} model={model} />
    </div>
  )
}
