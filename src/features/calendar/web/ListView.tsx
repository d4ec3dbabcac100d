import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { formatDay, formatMinute } from '../../../shared/dates.ts'
import { Card as Panel } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import { VisitState } from '../../visits/web/VisitState.tsx'
import type { CalendarRange, CalendarVisit } from '../contract.ts'
import { windowLabel } from '../rules.ts'
import { type Filter, fits, inTime } from './view.ts'

/** The visits of a week, one below the other, as they would be printed. */
export const ListView = ({ range, filter }: { range: CalendarRange; filter: Filter }) => {
  const linkOf = useVisitLink()
  const go = useNavigate()
  const rows = useMemo(
    () =>
      inTime(
        range.visits.filter((visit) => fits(visit, filter)),
        range.crews,
      ),
    [range, filter],
  )
  const columns = useMemo((): Column<CalendarVisit>[] => {
    const crewOf = (visit: CalendarVisit) => range.crews.find((crew) => crew.id === visit.crewId)?.name
    return [
      { id: 'day', header: 'Day', width: 120, cell: (visit) => formatDay(visit.day) },
      {
        id: 'time',
        header: 'Time',
        width: 96,
        cell: (visit) => (
          <span className="num">{visit.startMinute === null ? '' : formatMinute(visit.startMinute)}</span>
        ),
      },
      { id: 'street', header: 'Where', grow: 2, cell: (visit) => <b>{visit.street}</b> },
      { id: 'customer', header: 'Customer', cell: (visit) => visit.customer },
      { id: 'work', header: 'Work', grow: 2, cell: (visit) => visit.title },
      { id: 'window', header: 'Window', width: 160, cell: (visit) => windowLabel(visit) ?? '' },
      { id: 'crew', header: 'Crew', cell: (visit) => crewOf(visit) ?? <span className="muted">No crew</span> },
      {
        id: 'state',
        header: 'State',
        width: 120,
        cell: (visit) => <VisitState visit={{ ...visit, invoice: null }} today={range.today} />,
      },
      {
        id: 'price',
        header: 'Price',
        align: 'right',
        width: 100,
        hidden: rows.every((visit) => visit.priceCents === null),
        cell: (visit) => (visit.priceCents === null ? '' : <Money cents={visit.priceCents} />),
      },
    ]
  }, [range, rows])
  return (
    <Panel flush>
      <Table<CalendarVisit>
        label="Visits of these days"
        columns={columns}
        rows={rows}
        rowId={(visit) => visit.id}
        total={rows.length}
        onOpen={(visit) => {
          const href = linkOf?.(visit.id)
          if (href) void go(href)
        }}
        empty={
          <EmptyState compact picture="search" title="No visits here">
            Nothing on these days fits what is chosen above.
          </EmptyState>
        }
        mobile={(visit) => (
          <div className="cal-listed">
            <b>{visit.street}</b>
            <span className="hint">
              {formatDay(visit.day)}
              {visit.startMinute === null ? '' : `, ${formatMinute(visit.startMinute)}`} · {visit.customer}
            </span>
            <VisitState visit={{ ...visit, invoice: null }} today={range.today} />
          </div>
        )}
      />
    </Panel>
  )
}
