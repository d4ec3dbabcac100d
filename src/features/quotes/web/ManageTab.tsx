import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SavedViews } from '../../../ui/SavedViews.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { useMay } from '../../accounts/web/session.ts'
import { type QuoteSummary, type QuoteView, quotesApi, quoteViews } from '../contract.ts'
import { quoteName } from '../rules.ts'
import { quotesQuery } from './data.ts'
import { usePlace, viewNames } from './place.ts'
import { QuoteState } from './QuoteState.tsx'
import './quotes.css'

const QuotePanel = lazyPart(() => import('./QuotePanel.tsx').then((m) => m.QuotePanel))

const dayOf = (at: string | null) => (at ? formatDay(at.slice(0, 10)) : <span className="hint">–</span>)

const columns: Column<QuoteSummary>[] = [
  {
    id: 'number',
    header: 'Number',
    width: 112,
    cell: (row) => (
      <b className="num">
        {quoteName(row.number)}
        {row.revision > 1 ? <span className="hint"> v{row.revision}</span> : null}
      </b>
    ),
  },
  {
    id: 'customer',
    header: 'Customer',
    grow: 1.4,
    minWidth: 150,
    cell: (row) => (
      <span className="qt-two">
        {row.customer.name}
        <span className="hint">{row.property.street}</span>
      </span>
    ),
  },
  { id: 'title', header: 'Work', grow: 1.6, minWidth: 140, leaves: 2, cell: (row) => row.title },
  { id: 'sent', header: 'Sent', width: 116, leaves: 1, cell: (row) => dayOf(row.sentAt) },
  { id: 'until', header: 'Good until', width: 120, leaves: 3, cell: (row) => dayOf(row.validUntil) },
  {
    id: 'seller',
    header: 'By',
    width: 130,
    leaves: 1,
    cell: (row) => row.sellerName ?? <span className="hint">–</span>,
  },
  { id: 'total', header: 'Total', align: 'right', width: 116, cell: (row) => <Money cents={row.totalCents} /> },
  { id: 'status', header: 'Status', width: 172, cell: (row) => <QuoteState quote={row} /> },
]

const Card390 = ({ row }: { row: QuoteSummary }) => (
  <span className="qt-card">
    <span>
      <b>{row.customer.name}</b>
      <Money cents={row.totalCents} />
    </span>
    <span className="hint">
      <span>
        {quoteName(row.number)} · {row.property.street}
      </span>
      <QuoteState quote={row} />
    </span>
  </span>
)

const empty: Record<QuoteView, { title: string; text: string }> = {
  all: { title: 'No quotes yet', text: 'Price work once, send it, and let the customer sign it on their phone.' },
  draft: { title: 'No drafts', text: 'What you begin and what crews note on site waits here.' },
  noted: { title: 'Nothing waits for a price', text: 'What crews note on site stands here until you send it.' },
  waiting: { title: 'Nothing is with a customer', text: 'Quotes that are sent and not answered stand here.' },
  changes: { title: 'Nobody asks for changes', text: 'What customers want different stands here with their words.' },
  approved: { title: 'Nothing waits to become a job', text: 'Signed quotes stand here until you make them jobs.' },
  converted: { title: 'No jobs were made yet', text: 'Quotes that are jobs now are kept here.' },
  lost: { title: 'Nothing was lost', text: 'Declined and expired quotes stand here with their reason.' },
  archived: { title: 'Nothing is archived', text: 'What you put away is kept here.' },
}

const headline = (counts: Record<string, number>, waitingCents: number, approvedCents: number): string => {
  if ((counts.all ?? 0) === 0) return 'Nothing has been quoted yet.'
  const parts = [
    waitingCents > 0 ? `${formatCents(waitingCents)} is with customers` : null,
    approvedCents > 0 ? `${formatCents(approvedCents)} is signed and waits for its job` : null,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : 'Nothing waits for an answer.'
}

const addressOf = (view: QuoteView): string => linkTo.quotes(view === 'all' ? {} : { view })

/** Every quote by where it stands, the newest first, with the open one beside. */
export const ManageTab = () => {
  useAhead(QuotePanel)
  const place = usePlace()
  const may = useMay()
  const list = useInfiniteQuery(quotesQuery(place.query))
  const first = list.data?.pages[0]
  const rows = list.data?.pages.flatMap((page) => page.items)
  const at = rows?.findIndex((row) => row.id === place.quoteId) ?? -1
  const beside = (step: number) => {
    const row = at < 0 ? undefined : rows?.[at + step]
    return row ? () => place.change({ quoteId: row.id }, { replace: true }) : undefined
  }
  const words = empty[place.view]
  return (
    <>
      <PageHeader
        title="Quotes"
        sub={first ? headline(first.counts, first.waitingCents, first.approvedCents) : ' '}
        actions={
          may(quotesApi.create) ? (
            <Button calls={quotesApi.create} kind="primary" icon={<IconPlus />} href={linkTo.newQuote()}>
              New quote
            </Button>
          ) : null
        }
      />
      <div className="qt-tools">
        <SavedViews
          label="Views of quotes"
          views={quoteViews.map((id) => ({
            id,
            name: viewNames[id],
            href: addressOf(id),
            ...(first ? { count: first.counts[id] } : {}),
          }))}
          currentId={place.narrowed ? null : place.view}
        />
        <SearchInput
          slash
          label="Find a quote"
          placeholder="Customer, street or number"
          value={place.search}
          onChange={(search) => place.change({ search }, { replace: true })}
        />
      </div>
      {place.customerId ? (
        <div className="qt-tools">
          <Button size="s" icon={<IconX />} onClick={() => place.change({ customerId: null })}>
            Only {rows?.[0]?.customer.name ?? 'one customer'}
          </Button>
        </div>
      ) : null}
      <Card flush>
        <Table
          label="Quotes"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          onOpen={(row) => place.change({ quoteId: row.id })}
          currentId={place.quoteId}
          loading={list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          empty={
            place.narrowed ? (
              <EmptyState
                picture="search"
                title="No quote fits"
                action={
                  <Button onClick={() => place.change({ search: null, customerId: null })}>Clear the filters</Button>
                }
              >
                Nothing in this view matches what you look for.
              </EmptyState>
            ) : (
              <EmptyState
                picture="unmowed"
                title={words.title}
                action={place.view === 'all' ? undefined : <Button href={addressOf('all')}>See all quotes</Button>}
              >
                {words.text}
              </EmptyState>
            )
          }
          mobile={(row) => <Card390 row={row} />}
        />
      </Card>
      {place.quoteId ? (
        <QuotePanel
          key={place.quoteId}
          id={place.quoteId}
          onClose={() => place.change({ quoteId: null })}
          onPrevious={beside(-1)}
          onNext={beside(1)}
        />
      ) : null}
    </>
  )
}
