import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { IconX } from './icons.ts'
import { noSelection, type TableProps } from './tableProps.ts'
import type { TableModel } from './useTableModel.ts'

/** What to do with the chosen rows; offers all that match the filter once all shown are chosen. */
export const TableBulkBar = <Row,>({
  bulkActions,
  selection = noSelection,
  total,
  model,
}: TableProps<Row> & { model: TableModel<Row> }) => {
  if (model.count === 0) return null
  const more = total !== undefined && total > model.rows.length && model.allSelected && !selection.allMatching
  return (
    <section className="ui-bulk" aria-label="Chosen rows">
      <span className="ui-bulk__count num" role="status">
        {selection.allMatching
          ? `All ${model.count.toLocaleString('en-US')} selected`
          : `${model.count.toLocaleString('en-US')} selected`}
      </span>
      {more ? (
        <Button size="s" kind="quiet" onClick={model.selectMatching}>
          Select all {total.toLocaleString('en-US')} matching
        </Button>
      ) : null}
      <span className="ui-bulk__actions">{bulkActions?.(selection, model.count)}</span>
      <IconButton size="s" label="Clear the selection" icon={<IconX />} onClick={model.clear} tooltip={false} />
    </section>
  )
}
