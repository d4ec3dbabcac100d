import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconPaperclip, IconX } from '../../../ui/icons.ts'
import { Money } from '../../../ui/Money.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { type ExpenseSummary, expensesApi } from '../contract.ts'
import { methodNames, methods } from '../rules.ts'
import { categoriesQuery, choicesQuery, expensesQuery } from './data.ts'
import { ExpensePanel } from './ExpensePanel.tsx'
import { spans, type usePlace } from './place.ts'

type Place = ReturnType<typeof usePlace>

const whatFor = ({ parts }: ExpenseSummary): string =>
  parts.length > 1 ? `${parts.length} parts` : [parts[0]?.crew?.name, parts[0]?.job?.label].filter(Boolean).join(' · ')

const State = ({ row }: { row: ExpenseSummary }) =>
  row.review ? (
    <Badge tone="wait">To review</Badge>
  ) : row.method === 'personal' && !row.reimbursedOn ? (
    <Badge tone="late">Owed to {row.paidBy?.name ?? 'somebody'}</Badge>
  ) : row.receiptCount > 0 ? (
    <span className="exp-clip">
      <IconPaperclip size={16} aria-hidden="true" />
      <span className="ui-hidden">Has a receipt</span>
    </span>
  ) : null

const columns: Column<ExpenseSummary>[] = [
  {
    id: 'day',
    header: 'Day',
    width: 116,
    sortable: true,
    cell: (row) => <span className="num">{formatDay(row.day)}</span>,
  },
  {
    id: 'vendor',
    header: 'Vendor',
    grow: 1.4,
    minWidth: 140,
    sortable: true,
    cell: (row) => row.vendor || <span className="hint">{row.category.name}</span>,
  },
  { id: 'category', header: 'Category', minWidth: 130, leaves: 2, cell: (row) => row.category.name },
  {
    id: 'for',
    header: 'For',
    grow: 1.4,
    minWidth: 140,
    leaves: 1,
    cell: (row) => whatFor(row) || <span className="hint">–</span>,
  },
  { id: 'method', header: 'Paid by', width: 130, leaves: 3, cell: (row) => methods[row.method] },
  { id: 'state', header: 'Status', width: 190, leaves: 4, cell: (row) => <State row={row} /> },
  {
    id: 'total',
    header: 'Paid',
    align: 'right',
    width: 116,
    sortable: true,
    cell: (row) =>
      row.totalCents === 0 ? <span className="hint">No total yet</span> : <Money cents={row.totalCents} />,
  },
]

const Card390 = ({ row }: { row: ExpenseSummary }) => (
  <span className="exp-card">
    <span>
      <b>{row.vendor || row.category.name}</b>
      {row.totalCents === 0 ? <span className="hint">No total yet</span> : <Money cents={row.totalCents} />}
    </span>
    <span className="hint">
      <span>
        <span className="num">{formatDay(row.day)}</span> ·{' '}
        {[row.category.name, whatFor(row)].filter(Boolean).join(' · ')}
      </span>
      <State row={row} />
    </span>
  </span>
)

const clear = {
  category: null,
  [recordParam.crew]: null,
  truck: null,
  [recordParam.job]: null,
  vendor: null,
  paidBy: null,
  [recordParam.person]: null,
  search: null,
}

