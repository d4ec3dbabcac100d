import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconDownload, IconFileInvoice, IconPlus, IconSend, IconX } from '../../../ui/icons.ts'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoneyTiles } from '../../../ui/MoneyTiles.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SavedViews } from '../../../ui/SavedViews.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { noSelection, type Selection } from '../../../ui/tableProps.ts'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { billingPlansApi } from '../../billingplans/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { doorApi } from '../../payments/door/contract.ts'
import { payoutsApi } from '../../payments/payouts/contract.ts'
import { type InvoiceListed, invoicesApi } from '../contract.ts'
import { exportsApi } from '../exports/contract.ts'
import { movementsApi } from '../movements/contract.ts'
import { finishedVisitsLabel, invoiceName, isOpen } from '../rules.ts'
import { statementsApi } from '../statements/contract.ts'
import { Aging } from './Aging.tsx'
import { BulkInvoices } from './BulkInvoices.tsx'
import { batchQuery, findCustomers, invoiceableQuery, invoicesQuery } from './data.ts'
import { FirstStep } from './FirstStep.tsx'
import { InvoiceState } from './InvoiceState.tsx'
import './invoices.css'
import { LostOfBatch } from './LostOfBatch.tsx'
import { usePlace, viewHref, views } from './place.ts'

const BillingPlans = lazyPart(() => import('../../billingplans/web/BillingPlans.tsx').then((m) => m.BillingPlans))
const Payouts = lazyPart(() => import('../../payments/payouts/web/Payouts.tsx').then((m) => m.Payouts))
const BatchDialog = lazyPart(() => import('./BatchDialog.tsx').then((m) => m.BatchDialog))
const BatchResultDialog = lazyPart(() => import('./BatchDialog.tsx').then((m) => m.BatchResultDialog))
const Movements = lazyPart(() => import('../movements/web/Movements.tsx').then((m) => m.Movements))
const FieldCashCard = lazyPart(() => import('./FieldCash.tsx').then((m) => m.FieldCashCard))
const SendStatements = lazyPart(() => import('./SendStatements.tsx').then((m) => m.SendStatements))
const CustomerCredit = lazyPart(() => import('./CustomerCredit.tsx').then((m) => m.CustomerCredit))
const ExportDialog = lazyPart(() => import('./ExportDialog.tsx').then((m) => m.ExportDialog))
const DisputeDialog = lazyPart(() =>
  import('../../payments/disputes/web/DisputeDialog.tsx').then((m) => m.DisputeDialog),
)
const InvoicePanel = lazyPart(() => import('./InvoicePanel.tsx').then((m) => m.InvoicePanel))
const NewInvoice = lazyPart(() => import('./NewInvoice.tsx').then((m) => m.NewInvoice))

const day = (value: string | null) => (value ? formatDay(value) : <span className="hint">–</span>)

/** What the tile of days to pay is the mean of. */
const daysColumn: Column<InvoiceListed> = {
  id: 'days',
  header: 'Days to pay',
  align: 'right',
  width: 116,
  cell: (row) => <span className="num">{row.daysToPay ?? '–'}</span>,
}

/** What autopay charges is not paid on its due day, but on this one. */
const autopayColumn: Column<InvoiceListed> = {
  id: 'autopay',
  header: 'Charged',
  grow: 1.2,
  minWidth: 190,
  cell: ({ autopay }) =>
    autopay ? (
      <>
        {formatDay(autopay.chargeOn)} <span className="hint">{autopay.from}</span>
      </>
    ) : (
      <span className="hint">–</span>
    ),
}

const columnsFor = (today: string, view: string): Column<InvoiceListed>[] => [
  {
    id: 'number',
    header: 'Number',
    width: 112,
    sortable: true,
    cell: (row) => <b className="num">{invoiceName(row.number)}</b>,
  },
  { id: 'customer', header: 'Customer', grow: 1.8, minWidth: 170, sortable: true, cell: (row) => row.customer.name },
  { id: 'issued', header: 'Issued', width: 120, leaves: 1, cell: (row) => day(row.issueOn) },
  ...(view === 'paid_lately' ? [daysColumn] : []),
  ...(view === 'autopay' ? [autopayColumn] : []),
  { id: 'due', header: 'Due', width: 120, leaves: 3, sortable: true, cell: (row) => day(row.dueOn) },
  {
    id: 'total',
    header: 'Total',
    leaves: 2,
    align: 'right',
    width: 116,
    sortable: true,
    cell: (row) => <Money cents={row.totalCents} />,
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'right',
    width: 116,
    cell: (row) =>
      row.balanceCents === 0 || row.status === 'draft' ? (
        <span className="hint">–</span>
      ) : (
        <Money cents={row.balanceCents} tone={row.overdue ? 'late' : undefined} />
      ),
  },
  { id: 'status', header: 'Status', width: 132, cell: (row) => <InvoiceState invoice={row} today={today} /> },
]

