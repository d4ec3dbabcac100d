import { useEffect, useRef, useState } from 'react'
import { type CellLeave, TableCell } from './TableCell.tsx'
import type { GridCells } from './tableProps.ts'

/** A second click that comes within this time makes a double click of the first. */
const doubleClickMs = 230

/** Given to a `Table` whose columns have `edit`: which cell is a field, and how the keys walk from the row into its cells and on. */
export const useCellEditing = <Row,>({
  scroller,
  rows,
  columns,
  goTo,
}: Parameters<GridCells<Row>>[0]): ReturnType<GridCells<Row>> => {
  const [at, setAt] = useState<{ rowId: string; columnId: string } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const editable = (index: number): string[] =>
    columns.filter(({ edit }) => edit && edit.can?.(rows[index]?.original as Row) !== false).map(({ id }) => id)
  const focusCell = (index: number, columnId: string) => {
    const focus = () =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${index}"] [data-edit="${CSS.escape(columnId)}"]`)
        ?.focus({ preventScroll: true })
    // the field has to be a cell again first
    requestAnimationFrame(focus)
  }
  const edit = (index: number, columnId: string) => {
    clearTimeout(timer.current)
    const row = rows[index]
    if (row) setAt({ rowId: row.id, columnId })
  }
  const leave = (index: number, columnId: string, to: CellLeave) => {
    setAt(null)
    if (to === 'gone') return
    if (to === 'stay') return focusCell(index, columnId)
    const step = to === 'next' ? 1 : -1
    const own = editable(index)
    const beside = own[own.indexOf(columnId) + step]
    if (beside) return edit(index, beside)
    const next = index + step
    const there = editable(next)
    const first = to === 'next' ? there[0] : there.at(-1)
    if (!rows[next] || !first) return focusCell(index, columnId)
    goTo(next)
    edit(next, first)
  }
  const walk = (index: number, columnId: string, way: 'left' | 'right' | 'up' | 'down' | 'row') => {
    const own = editable(index)
    const next = index + (way === 'up' ? -1 : way === 'down' ? 1 : 0)
    if (next !== index) {
      if (!rows[next]) return
      goTo(next)
      return focusCell(next, columnId)
    }
    const beside = way === 'row' ? undefined : own[own.indexOf(columnId) + (way === 'left' ? -1 : 1)]
    if (beside) focusCell(index, beside)
    else if (way !== 'right') goTo(index)
  }
  return {
    draw: (index, column, row, content) => (
      <TableCell
        key={column.id}
        row={row}
        columnId={column.id}
        edit={column.edit}
        right={column.align === 'right'}
        editing={at?.rowId === rows[index]?.id && at?.columnId === column.id}
        onEdit={() => edit(index, column.id)}
        onLeave={(to) => leave(index, column.id, to)}
        onWalk={(way) => walk(index, column.id, way)}
      >
        {content}
      </TableCell>
    ),
    isAt: (index) => at !== null && at.rowId === rows[index]?.id,
    /** From a row that has the focus: F2 changes its first such cell, the right arrow goes to it. */
    fromRow: (event, index) => {
      const [first] = editable(index)
      if (!first || (event.key !== 'F2' && event.key !== 'ArrowRight')) return false
      event.preventDefault()
      if (event.key === 'F2') edit(index, first)
      else focusCell(index, first)
      return true
    },
    openLater: (open) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(open, doubleClickMs)
    },
  }
}
