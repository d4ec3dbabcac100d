import type { KeyboardEvent, ReactNode, RefObject } from 'react'

/** Chosen rows: some by id, or everything that matches the filter on the server. */
export type Selection = { ids: readonly string[]; allMatching: boolean }
export const noSelection: Selection = { ids: [], allMatching: false }

/** How a cell is changed where it stands. */
export type CellEdit<Row> = {
  /** What it is: the name of the field. */
  label: string
  /** Whether this row's can be changed; without it all can. */
  can?: (row: Row) => boolean
  /** What stands in the field, or which choice is on. */
  text: (row: Row) => string
  /** For a choice out of few. */
  options?: (row: Row) => readonly { value: string; label: string }[]
  inputMode?: 'text' | 'tel' | 'email' | 'decimal' | undefined
  maxLength?: number
  /** Saves what was typed; null when it stands, else what is wrong, in words. */
  save: (row: Row, text: string) => Promise<string | null>
}

export type Column<Row> = {
  /** The name the server sorts by, when `sortable`. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** A cell that can be changed in the list; on a phone the record is the place for it. */
  edit?: CellEdit<Row>
  /** Numbers and money stand at the right. */
  align?: 'left' | 'right'
  sortable?: boolean
  /** Share of the free width (default 1), never under `minWidth` (default 110 px). A fixed `width` takes no share. */
  grow?: number
  width?: number
  minWidth?: number
  /** Beside an open record, what finds no room leaves: 1 first. A column without it stays. */
  leaves?: number
  /** Left out while true: a column chooser or a saved view says so. */
  hidden?: boolean
}
/** What cells a grid has when they can be changed: `useCellEditing`. A list without them does not load it. */
export type GridCells<Row = never> = (options: {
  scroller: RefObject<HTMLDivElement | null>
  rows: readonly { id: string; original: unknown }[]
  columns: readonly Column<Row>[]
  goTo: (index: number) => void
}) => {
  draw: (index: number, column: Column<Row>, row: Row, content: ReactNode) => ReactNode
  isAt: (index: number) => boolean
  /** Whether a key of the row was for its cells. */
  fromRow: (event: KeyboardEvent, index: number) => boolean
  openLater: (open: () => void) => void
}

export type Sort = { id: string; direction: 'asc' | 'desc' }
export type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  /** How many there are in all, of which `rows` is the loaded part. */
  total?: number | undefined
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  onOpen?: (row: Row) => void
  /** For columns with `edit`: `useCellEditing`. */
  cells?: GridCells<Row>
  /** The row whose panel is open. */
  currentId?: string | null
  selection?: Selection
  /** Without it no row can be chosen. */
  onSelection?: ((selection: Selection) => void) | undefined
  /** Buttons of the bulk bar. `count` counts "all matching" too. */
  bulkActions?: (selection: Selection, count: number) => ReactNode
  loading?: boolean
  /** Data is being refreshed: the old stays, slightly dimmed. */
  refreshing?: boolean
  error?: unknown
  onRetry?: () => void
  empty?: ReactNode
  onMore?: () => void
  hasMore?: boolean
  loadingMore?: boolean
  /** `roomy`: two lines a row. */
  density?: 'compact' | 'comfortable' | 'roomy'
  /** A row as a card from 768 px down. */
  mobile: (row: Row) => ReactNode
  /** The grid scrolls inside this height; default fills the window. */
  maxHeight?: string
}

export const minWidthOf = (column: Pick<Column<never>, 'width' | 'minWidth'>): number =>
  column.width ?? column.minWidth ?? 110

/** The columns that find room in `widthPx`, beside `fixedPx` that are taken already. */
export const columnsThatFit = <Col extends Pick<Column<never>, 'width' | 'minWidth' | 'leaves'>>(
  columns: readonly Col[],
  widthPx: number,
  fixedPx: number,
): Col[] => {
  const kept = [...columns]
  const needPx = () => kept.reduce((sum, column) => sum + minWidthOf(column), fixedPx)
  const leaving = columns.filter((column) => column.leaves).sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0))
  for (const column of leaving) {
    if (needPx() <= widthPx) break
    kept.splice(kept.indexOf(column), 1)
  }
  return kept
}
