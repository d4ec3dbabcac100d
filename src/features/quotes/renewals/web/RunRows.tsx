import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo } from '../../../../shared/links.ts'
import { formatPercent } from '../../../../shared/money.ts'
import { Badge, type Tone } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { SearchInput } from '../../../../ui/SearchInput.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column } from '../../../../ui/tableProps.ts'
import { toast } from '../../../../ui/toast.tsx'
import { percentOf, quoteName } from '../../rules.ts'
import { type RenewalRow, type RunRecord, renewalsApi } from '../contract.ts'
import { type Answer, answerLabel, answers } from '../rules.ts'
import { rowsQuery, useChangeRenewal } from './data.ts'
import { EditRenewal } from './EditRenewal.tsx'

const tones: Record<Answer, Tone> = {
  open: 'neutral',
  excluded: 'neutral',
  failed: 'late',
  waiting: 'wait',
  changes: 'now',
  to_pay: 'now',
  accepted: 'done',
  declined: 'late',
  undelivered: 'late',
  no_answer: 'neutral',
  withdrawn: 'neutral',
}

const Where = ({ row }: { row: RenewalRow }) => (
  <span className="rn-state">
    <Badge tone={tones[row.answer]}>{row.byItself ? 'Renewed by itself' : answerLabel[row.answer]}</Badge>
    {row.problem ? <span className="hint">{row.problem}</span> : null}
    {row.answer === 'open' && row.unreachable ? <span className="hint">No address to send it to</span> : null}
  </span>
)

const Rise = ({ row }: { row: RenewalRow }) => {
  const percent = percentOf(row.afterCents - row.beforeCents, row.beforeCents)
  return (
    <span className="num">
      {percent === null ? '–' : formatPercent(percent, { signed: true })}
      {row.raise || row.lines.some(({ typed }) => typed) ? <span className="hint"> own</span> : null}
    </span>
  )
}

const Exclude = ({ run, row }: { run: RunRecord; row: RenewalRow }) => {
  const change = useChangeRenewal()
  if (row.lines.length === 0 || (row.answer !== 'open' && row.answer !== 'excluded')) return null
  const out = row.answer === 'excluded'
  return (
    <Button
      size="s"
      kind="quiet"
      calls={renewalsApi.change}
      loading={change.isPending}
      aria-label={`${out ? 'Take in' : 'Leave out'} ${row.customer.name}, J-${row.job.number}`}
      onClick={() =>
        void change.mutateAsync({ params: { id: run.id, rowId: row.id }, body: { excluded: !out } }).catch(toast.error)
      }
    >
      {out ? 'Take in' : 'Leave out'}
    </Button>
  )
}

/** Its quote makes a new version, with a day of its own. */
const SendAgain = ({ quote }: { quote: NonNullable<RenewalRow['quote']> }) => (
  <LinkTo href={linkTo.quote(quote.id)} aria-label={`Send again: ${quoteName(quote.number)}`}>
    Send again
  </LinkTo>
)

const columnsOf = (run: RunRecord): Column<RenewalRow>[] => [
  {
    id: 'customer',
    header: 'Customer',
    grow: 1.3,
    minWidth: 150,
    cell: (row) => (
      <span className="qt-two">
        {row.customer.name}
        <span className="hint">{row.street}</span>
      </span>
    ),
  },
  {
    id: 'work',
    header: 'Work',
    grow: 1.4,
    minWidth: 150,
    cell: (row) => (
      <span className="qt-two">
        {row.job.title}
        <span className="hint num">
          J-{row.job.number}
          {row.lines.length > 0 ? `, ${row.lines.reduce((sum, line) => sum + line.visits, 0)} visits` : ''}
        </span>
      </span>
    ),
  },
  { id: 'before', header: 'Season now', align: 'right', width: 124, cell: (row) => <Money cents={row.beforeCents} /> },
  { id: 'after', header: 'Then', align: 'right', width: 124, cell: (row) => <Money cents={row.afterCents} /> },
  { id: 'rise', header: 'Rise', align: 'right', width: 110, cell: (row) => <Rise row={row} /> },
  { id: 'state', header: 'Stands', grow: 1, minWidth: 150, cell: (row) => <Where row={row} /> },
  ...(run.can.update
    ? [{ id: 'out', header: '', width: 116, cell: (row: RenewalRow) => <Exclude run={run} row={row} /> }]
    : [
        {
          id: 'job',
          header: 'Next job',
          width: 104,
          cell: (row: RenewalRow) =>
            row.nextJob ? (
              <LinkTo href={linkTo.job(row.nextJob.id)}>J-{row.nextJob.number}</LinkTo>
            ) : row.answer === 'undelivered' && row.quote ? (
              <SendAgain quote={row.quote} />
            ) : (
              <span className="hint">–</span>
            ),
        },
      ]),
]

const Card390 = ({ run, row }: { run: RunRecord; row: RenewalRow }) => (
  <span className="qt-card">
    <span>
      <b>{row.customer.name}</b>
      <span>
        <Money cents={row.afterCents} /> <Rise row={row} />
      </span>
    </span>
    <span className="hint">
      <span>
        {row.job.title} · {row.street}
      </span>
      <Where row={row} />
    </span>
    {row.answer === 'undelivered' && row.quote ? <SendAgain quote={row.quote} /> : null}
    {run.can.update ? (
      <span>
        <Exclude run={run} row={row} />
      </span>
    ) : null}
  </span>
)

/** Everybody on the list with prices now and then; a row opens its prices, or what was sent. */
export const RunRows = ({ run }: { run: RunRecord }) => {
  const [answer, setAnswer] = useState<Answer[]>([])
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<RenewalRow | null>(null)
  const [only] = answer
  const list = useInfiniteQuery(rowsQuery(run.id, { ...(only ? { answer: only } : {}), ...(search ? { search } : {}) }))
  const rows = list.data?.pages.flatMap((page) => page.items)
  const chips = answers
    .filter((one) => run.counts[one] > 0)
    .map((one) => ({ value: one, label: answerLabel[one], count: run.counts[one] }))
  return (
    <>
      <div className="qt-tools rn-tools">
        <FilterChips label="Answers" single values={answer} onChange={setAnswer} chips={chips} />
        <SearchInput
          slash
          label="Find a renewal"
          placeholder="Customer, street or work"
          value={search}
          onChange={setSearch}
        />
      </div>
      <Card flush>
        <Table
          label="Renewals"
          columns={columnsOf(run)}
          rows={rows}
          rowId={(row) => row.id}
          onOpen={setOpen}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          density="roomy"
          empty={
            <EmptyState
              picture={search || only ? 'search' : 'unmowed'}
              title={run.status === 'collecting' ? 'The list is being put together' : 'Nobody is here'}
              action={
                search || only ? (
                  <Button
                    onClick={() => {
                      setSearch('')
                      setAnswer([])
                    }}
                  >
                    Clear the filters
                  </Button>
                ) : undefined
              }
            >
              {search || only ? 'Nothing fits what you look for.' : 'Jobs come onto the list as they are found.'}
            </EmptyState>
          }
          mobile={(row) => <Card390 run={run} row={row} />}
        />
      </Card>
      {open ? <EditRenewal key={open.id} run={run} row={open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}
