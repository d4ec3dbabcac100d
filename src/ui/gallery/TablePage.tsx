import { useState } from 'react'
import { Badge } from '../Badge.tsx'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { Money } from '../Money.tsx'
import { Table } from '../Table.tsx'
import type { Column, Sort } from '../tableProps.ts'
import { noSelection } from '../tableProps.ts'

type Row = { id: string; number: string; customer: string; due: string; state: 'late' | 'done' | 'wait'; cents: number }
const label = { late: 'Overdue', done: 'Paid', wait: 'Sent' }
const rows: Row[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: `r${index}`,
  number: `INV-${1042 + index}`,
  customer: ['Habersham Court HOA', 'R. Odom', 'Wassaw Rd Apartments', 'Dana Whitfield'][index % 4] ?? '',
  due: `${(index % 28) + 1} Jun`,
  state: (['late', 'done', 'wait'] as const)[index % 3] ?? 'wait',
  cents: 4000 + ((index * 7919) % 90000),
}))
const columns: Column<Row>[] = [
  { id: 'number', header: 'Invoice', cell: (row) => <b>{row.number}</b>, width: 130, sortable: true },
  { id: 'customer', header: 'Customer', cell: (row) => row.customer, grow: 3, sortable: true },
  { id: 'state', header: 'State', cell: (row) => <Badge tone={row.state}>{label[row.state]}</Badge>, width: 130 },
  { id: 'due', header: 'Due', cell: (row) => row.due, width: 100, sortable: true, align: 'right' },
  {
    id: 'balance',
    header: 'Balance',
    cell: (row) => <Money cents={row.cents} tone={row.state === 'late' ? 'late' : undefined} />,
    width: 140,
    align: 'right',
    sortable: true,
  },
]

export const TablePage = () => {
  const [selection, setSelection] = useState(noSelection)
  const [sort, setSort] = useState<Sort>({ id: 'due', direction: 'desc' })
  const [open, setOpen] = useState<string | null>('r3')
  return (
    <main style={{ padding: 'min(28px, 4vw)', maxWidth: 1240 }}>
      <h1 style={{ marginBottom: 16 }}>Invoices</h1>
      <Card flush>
        <Table
          label="Invoices"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          total={10_417}
          sort={sort}
          onSort={setSort}
          selection={selection}
          onSelection={setSelection}
          currentId={open}
          onOpen={(row) => setOpen(row.id)}
          onMore={() => undefined}
          hasMore={false}
          bulkActions={(_, count) => (
            <Button size="s" kind="primary">
              Remind {count}
            </Button>
          )}
          mobile={(row) => (
            <span style={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: '2px 12px' }}>
              <b>{row.customer}</b>
              <Money cents={row.cents} />
              <span className="hint">
                {row.number} · due {row.due}
              </span>
              <Badge tone={row.state}>{label[row.state]}</Badge>
            </span>
          )}
        />
      </Card>
    </main>
  )
}