const Card390 = ({ row, today }: { row: InvoiceListed; today: string }) => (
  <span className="inv-card">
    <span>
      <b>{row.customer.name}</b>
      <Money cents={row.totalCents} />
    </span>
    <span className="hint">
      <span className="num">
        {invoiceName(row.number)}
        {row.autopay
          ? ` · autopay ${formatDay(row.autopay.chargeOn)}`
          : row.dueOn && isOpen(row.status)
            ? ` · due ${formatDay(row.dueOn)}`
            : ''}
      </span>
      <InvoiceState invoice={row} today={today} />
    </span>
  </span>
)

type Place = ReturnType<typeof usePlace>

const emptyMessage: Record<Place['query']['view'], { title: string; text: string; mowed?: boolean }> = {
  all: { title: 'No invoices yet', text: 'Finished visits become invoices here, all of a week in one go.' },
  drafts: { title: 'No drafts', text: 'Invoices that were made and not sent wait here.', mowed: true },
  unsent: {
    title: 'Everything is sent',
    text: 'Invoices that neither a mail nor a text carried wait here to be printed.',
    mowed: true,
  },
  open: { title: 'Everything is paid', text: 'Nobody owes you anything right now.', mowed: true },
  overdue: { title: 'Nothing is overdue', text: 'Invoices past their due day show up here.', mowed: true },
  pending: { title: 'Nothing is on its way', text: 'Bank payments stand here for the days that banks take.' },
  autopay: {
    title: 'Autopay charges nothing now',
    text: 'What a card or bank account on file pays by itself stands here.',
  },
  paid: { title: 'Nothing paid yet', text: 'Invoices come here once their money is in.' },
  written_off: {
    title: 'Nothing written off',
    text: 'What you stop waiting for is kept here, and can be opened again.',
  },
  void: { title: 'Nothing voided', text: 'Invoices that you void are kept here with their numbers.' },
  paid_lately: { title: 'Nothing was paid in 90 days', text: 'What customers paid in full lately shows up here.' },
  not_due: { title: 'Nothing waits for its day', text: 'Invoices that are sent and not due yet show up here.' },
  late_30: { title: 'Nothing is 1 to 30 days late', text: 'Nobody is late by so much.' },
  late_60: { title: 'Nothing is 31 to 60 days late', text: 'Nobody is late by so much.' },
  late_90: { title: 'Nothing is 61 to 90 days late', text: 'Nobody is late by so much.' },
  late_more: { title: 'Nothing is over 90 days late', text: 'Nobody is late by so much.' },
}

const Nothing = ({ place, visitCount }: { place: Place; visitCount: number | null }) => {
  if (place.narrowed)
    return (
      <EmptyState
        picture="search"
        title="No invoice fits"
        action={
          <Button onClick={() => place.change({ search: null, batch: null, customerId: null })}>
            Clear the filters
          </Button>
        }
      >
        Nothing in this view matches what you look for.
      </EmptyState>
    )
  const label = emptyMessage[place.query.view]
  return (
    <EmptyState
      picture={label.mowed ? 'mowed' : 'unmowed'}
      title={label.title}
      action={
        place.query.view !== 'all' ? (
          <Button href={viewHref('all')}>See all invoices</Button>
        ) : visitCount === 0 ? (
          <FirstStep />
        ) : undefined
      }
    >
      {label.text}
    </EmptyState>
  )
}

/** The three figures of the tab, over the ages of what is owed. */
const Tiles = ({ list }: { list: Owed & { daysToPay: number | null } }) => {
  const many = (count: number | undefined) =>
    `${(count ?? 0).toLocaleString('en-US')} ${count === 1 ? 'invoice' : 'invoices'}`
  return (
    <div className="inv-tiles">
      <MoneyTiles
        owedCents={list.owedCents}
        owedNote={many(list.counts.open)}
        overdueCents={list.overdueCents}
        overdueNote={list.overdueCents > 0 ? many(list.counts.overdue) : 'nothing overdue'}
        daysToPay={list.daysToPay}
        daysNote={`on ${many(list.counts.paid_lately)} paid in 90 days`}
      />
    </div>
  )
}

