import { useInfiniteQuery } from '@tanstack/react-query'
import { type Day, formatDay, isDay } from '../../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { lazyPart, useAhead } from '../../../../ui/lazyAhead.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { SavedViews } from '../../../../ui/SavedViews.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Table } from '../../../../ui/Table.tsx'
import type { Column } from '../../../../ui/tableProps.ts'
import { useParams } from '../../../../ui/useParams.ts'
import { useToday } from '../../../accounts/web/session.ts'
import { periodProblem, usualPeriods } from '../../statements/rules.ts'
import type { Movement } from '../contract.ts'
import { type MovementView, movementLabels, movementViews, shownCents } from '../rules.ts'
import { movementsQuery } from './data.ts'
import './movements.css'

const InvoicePanel = lazyPart(() => import('../../web/InvoicePanel.tsx').then((m) => m.InvoicePanel))

const dayIn = (value: string | null): Day | null => (value !== null && isDay(value) ? value : null)

/** What the address bar asks for; without days it is this month. */
const usePlace = () => {
  const { params, change } = useParams()
  const today = useToday()
  const [month] = usualPeriods(today)
  return {
    today,
    change,
    view: movementViews.find((view) => view === params.get('ledger')) ?? ('received' as const),
    from: dayIn(params.get('from')) ?? month?.from ?? today,
    to: dayIn(params.get('to')) ?? month?.to ?? today,
    invoiceId: params.get(recordParam.invoice) || null,
  }
}

/** What a movement is, with what was noted and what became of it. */
const What = ({ row }: { row: Movement }) => (
  <span className="movement">
    {row.label}
    {row.note ? <span className="hint"> · {row.note}</span> : null}{' '}
    {row.takenBack ? <Badge tone="neutral">Taken back</Badge> : null}{' '}
    {row.test ? <Badge tone="wait">Test</Badge> : null}
  </span>
)

const columnsFor = (view: MovementView): Column<Movement>[] => [
  { id: 'day', header: 'Day', width: 150, cell: (row) => formatDay(row.onDay, { year: true }) },
  { id: 'customer', header: 'Customer', grow: 1, minWidth: 150, cell: (row) => <b>{row.customer.name}</b> },
  { id: 'what', header: 'What', grow: 2, minWidth: 200, cell: (row) => <What row={row} /> },
  {
    id: 'amount',
    header: view === 'received' || view === 'credited' ? 'Amount' : 'Owed more or less',
    align: 'right',
    width: 150,
    cell: (row) => <Money cents={shownCents(view, row.amountCents)} />,
  },
]

type Sums = { count: number; totalCents: number; ways: { method: string; count: number; cents: number }[] }

const headline = (view: MovementView, { count, totalCents, ways }: Sums): string => {
  if (count === 0) return 'Nothing in these days.'
  const sum = formatCents(shownCents(view, totalCents))
  if (view !== 'received') return `${sum} in ${count.toLocaleString('en-US')} ${count === 1 ? 'movement' : 'movements'}`
  const parts = ways.map(({ method, cents }) => `${method.toLowerCase()} ${formatCents(cents)}`)
  return `${sum} in ${count.toLocaleString('en-US')} ${count === 1 ? 'payment' : 'payments'}: ${parts.join(', ')}`
}

/** What came in, and every other movement of what customers owe, of a span of days: each number of a month opens its rows here. */
export const Movements = () => {
  useAhead(InvoicePanel)
  const place = usePlace()
  const { view, from, to, today, change } = place
  const problem = periodProblem(from, to)
  const list = useInfiniteQuery({ ...movementsQuery({ view, from, to }), enabled: problem === null })
  const first = list.data?.pages[0]
  const rows = list.data?.pages.flatMap((page) => page.items)
  const periods = usualPeriods(today)
  const period = periods.find((one) => one.from === from && one.to === to)?.id ?? 'days'
  const days = (next: { from: Day; to: Day }) => change(next, { replace: true })
  const at = rows?.findIndex(({ invoiceId }) => invoiceId !== null && invoiceId === place.invoiceId) ?? -1
  return (
    <>
      <PageHeader
        title={view === 'received' ? 'Payments' : 'Ledger'}
        sub={first && !problem ? headline(view, first) : ' '}
        actions={
          <Button kind="quiet" href={linkTo.invoices()}>
            All invoices
          </Button>
        }
      />
      <div className="inv-tools">
        <SavedViews
          label="Movements of the ledger"
          views={movementViews.map((id) => ({
            id,
            name: movementLabels[id],
            href: linkTo.ledger({ view: id, from, to }),
          }))}
          currentId={view}
        />
      </div>
      <div className="movement-days">
        <SelectField
          label="Days"
          value={period}
          onChange={(id) => {
            const next = periods.find((one) => one.id === id)
            if (next) days(next)
          }}
          options={[
            ...periods.map(({ id, label }) => ({ value: id, label })),
            ...(period === 'days' ? [{ value: 'days', label: 'Days I choose' }] : []),
          ]}
        />
        <DateField label="From" value={from} onChange={(day) => day && days({ from: day, to })} today={today} />
        <DateField
          label="To"
          value={to}
          onChange={(day) => day && days({ from, to: day })}
          today={today}
          error={problem ?? undefined}
        />
      </div>
      {problem ? null : (
        <Card flush>
          <Table
            label={movementLabels[view]}
            columns={columnsFor(view)}
            rows={rows}
            rowId={(row) => row.id}
            total={first?.count}
            onOpen={(row) =>
              change(
                row.invoiceId
                  ? { invoiceId: row.invoiceId }
                  : { ledger: null, from: null, to: null, customerId: row.customer.id },
              )
            }
            currentId={rows?.[at]?.id ?? null}
            loading={list.isPending}
            refreshing={list.isPlaceholderData}
            error={list.error}
            onRetry={() => void list.refetch()}
            onMore={() => void list.fetchNextPage()}
            hasMore={list.hasNextPage}
            loadingMore={list.isFetchingNextPage}
            empty={
              <EmptyState picture="unmowed" title="Nothing in these days">
                {view === 'received' ? (
                  'Payments by card, bank, check and cash stand here on the day they came in.'
                ) : (
                  <>
                    Choose other days, or look at{' '}
                    <LinkTo href={linkTo.ledger({ view: 'all', from, to })}>all of the ledger</LinkTo>.
                  </>
                )}
              </EmptyState>
            }
            mobile={(row) => (
              <span className="inv-card">
                <span>
                  <b>{row.customer.name}</b>
                  <Money cents={shownCents(view, row.amountCents)} />
                </span>
                <span className="hint">
                  <What row={row} />
                  <span className="num movement-day">{formatDay(row.onDay)}</span>
                </span>
              </span>
            )}
          />
        </Card>
      )}
      {place.invoiceId ? (
        <InvoicePanel key={place.invoiceId} id={place.invoiceId} onClose={() => change({ invoiceId: null })} />
      ) : null}
    </>
  )
}
