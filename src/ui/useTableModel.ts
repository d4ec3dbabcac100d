import { type ColumnDef, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import { noSelection, type TableProps } from './tableProps.ts'

const features = tableFeatures({ rowSelectionFeature })
const none: never[] = []

/** Rows, selection with Shift ranges, and what the parts of a table share. Sorting is the server's. */
export const useTableModel = <Row>({
  rows,
  rowId,
  columns,
  selection = noSelection,
  onSelection,
  total,
}: TableProps<Row>) => {
  const visible = useMemo(() => columns.filter((column) => !column.hidden), [columns])
  const defs = useMemo(
    () =>
      visible.map((column) => ({ id: column.id, header: column.header })) as ColumnDef<typeof features, Row & object>[],
    [visible],
  )
  const picked = useMemo(() => Object.fromEntries(selection.ids.map((id) => [id, true as const])), [selection.ids])
  const table = useTable({
    features,
    columns: defs,
    data: (rows ?? none) as readonly (Row & object)[],
    getRowId: (row: Row & object) => rowId(row),
    state: { rowSelection: picked },
    onRowSelectionChange: (update) => {
      const next = typeof update === 'function' ? update(picked) : update
      onSelection?.({ ids: Object.keys(next), allMatching: false })
    },
  })
  const models = table.getRowModel().rows
  const loaded = models.length
  return {
    columns: visible,
    rows: models,
    selectable: onSelection !== undefined,
    isSelected: (id: string) => selection.allMatching || picked[id] === true,
    allSelected: selection.allMatching || (loaded > 0 && models.every((row) => picked[row.id])),
    someSelected: selection.ids.length > 0,
    count: selection.allMatching ? (total ?? loaded) : selection.ids.length,
    toggle: (index: number, event: { shiftKey: boolean }) => {
      const row = models[index]
      if (selection.allMatching)
        return onSelection?.({ ids: models.map((one) => one.id).filter((id) => id !== row?.id), allMatching: false })
      row?.getToggleSelectedHandler()({ shiftKey: event.shiftKey, target: { checked: !picked[row.id] } })
    },
    toggleAll: () => {
      const all = selection.allMatching || models.every((row) => picked[row.id])
      onSelection?.(all ? noSelection : { ids: models.map((row) => row.id), allMatching: false })
    },
    clear: () => onSelection?.(noSelection),
    selectMatching: () => onSelection?.({ ids: models.map((row) => row.id), allMatching: true }),
  }
}

export type TableModel<Row> = ReturnType<typeof useTableModel<Row>>
