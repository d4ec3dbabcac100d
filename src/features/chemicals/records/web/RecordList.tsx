import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDays, type Day, formatDay } from '../../../../shared/dates.ts'
import { usStates } from '../../../../shared/states.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { IconDownload } from '../../../../ui/icons.ts'
import { RecordPanel } from '../../../../ui/RecordPanel.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column } from '../../../../ui/tableProps.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useParams } from '../../../../ui/useParams.ts'
import { useToday } from '../../../accounts/web/session.ts'
import { UnrecordedList } from '../../unrecorded/web/UnrecordedList.tsx'
import { chemicalsQuery } from '../../web/data.ts'
import type { ApplicationRecord } from '../contract.ts'
import { downloadRecords, type RecordFilter, recordsQuery } from './data.ts'
import { RecordFlags, RecordView, usedText } from './RecordView.tsx'

const columns: Column<ApplicationRecord>[] = [
  { id: 'day', header: 'Day', width: 116, cell: (row) => <span className="num">{formatDay(row.day)}</span> },
  { id: 'site', header: 'Site', grow: 1.3, minWidth: 150, cell: (row) => row.facts.site },
  { id: 'used', header: 'Used', grow: 1.8, minWidth: 170, leaves: 2, cell: (row) => usedText(row) },
  { id: 'by', header: 'Applied by', minWidth: 130, leaves: 3, cell: (row) => row.facts.applicator.name },
  { id: 'flags', header: 'Status', width: 220, leaves: 1, cell: (row) => <RecordFlags record={row} short /> },
]

const Card390 = ({ row }: { row: ApplicationRecord }) => (
  <span className="chem-card">
    <b>{row.facts.site}</b>
    <span className="hint">
      {formatDay(row.day)} · {usedText(row)}
    </span>
    <RecordFlags record={row} />
  </span>
)

const useFilter = () => {
  const today = useToday()
  const { params, change } = useParams()
  const filter: RecordFilter = {
    from: params.get('from') ?? addDays(today, -90),
    to: params.get('to') ?? today,
    state: params.get('state'),
    propertyId: params.get('propertyId'),
    productId: params.get('productId'),
  }
  return { filter, set: (changes: Record<string, string | null>) => change(changes, { replace: true }), today }
}

const Filters = ({ states }: { states: readonly string[] }) => {
  const { filter, set, today } = useFilter()
  const catalog = useQuery(chemicalsQuery)
  return (
    <div className="chem-filters">
      <DateField
        label="From"
        hideLabel
        today={today}
        max={today}
        value={filter.from}
        onChange={(from) => set({ from })}
      />
      <DateField label="To" hideLabel today={today} max={today} value={filter.to} onChange={(to) => set({ to })} />
      {states.length > 1 ? (
        <SelectField
          label="State"
          hideLabel
          value={filter.state}
          options={[
            { value: '', label: 'Every state' },
            ...states.map((state) => ({ value: state, label: usStates[state as keyof typeof usStates] ?? state })),
          ]}
          onChange={(state) => set({ state: state || null })}
        />
      ) : null}
      <SelectField
        label="Product"
        hideLabel
        value={filter.productId}
        options={[
          { value: '', label: 'Every product' },
          ...(catalog.data?.products ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(productId) => set({ productId: productId || null })}
      />
      {filter.propertyId ? <Button onClick={() => set({ propertyId: null })}>Every property</Button> : null}
    </div>
  )
}

const Files = () => {
  const { filter } = useFilter()
  const [loading, setLoading] = useState<'csv' | 'pdf' | null>(null)
  const period = filter.from && filter.to ? { from: filter.from as Day, to: filter.to as Day } : null
  const save = async (kind: 'csv' | 'pdf') => {
    if (!period) return
    setLoading(kind)
    await downloadRecords(kind, { ...filter, ...period }).catch(toast.error)
    setLoading(null)
  }
  return (
    <>
      {(['csv', 'pdf'] as const).map((kind) => (
        <Button
          key={kind}
          size="s"
          icon={<IconDownload />}
          disabled={!period}
          loading={loading === kind}
          aria-label={`These records as ${kind.toUpperCase()}`}
          onClick={() => void save(kind)}
        >
          {kind.toUpperCase()}
        </Button>
      ))}
    </>
  )
}

/** Everything that was applied, by period, state, property and product, and as files. */
export const RecordList = () => {
  const { filter, set } = useFilter()
  const found = useInfiniteQuery(recordsQuery(filter))
  const [openId, setOpenId] = useState<string | null>(null)
  const rows = found.data?.pages.flatMap(({ items }) => items)
  const [first] = found.data?.pages ?? []
  const open = rows?.find(({ id }) => id === openId) ?? null
  return (
    <>
      <div className="chem-bar">
        <Filters states={first?.states ?? []} />
        <div className="chem-bar__files">
          <Files />
        </div>
      </div>
      <UnrecordedList visitId={null} />
      <Card flush>
        <Table
          label="Application records"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          total={first?.total ?? undefined}
          onOpen={(row) => setOpenId(row.id)}
          currentId={openId}
          loading={found.isPending}
          error={found.error && !found.data ? found.error : undefined}
          onRetry={() => void found.refetch()}
          hasMore={found.hasNextPage}
          loadingMore={found.isFetchingNextPage}
          onMore={() => void found.fetchNextPage()}
          mobile={(row) => <Card390 row={row} />}
          empty={
            <EmptyState
              picture={filter.productId || filter.state || filter.propertyId ? 'search' : 'unmowed'}
              title="No application in this time"
              action={
                filter.productId || filter.state || filter.propertyId ? (
                  <Button onClick={() => set({ productId: null, state: null, propertyId: null })}>
                    Clear the filters
                  </Button>
                ) : undefined
              }
            >
              Crews record an application at the stop with one tap; the office does it on the visit.
            </EmptyState>
          }
        />
      </Card>
      {open ? (
        <RecordPanel
          open
          onClose={() => setOpenId(null)}
          width={540}
          title={open.facts.site}
          sub={`${formatDay(open.day, { year: true })} · ${open.facts.customer}`}
          footer={
            open.propertyId && filter.propertyId !== open.propertyId ? (
              <Button
                kind="quiet"
                onClick={() => {
                  set({ propertyId: open.propertyId })
                  setOpenId(null)
                }}
              >
                All of this property
              </Button>
            ) : undefined
          }
        >
          <RecordView record={open} />
        </RecordPanel>
      ) : null}
    </>
  )
}
