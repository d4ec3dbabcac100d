import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { IconChevronRight } from './icons.ts'
import { LoadMore } from './LoadMore.tsx'
import type { TableProps } from './tableProps.ts'
import type { TableModel } from './useTableModel.ts'

/** The same rows on a phone: cards, only those near the window drawn. */
export const TableCards = <Row,>({
  label,
  rows,
  mobile,
  onOpen,
  currentId,
  total,
  onMore,
  hasMore,
  loadingMore,
  model,
}: TableProps<Row> & { model: TableModel<Row> }) => {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (list.current) setTop(list.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count: model.rows.length,
    estimateSize: () => 76,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => model.rows[index]?.id ?? index,
  })
  return (
    <>
      <ul ref={list} className="ui-cards" aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = model.rows[item.index]
          if (!row) return null
          return (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="ui-cards__card"
              aria-current={row.id === currentId ? 'true' : undefined}
              style={{ transform: `translateY(${item.start - top}px)` }}
            >
              {model.selectable ? (
                <label className="ui-check ui-cards__check">
                  <input
                    type="checkbox"
                    aria-label="Select"
                    checked={model.isSelected(row.id)}
                    onChange={() => undefined}
                    onClick={(event) => model.toggle(item.index, event)}
                  />
                </label>
              ) : null}
              {onOpen ? (
                <button type="button" className="ui-cards__open" onClick={() => onOpen(row.original)}>
                  <span className="ui-cards__in">{mobile(row.original)}</span>
                  <IconChevronRight size={18} aria-hidden="true" />
                </button>
              ) : (
                <div className="ui-cards__in">{mobile(row.original)}</div>
              )}
            </li>
          )
        })}
      </ul>
      {onMore ? (
        <LoadMore
          hasMore={hasMore ?? false}
          loading={loadingMore ?? false}
          onMore={onMore}
          shown={rows?.length ?? 0}
          {...(total === undefined ? {} : { total })}
        />
      ) : null}
    </>
  )
}