const Filters = ({ place, today }: { place: Place; today: string }) => {
  const categories = useQuery(categoriesQuery)
  const choices = useQuery(choicesQuery)
  const { filter } = place
  const set = (key: string) => (value: string) => place.change({ [key]: value || null }, { replace: true })
  return (
    <div className="exp-filters">
      {place.view === 'review' ? null : (
        <SelectField label="When" hideLabel value={place.span} options={spans(today)} onChange={set('in')} />
      )}
      <SelectField
        label="Category"
        hideLabel
        placeholder="Every category"
        value={filter.categoryId}
        options={(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={set('category')}
      />
      <SelectField
        label="Crew"
        hideLabel
        placeholder="Every crew"
        value={filter.crewId}
        options={(choices.data?.crews ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={set(recordParam.crew)}
      />
      {(choices.data?.vehicles.length ?? 0) > 0 ? (
        <SelectField
          label="Truck"
          hideLabel
          placeholder="Every truck"
          value={filter.vehicle}
          options={(choices.data?.vehicles ?? []).map((name) => ({ value: name, label: name }))}
          onChange={set('truck')}
        />
      ) : null}
      <SelectField
        label="Paid by"
        hideLabel
        placeholder="Paid any way"
        value={filter.method}
        options={methodNames.map((value) => ({ value, label: methods[value] }))}
        onChange={set('paidBy')}
      />
      <SearchInput
        slash
        label="Find an expense"
        placeholder="Vendor or note"
        value={filter.search ?? ''}
        onChange={(search) => place.change({ search }, { replace: true })}
      />
      {filter.jobId || filter.vendor || filter.paidByUserId ? (
        <Button
          size="s"
          icon={<IconX />}
          onClick={() => place.change({ [recordParam.job]: null, vendor: null, [recordParam.person]: null })}
        >
          {filter.jobId
            ? 'Only one job'
            : filter.vendor
              ? `Only ${filter.vendor}`
              : `Only ${choices.data?.people.find(({ id }) => id === filter.paidByUserId)?.name ?? 'one person'}`}
        </Button>
      ) : null}
    </div>
  )
}

const Nothing = ({ place }: { place: Place }) =>
  place.narrowed ? (
    <EmptyState
      picture="search"
      title="No expense fits"
      action={<Button onClick={() => place.change(clear)}>Clear the filters</Button>}
    >
      Nothing in this time matches what you look for.
    </EmptyState>
  ) : place.view === 'review' ? (
    <EmptyState picture="mowed" title="Every receipt is looked at">
      Receipts that crews hand in from their phones, and those that come by mail, wait here.
    </EmptyState>
  ) : (
    <EmptyState
      title="Nothing was spent in this time"
      action={
        <Button calls={expensesApi.create} kind="primary" onClick={() => place.change({ new: '1' })}>
          Add the first expense
        </Button>
      }
    >
      Fuel, dump fees, supplies, insurance: what is added here counts for its crew and job, and goes to your accountant.
    </EmptyState>
  )

/** What was spent, by month and whatever it is narrowed to, with its sums by category. */
export const ExpenseList = ({ place, today }: { place: Place; today: string }) => {
  const list = useInfiniteQuery(expensesQuery(place.query))
  const first = list.data?.pages[0]
  const sums = first?.categories.filter(({ cents }) => cents > 0)
  const rows = list.data?.pages.flatMap((page) => page.items)
  const at = rows?.findIndex((row) => row.id === place.expenseId) ?? -1
  const beside = (step: number) => {
    const row = at < 0 ? undefined : rows?.[at + step]
    return row ? () => place.change({ [recordParam.expense]: row.id }, { replace: true }) : undefined
  }
  const open = (id: string | null) => place.change({ [recordParam.expense]: id, new: null })
  return (
    <>
      <Filters place={place} today={today} />
      {sums && sums.length > 1 ? (
        <ul className="exp-sums" aria-label="By category">
          {sums.map(({ id, name, cents }) => (
            <li key={id}>
              <button type="button" onClick={() => place.change({ category: id })}>
                <span>{name}</span>
                <b>
                  <Money cents={cents} />
                </b>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <Card flush>
        <Table
          label="Expenses"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          total={first?.count}
          sort={{ id: place.query.sort ?? 'day', direction: place.query.order ?? 'desc' }}
          onSort={({ id, direction }) => place.change({ sort: `${id}.${direction}` }, { replace: true })}
          onOpen={(row) => open(row.id)}
          currentId={place.expenseId}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          empty={<Nothing place={place} />}
          mobile={(row) => <Card390 row={row} />}
        />
      </Card>
      {place.expenseId || place.makesOne ? (
        <ExpensePanel
          key={place.expenseId ?? 'new'}
          id={place.expenseId ?? 'new'}
          onClose={() => open(null)}
          onMade={(made) => open(made.receiptCount === made.receipts.length ? null : made.id)}
          onPrevious={beside(-1)}
          onNext={beside(1)}
        />
      ) : null}
    </>
  )
}
