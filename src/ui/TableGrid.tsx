// biome-ignore-all lint/a11y/useSemanticElements: drawn rows are placed one by one, which table elements do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time is focusable
import { useMergedRef, useResizeObserver } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { IconArrowDown, IconArrowUp } from './icons.ts'
import { LoadMore } from './LoadMore.tsx'
import { useBesidePanel } from './panelStack.ts'
import { type Column, columnsThatFit, type GridCells, minWidthOf, type TableProps } from './tableProps.ts'
import type { TableModel } from './useTableModel.ts'

const track = <Row,>(column: Column<Row>) =>
  column.width ? `${column.width}px` : `minmax(${column.minWidth ?? 110}px, ${column.grow ?? 1}fr)`
const interactive = 'a, button, input, select, textarea, label, [role="menuitem"], [role="checkbox"]'

const headPx = 38

const usePlainCells = <Row,>(): ReturnType<GridCells<Row>> => ({
  draw: (_index, column, _row, content) => (
    <div key={column.id} role="cell" className={`ui-grid__cell${column.align === 'right' ? ' is-right num' : ''}`}>
      {content}
    </div>
  ),
  isAt: () => false,
  fromRow: () => false,
  openLater: (open) => open(),
})

/** The table of wide screens. Arrow keys walk the rows, Enter opens, Space chooses, Shift extends. */
export const TableGrid = <Row,>({
  label,
  sort,
  onSort,
  onOpen,
  cells: useCells = usePlainCells,
  currentId,
  total,
  density = 'comfortable',
  onMore,
  hasMore,
  loadingMore,
  maxHeight,
  rows,
  model,
}: TableProps<Row> & { model: TableModel<Row> }) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [measure, box] = useResizeObserver<HTMLDivElement>()
  const root = useMergedRef(scroller, measure)
  const beside = useBesidePanel()
  const [active, setActive] = useState(0)
  const current = Math.min(active, model.rows.length - 1)
  const height = { compact: 36, comfortable: 44, roomy: 58 }[density]
  // The compiler cannot keep what the virtualizer hands out; it must be called anew.
  const virtual = useVirtualizer({
    count: model.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    // The row with the focus stays, however far one scrolls.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
    getItemKey: (index) => model.rows[index]?.id ?? index,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density is another height
  useEffect(() => virtual.measure(), [height, virtual])
  const checkPx = model.selectable ? 44 : 0
  const shown = beside && box.width > 0 ? columnsThatFit(model.columns, box.width, checkPx) : model.columns
  const columns = `${model.selectable ? '44px ' : ''}${shown.map(track).join(' ')}`

  // What is in sight stays where it is: a panel that opens beside the list has just kept its rows in their place.
  const bringInSight = (index: number) => {
    const box = scroller.current
    const top = index * height - (box?.scrollTop ?? 0)
    if (!box || top < 0 || top + height + headPx > box.clientHeight) virtual.scrollToIndex(index)
  }
  const goTo = (index: number) => {
    const next = Math.min(model.rows.length - 1, Math.max(0, index))
    setActive(next)
    bringInSight(next)
    const focus = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)
      row?.focus({ preventScroll: true })
      return row
    }
    // A row far away is not drawn yet: wait for the frame in which it is.
    if (!focus()) requestAnimationFrame(focus)
  }
  // The open record's row is in sight, and has the focus where a row had it: one row looks chosen, not two.
  const currentRow = currentId ? model.rows.findIndex(({ id }) => id === currentId) : -1
  // biome-ignore lint/correctness/useExhaustiveDependencies: another open record moves the list, a list that grows does not
  useEffect(() => {
    if (currentRow < 0) return
    const focused = document.activeElement
    if (focused?.getAttribute('role') === 'row' && scroller.current?.contains(focused)) goTo(currentRow)
    else {
      setActive(currentRow)
      bringInSight(currentRow)
    }
  }, [currentId, currentRow < 0])
  const cells = useCells({ scroller, rows: model.rows, columns: shown, goTo })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (event.target !== event.currentTarget || cells.fromRow(event, index)) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / height) - 2)
    const to = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: model.rows.length - 1,
    }[event.key]
    const row = model.rows[index]
    if (to !== undefined) {
      event.preventDefault()
      if (event.shiftKey && model.selectable && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        if (!model.isSelected(row?.id ?? '')) model.toggle(index, { shiftKey: false })
        else model.toggle(Math.min(model.rows.length - 1, Math.max(0, to)), { shiftKey: true })
      }
      goTo(to)
    } else if (event.key === 'Enter' && row && onOpen) {
      event.preventDefault()
      onOpen(row.original)
    } else if (event.key === ' ' && model.selectable) {
      event.preventDefault()
      model.toggle(index, event)
    }
  }
  const onRowClick = (event: MouseEvent<HTMLElement>, index: number) => {
    if ((event.target as HTMLElement).closest(interactive) || window.getSelection()?.toString()) return
    setActive(index)
    const row = model.rows[index]
    if (!row || !onOpen) return
    // The first half of a double click on a cell that can be changed opens nothing under the pointer.
    if ((event.target as HTMLElement).closest('.is-editable')) {
      // A click is for the record: the row has the focus, so that Esc closes what opens and does not walk out of a cell first.
      event.currentTarget.focus({ preventScroll: true })
      cells.openLater(() => onOpen(row.original))
    } else onOpen(row.original)
  }

  // One width for all rows: measured from their own contents, each would lay its columns out differently.
  const minWidth = shown.reduce((sum, column) => sum + minWidthOf(column), checkPx)

  return (
    <div ref={root} className={`ui-grid ui-grid--${density}`} style={{ maxHeight }}>
      <div
        role="table"
        style={{ minWidth }}
        aria-label={label}
        aria-rowcount={(total ?? model.rows.length) + 1}
        aria-colcount={shown.length + (model.selectable ? 1 : 0)}
      >
        <div className="ui-grid__head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: columns }}>
          {model.selectable ? (
            <div role="columnheader" className="ui-grid__cell ui-grid__check">
              <label className="ui-check">
                <input
                  type="checkbox"
                  aria-label="Select all rows shown"
                  checked={model.allSelected}
                  ref={(box) => {
                    if (box) box.indeterminate = model.someSelected && !model.allSelected
                  }}
                  onChange={model.toggleAll}
                />
              </label>
            </div>
          ) : null}
          {shown.map((column) => {
            const sorted = sort?.id === column.id ? sort.direction : null
            const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp
            return (
              <div
                key={column.id}
                role="columnheader"
                className={`ui-grid__cell${column.align === 'right' ? ' is-right' : ''}`}
                aria-sort={
                  sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : column.sortable ? 'none' : undefined
                }
              >
                {column.sortable && onSort ? (
                  <button
                    type="button"
                    className={`ui-grid__sort${sorted ? ' is-on' : ''}`}
                    onClick={() => onSort({ id: column.id, direction: sorted === 'asc' ? 'desc' : 'asc' })}
                  >
                    {column.header}
                    <Arrow size={14} stroke={2.2} aria-hidden="true" />
                  </button>
                ) : (
                  column.header || <span className="ui-hidden">Actions</span>
                )}
              </div>
            )
          })}
        </div>
        <div role="rowgroup" className="ui-grid__body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = model.rows[item.index]
            if (!row) return null
            const selected = model.isSelected(row.id)
            return (
              <div
                key={item.key}
                data-index={item.index}
                role="row"
                aria-rowindex={item.index + 2}
                data-selected={selected || undefined}
                aria-current={row.id === currentId ? 'true' : undefined}
                tabIndex={item.index === current ? 0 : -1}
                className={`ui-grid__row${onOpen ? ' is-open-able' : ''}${cells.isAt(item.index) ? ' is-editing' : ''}`}
                style={{ gridTemplateColumns: columns, height, transform: `translateY(${item.start}px)` }}
                onKeyDown={(event) => onKeyDown(event, item.index)}
                onClick={(event) => onRowClick(event, item.index)}
              >
                {model.selectable ? (
                  <div role="cell" className="ui-grid__cell ui-grid__check">
                    <label className="ui-check">
                      <input
                        type="checkbox"
                        aria-label="Select this row"
                        checked={selected}
                        tabIndex={item.index === current ? 0 : -1}
                        onChange={() => undefined}
                        onClick={(event) => model.toggle(item.index, event)}
                      />
                    </label>
                  </div>
                ) : null}
                {shown.map((column) =>
                  cells.draw(item.index, column, row.original as Row, column.cell(row.original as Row)),
                )}
              </div>
            )
          })}
        </div>
      </div>
      {onMore ? (
        <LoadMore
          hasMore={hasMore ?? false}
          loading={loadingMore ?? false}
          onMore={onMore}
          shown={rows?.length ?? 0}
          {...(total === undefined ? {} : { total })}
        />
      ) : null}
    </div>
  )
}
