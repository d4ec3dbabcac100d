import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import type { ImportRow } from '../contract.ts'
import { rowsQuery } from './data.ts'

const reasonsOf = (row: ImportRow): string => row.reasons.map((reason) => reason.message).join(' ')

const jobOf = ({ job }: ImportRow): string => (job?.lines ?? []).map((line) => line.service).join(', ')
/** Each rhythm once: most jobs have one. */
const rhythmOf = ({ job }: ImportRow): string => [...new Set((job?.lines ?? []).map((line) => line.rhythm))].join('; ')
const priceOf = ({ job }: ImportRow): string => {
  const prices = (job?.lines ?? []).flatMap(({ priceCents }) => (priceCents === null ? [] : [formatCents(priceCents)]))
  return prices.join(' + ')
}
const owedBy = ({ balanceCents }: ImportRow): string => (balanceCents ? formatCents(balanceCents) : '')

const inCell = (content: ReactNode) => <span className="import-cell">{content}</span>

const name = (row: ImportRow) =>
  row.customerId ? (
    <LinkTo href={linkTo.customer(row.customerId)}>{row.name}</LinkTo>
  ) : (
    row.name || <span className="hint">no name</span>
  )

/** Rows of one kind with their line in the file and what is wrong with them. */
export const ImportRows = ({
  id,
  status,
  withReason = false,
  brings = { jobs: false, balances: false },
  empty,
}: {
  id: string
  status: ImportRow['status']
  withReason?: boolean
  /** What of the rows is shown besides whom they are about. */
  brings?: { jobs: boolean; balances: boolean }
  empty: ReactNode
}) => {
  const list = useInfiniteQuery(rowsQuery(id, status, withReason))
  const rows = list.data?.pages.flatMap((page) => page.items)
  const columns = useMemo(
    (): Column<ImportRow>[] => [
      { id: 'line', header: 'Line', width: 76, align: 'right', cell: (row) => row.line.toLocaleString('en-US') },
      { id: 'name', header: 'Name', grow: 1, minWidth: 150, cell: (row) => inCell(name(row)) },
      {
        id: 'street',
        header: 'Street',
        grow: 1,
        minWidth: 150,
        cell: (row) =>
          inCell([row.street, row.city].filter(Boolean).join(', ') || <span className="hint">no street</span>),
      },
      {
        id: 'job',
        header: 'Job',
        grow: 1,
        minWidth: 130,
        hidden: !brings.jobs,
        cell: (row) => inCell(<span title={jobOf(row)}>{jobOf(row)}</span>),
      },
      {
        id: 'rhythm',
        header: 'How often',
        grow: 1.2,
        minWidth: 150,
        hidden: !brings.jobs,
        cell: (row) => inCell(<span title={rhythmOf(row)}>{rhythmOf(row)}</span>),
      },
      { id: 'price', header: 'Price', width: 100, align: 'right', hidden: !brings.jobs, cell: priceOf },
      { id: 'balance', header: 'Owes', width: 100, align: 'right', hidden: !brings.balances, cell: owedBy },
      {
        id: 'reason',
        header: status === 'duplicate' ? 'Same as' : status === 'ok' || withReason ? 'Left out' : 'Reason',
        grow: 1.8,
        minWidth: 240,
        hidden: status === 'ok' && !withReason,
        cell: (row) => inCell(<span title={reasonsOf(row)}>{reasonsOf(row)}</span>),
      },
    ],
    [status, withReason, brings.jobs, brings.balances],
  )
  return (
    <div className="import-rows">
      <Table
        label="Rows of the file"
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.line)}
        total={list.data?.pages.at(-1)?.total}
        density="compact"
        maxHeight="420px"
        loading={list.isPending}
        error={list.error}
        onRetry={() => void list.refetch()}
        onMore={() => void list.fetchNextPage()}
        hasMore={list.hasNextPage}
        loadingMore={list.isFetchingNextPage}
        empty={empty}
        mobile={(row) => (
          <span className="import-row">
            <span>
              <span className="hint num">Line {row.line.toLocaleString('en-US')}</span> <b>{name(row)}</b>
            </span>
            <span className="muted">{[row.street, row.city].filter(Boolean).join(', ')}</span>
            {brings.jobs && row.job ? (
              <span>{[jobOf(row), rhythmOf(row), priceOf(row)].filter(Boolean).join(' · ')}</span>
            ) : null}
            {brings.balances && row.balanceCents ? <span>{`Owes ${owedBy(row)}`}</span> : null}
            {row.reasons.length ? <span className="import-row__reason">{reasonsOf(row)}</span> : null}
          </span>
        )}
      />
    </div>
  )
}