type Owed = { owedCents: number; overdueCents: number; over30Cents: number; counts: Record<string, number> }

/** What is not sent is a view where there is some of it. */
const shownViews = ({ query }: Place, counts: Record<string, number> | undefined) =>
  views.filter(({ id }) => id !== 'unsent' || query.view === id || (counts?.unsent ?? 0) > 0)

const headline = (data: Owed): string => {
  if ((data.counts.all ?? 0) === 0) return 'Nothing has been invoiced yet.'
  if (data.owedCents === 0) return 'Nobody owes you anything.'
  const owed = `${formatCents(data.owedCents)} is owed to you`
  if (data.over30Cents > 0) return `${owed} · ${formatCents(data.over30Cents)} is over 30 days`
  return data.overdueCents > 0
    ? `${owed} · ${formatCents(data.overdueCents)} is overdue, nothing over 30 days`
    : `${owed} · nothing is overdue`
}

/** Invoices, the billing plans that make them month by month, what came in, or the payouts that card payments end in. */
export const InvoicesTab = () => {
  const { showsPlans, showsPayouts, showsLedger } = usePlace()
  if (showsLedger) return <Movements />
  if (showsPayouts) return <Payouts />
  return showsPlans ? <BillingPlans findCustomers={findCustomers} /> : <InvoiceList />
}

/** Money: what was invoiced, what came in, and the finished work that still waits for its invoice. */
const InvoiceList = () => {
  useAhead(InvoicePanel)
  const place = usePlace()
  const today = useToday()
  const may = useMay()
  const [exporting, setExporting] = useState(false)
  const [asksResult, setAsksResult] = useState(false)
  const [selection, setSelection] = useState<Selection>(noSelection)
  const list = useInfiniteQuery(invoicesQuery(place.query))
  const ready = useQuery(invoiceableQuery)
  const batch = useQuery({ ...batchQuery(place.batchId ?? ''), enabled: Boolean(place.batchId) }).data
  const first = list.data?.pages[0]
  const rows = list.data?.pages.flatMap((page) => page.items)
  const visitCount = ready.data ? ready.data.visitCount : 0
  const open = (id: string | null) => place.change({ invoiceId: id })
  const at = rows?.findIndex((row) => row.id === place.invoiceId) ?? -1
  const beside = (step: number) => {
    const row = at < 0 ? undefined : rows?.[at + step]
    return row ? () => place.change({ invoiceId: row.id }, { replace: true }) : undefined
  }
  const narrow = useNarrow()
  // on a phone the sums take two screens: who opens a view, often by a link, comes for its list
  const showsSums = !place.narrowed && !(narrow && place.query.view !== 'all')
  return (
    <>
      <PageHeader
        title="Invoices"
        sub={first ? headline(first) : ' '}
        actions={
          <>
            {may(billingPlansApi.list) ? (
              <Button kind="quiet" href={linkTo.billingPlans()}>
                Billing plans
              </Button>
            ) : null}
            {may(movementsApi.list) ? (
              <Button kind="quiet" href={linkTo.ledger()}>
                Payments
              </Button>
            ) : null}
            {may(payoutsApi.list) ? (
              <Button kind="quiet" href={linkTo.payouts()}>
                Payouts
              </Button>
            ) : null}
            {may(exportsApi.csv) ? (
              <Button kind="quiet" href={paths.expenses}>
                Expenses
              </Button>
            ) : null}
            {may(exportsApi.csv) ? (
              <Button kind="quiet" icon={<IconDownload />} onClick={() => setExporting(true)}>
                For the accountant
              </Button>
            ) : null}
            {may(invoicesApi.create) ? (
              <Button calls={invoicesApi.create} icon={<IconPlus />} onClick={() => place.change({ new: '1' })}>
                New invoice
              </Button>
            ) : null}
            {visitCount !== 0 && may(invoicesApi.createBatch) ? (
              <Button
                calls={invoicesApi.createBatch}
                kind="primary"
                icon={<IconFileInvoice />}
                onClick={() => place.change({ batch: 'new' })}
              >
                Invoice {finishedVisitsLabel(visitCount)}
              </Button>
            ) : null}
          </>
        }
      />
      {first && (first.counts.all ?? 0) > 0 && showsSums ? <Tiles list={first} /> : null}
      {first && first.owedCents > 0 && showsSums ? (
        <>
          <Aging list={first} />
          {may(statementsApi.sendOpen) ? (
            <div className="inv-tools">
              <Button size="s" kind="quiet" icon={<IconSend />} onClick={() => place.change({ statements: '1' })}>
                Send statements to all who owe
              </Button>
            </div>
          ) : null}
        </>
      ) : null}
      {may(doorApi.fieldCash) && showsSums ? <FieldCashCard /> : null}
      <div className="inv-tools">
        <SavedViews
          label="Views of invoices"
          views={shownViews(place, first?.counts).map(({ id, name }) => ({
            id,
            name,
            href: viewHref(id),
            ...(first ? { count: first.counts[id] ?? 0 } : {}),
          }))}
          currentId={place.narrowed ? null : place.query.view}
        />
        <SearchInput
          slash
          label="Find an invoice"
          placeholder="Customer or number"
          value={place.search}
          onChange={(search) => place.change({ search }, { replace: true })}
        />
      </div>
      {place.batchId || place.customerId ? (
        <div className="inv-tools">
          <Button size="s" icon={<IconX />} onClick={() => place.change({ batch: null, customerId: null })}>
            {place.batchId
              ? `One batch of ${first?.total === null ? 'more than 1,000' : (first?.total ?? 0).toLocaleString('en-US')} ${first?.total === 1 ? 'invoice' : 'invoices'}`
              : `Only ${rows?.[0]?.customer.name ?? 'one customer'}`}
          </Button>
          {batch ? (
            <Button size="s" onClick={() => setAsksResult(true)}>
              What became of it
            </Button>
          ) : null}
        </div>
      ) : null}
      {batch ? <LostOfBatch batch={batch} /> : null}
      {batch ? (
        <BatchResultDialog
          open={asksResult}
          batch={batch}
          onClose={() => setAsksResult(false)}
          onShow={(view) => {
            setAsksResult(false)
            place.change({ view: view ?? null, search: null })
          }}
        />
      ) : null}
      {place.customerId && may(correctionsApi.listCredits) ? (
        <CustomerCredit
          customerId={place.customerId}
          exemption={place.showsExemption}
          onExemption={(open) => place.change({ [recordParam.exemption]: open ? '1' : null })}
        />
      ) : null}
      <Card flush>
        <Table
          label="Invoices"
          columns={columnsFor(today, place.query.view)}
          rows={rows}
          rowId={(row) => row.id}
          total={first?.total ?? undefined}
          sort={{ id: place.query.sort, direction: place.query.order }}
          onSort={({ id, direction }) => {
            setSelection(noSelection)
            place.change({ sort: `${id}.${direction}` }, { replace: true })
          }}
          onOpen={(row) => open(row.id)}
          currentId={place.invoiceId}
          selection={selection}
          onSelection={may(invoicesApi.sendMany) ? setSelection : undefined}
          bulkActions={(chosen, count) => (
            <BulkInvoices
              choice={
                chosen.allMatching
                  ? {
                      filter: {
                        view: place.query.view,
                        ...(place.search ? { search: place.search } : {}),
                        ...(place.batchId ? { batchId: place.batchId } : {}),
                        ...(place.customerId ? { customerId: place.customerId } : {}),
                      },
                    }
                  : { ids: [...chosen.ids] }
              }
              count={count}
              view={place.query.view}
              onDone={() => setSelection(noSelection)}
            />
          )}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          empty={<Nothing place={place} visitCount={visitCount} />}
          mobile={(row) => <Card390 row={row} today={today} />}
        />
      </Card>
      {place.invoiceId ? (
        <InvoicePanel
          key={place.invoiceId}
          id={place.invoiceId}
          onClose={() => open(null)}
          onPrevious={beside(-1)}
          onNext={beside(1)}
        />
      ) : null}
      {place.disputeId ? <DisputeDialog id={place.disputeId} onClose={() => place.change({ dispute: null })} /> : null}
      <SendStatements open={place.showsStatements} onClose={() => place.change({ statements: null })} />
      <ExportDialog open={exporting} onClose={() => setExporting(false)} />
      <BatchDialog
        open={place.makesBatch}
        onClose={() => place.change({ batch: null })}
        onShow={(batchId, view) => place.change({ batch: batchId, view: view ?? null, search: null })}
      />
      <NewInvoice
        open={place.makesOne}
        customerId={place.customerId}
        onClose={() => place.change({ new: null })}
        onDone={(invoice) => place.change({ new: null, invoiceId: invoice.id })}
      />
    </>
  )
}
