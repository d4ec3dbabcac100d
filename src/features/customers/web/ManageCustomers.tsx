import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconColumns, IconDownload, IconMap2, IconPlus, IconRepeat, IconUpload } from '../../../ui/icons.ts'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Table } from '../../../ui/Table.tsx'
import type { Column } from '../../../ui/tableProps.ts'
import { noSelection, type Selection } from '../../../ui/tableProps.ts'
import { toast } from '../../../ui/toast.tsx'
import { useCellEditing } from '../../../ui/useCellEditing.tsx'
import { useMay, useToday } from '../../accounts/web/session.ts'
import type { ViewQuery } from '../../views/rules.ts'
import { type HubView, useHubView } from '../../views/web/data.ts'
import { type GoneFilter, HubViews } from '../../views/web/HubViews.tsx'
import { type CustomerListItem, customersApi } from '../contract.ts'
import type { CustomFieldRecord } from '../custom/contract.ts'
import { customText, readCustomFilters } from '../custom/rules.ts'
import { customFieldsQuery, useCustomFields } from '../custom/web/data.ts'
import { type Assign, BulkActions } from './BulkActions.tsx'
import { CustomerFilters } from './CustomerFilters.tsx'
import { useCellEdits } from './cellEdits.ts'
import { countsQuery, customersQuery, downloadCustomers, facetLimit, facetsQuery } from './data.ts'
import { useExtraColumns } from './extraColumns.ts'
import { notNarrowed, type Place, readPlace, views } from './filter.ts'
import { type Counts, LimitBanner } from './LimitBanner.tsx'
import './customers.css'

const CustomerPanel = lazyPart(() => import('./CustomerPanel.tsx').then((m) => m.CustomerPanel))
const ColumnsDialog = lazyPart(() => import('./ColumnsDialog.tsx').then((m) => m.ColumnsDialog))

const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? null : (
    <span className="customer-tags">
      {tags.slice(0, 1).map((tag) => (
        <Badge key={tag} dot={false}>
          {tag}
        </Badge>
      ))}
      {tags.length > 1 ? <span className="hint">+{tags.length - 1}</span> : null}
    </span>
  )

const Name = ({ row }: { row: CustomerListItem }) => (
  <span className="customer-name">
    <b>{row.name}</b>
    {row.stage === 'lead' ? <Badge tone="flag">Lead</Badge> : row.stage === 'past' ? <Badge>Past</Badge> : null}
    {row.company && row.company !== row.name ? <span className="hint">{row.company}</span> : null}
  </span>
)

const Street = ({ row }: { row: CustomerListItem }) =>
  row.street === null ? (
    <span className="hint">No property yet</span>
  ) : (
    <>
      {row.street}
      {row.propertyCount > 1 ? <span className="hint"> +{row.propertyCount - 1} more</span> : null}
    </>
  )

const Owes = ({ row }: { row: CustomerListItem }) => {
  const { owedCents, balanceCents } = row
  if (owedCents === null || balanceCents === null) return null
  if (owedCents > 0) return <Money cents={owedCents} />
  return balanceCents < 0 ? (
    <span className="hint">
      <Money cents={-balanceCents} /> credit
    </span>
  ) : (
    <span className="hint">–</span>
  )
}

const inCell = (content: ReactNode) => <span className="cell-fit">{content}</span>

const nextVisit = (day: string | null, today: string) =>
  day === null ? <span className="hint">None booked</span> : day === today ? <b>Today</b> : formatDay(day)

type Facets = Awaited<ReturnType<NonNullable<(typeof facetsQuery)['queryFn']>>>

/** Filters of a kept view that nobody meets any more; of who is archived nothing is counted. */
const goneOf = (
  params: URLSearchParams,
  facets: Facets | undefined,
  fields: readonly CustomFieldRecord[] | undefined,
): GoneFilter[] => {
  const filters = readCustomFilters(params.get('custom') ?? '') ?? []
  const isGone = fields && filters.some(({ fieldId }) => !fields.some((one) => one.id === fieldId && !one.archivedAt))
  const gone = isGone
    ? [{ key: 'custom', message: 'A custom field that this view filters by is archived, so this view leaves it out.' }]
    : []
  if (!facets || params.get('archived')) return gone
  const lists = [
    ['tag', 'Nobody has the tag', facets.tags],
    ['city', 'Nobody lives in', facets.cities],
    ['zip', 'Nobody lives in', facets.zips],
  ] as const
  const left = lists.flatMap(([key, none, list]) => {
    const value = params.get(key)
    return value && list.length < facetLimit && !list.some((facet) => facet.value.toLowerCase() === value.toLowerCase())
      ? [{ key, message: `${none} “${value}” any more, so this view leaves it out.` }]
      : []
  })
  return [...gone, ...left]
}

const placeWithout = ({ params, change }: HubView, gone: readonly GoneFilter[]): Place => {
  const left = new URLSearchParams([...params].filter(([key]) => !gone.some((one) => one.key === key)))
  return { ...readPlace(left), params: left, change }
}

export const ManageCustomers = ({ assign }: { assign?: Assign | undefined }) => {
  useAhead(CustomerPanel)
  const kept = useHubView('customers')
  const facets = useQuery(facetsQuery)
  const allFields = useQuery(customFieldsQuery)
  const gone = kept.view ? goneOf(kept.params, facets.data, allFields.data?.items) : []
  const place = placeWithout(kept, gone)
  const today = useToday()
  const may = useMay()
  const [choosing, setChoosing] = useState(false)
  const [selection, setSelection] = useState<Selection>(noSelection)
  const counts = useQuery(countsQuery)
  const list = useInfiniteQuery(customersQuery({ ...place.filter, sort: place.sort, order: place.order }))
  const rows = kept.waiting ? undefined : list.data?.pages.flatMap((page) => page.items)
  const total = list.data?.pages.at(-1)?.total
  const open = (id: string | null) => place.change({ customerId: id, activeTab: null })
  const at = rows?.findIndex((row) => row.id === place.customerId) ?? -1
  const beside = (step: number) => {
    const row = at < 0 ? undefined : rows?.[at + step]
    return row ? () => place.change({ customerId: row.id }, { replace: true }) : undefined
  }
  const fields = useCustomFields()
  const extra = useExtraColumns(place)
  const edits = useCellEdits()
  const money = rows?.some((row) => row.balanceCents !== null) ?? true

  const columns: Column<CustomerListItem>[] = [
    {
      id: 'name',
      header: 'Customer',
      sortable: true,
      grow: 1.5,
      minWidth: 190,
      cell: (row) => inCell(<Name row={row} />),
      ...edits.name,
    },
    {
      id: 'street',
      header: 'Address',
      grow: 1.4,
      minWidth: 150,
      leaves: 5,
      cell: (row) => inCell(<Street row={row} />),
    },
    { id: 'city', header: 'City', sortable: true, grow: 0.8, leaves: 3, cell: (row) => inCell(row.city) },
    {
      id: 'phone',
      header: 'Phone',
      leaves: 4,
      width: 142,
      cell: (row) =>
        row.phone ? <span className="num">{formatPhone(row.phone)}</span> : <span className="hint">–</span>,
      ...edits.phone,
    },
    ...(extra.shown.includes('email')
      ? [
          {
            id: 'email',
            header: 'E-mail',
            leaves: 4,
            minWidth: 170,
            cell: (row: CustomerListItem) => inCell(row.email ?? <span className="hint">–</span>),
            ...edits.email,
          },
        ]
      : []),
    {
      id: 'lawn',
      header: 'Lawn',
      leaves: 2,
      align: 'right',
      width: 104,
      cell: (row) =>
        row.lawnSquareFeet === null ? (
          <span className="hint">–</span>
        ) : (
          <span className="num">{row.lawnSquareFeet.toLocaleString('en-US')} sq ft</span>
        ),
    },
    {
      id: 'tags',
      header: 'Tags',
      grow: 0.9,
      minWidth: 120,
      leaves: 1,
      cell: (row) => inCell(<Tags tags={row.tags} />),
      ...edits.tags,
    },
    ...fields
      .filter(({ id }) => extra.shown.includes(id))
      .map(
        (field): Column<CustomerListItem> => ({
          id: field.id,
          header: field.name,
          minWidth: 130,
          leaves: 1,
          align: field.type === 'number' ? 'right' : 'left',
          cell: (row) =>
            inCell(
              customText(field, (field.record === 'customer' ? row.custom : row.propertyCustom)[field.id]) || (
                <span className="hint">–</span>
              ),
            ),
          ...edits.custom(field),
        }),
      ),
    { id: 'next', header: 'Next visit', width: 124, cell: (row) => nextVisit(row.nextVisitDay, today) },
    {
      id: 'balance',
      header: 'Owes',
      align: 'right',
      width: 140,
      hidden: !money,
      cell: (row) => <Owes row={row} />,
    },
  ]

  const none = counts.data?.all === 0 && counts.data.archived === 0
  if (none) return <FirstCustomers />
  return (
    <>
      <PageHeader
        title="Customers"
        sub={counts.data ? summary(counts.data) : ' '}
        actions={
          <>
            <MoreMenu
              label="More"
              items={[
                may(customersApi.exportCsv) && {
                  label: 'Export this list as CSV',
                  icon: <IconDownload size={18} />,
                  onClick: () => void downloadCustomers(place.filter).catch(toast.error),
                },
                { label: 'Columns', icon: <IconColumns size={18} />, onClick: () => setChoosing(true) },
                place.filter.archived
                  ? null
                  : { label: 'Book jobs for this list', icon: <IconRepeat size={18} />, href: bookHref(place.params) },
                { label: 'See them on the map', icon: <IconMap2 size={18} />, href: '/customers?tab=map' },
              ]}
            />
            {may(customersApi.create) ? (
              <>
                <Button calls={customersApi.create} icon={<IconUpload />} href={linkTo.import('new')}>
                  Import a list
                </Button>
                <Button calls={customersApi.create} kind="primary" icon={<IconPlus />} href="/customers?tab=create">
                  Add customer
                </Button>
              </>
            ) : null}
          </>
        }
      />
      <LimitBanner counts={counts.data} />
      <div className="customers-views">
        <HubViews
          label="Views of customers"
          at={kept}
          plain={views.map(({ id, name, query }) => ({
            id,
            name,
            query: query as ViewQuery,
            ...(counts.data ? { count: counts.data[id] } : {}),
          }))}
          plainId={place.view}
          gone={gone}
        />
      </div>
      <CustomerFilters place={place} />
      {choosing ? <ColumnsDialog place={place} onClose={() => setChoosing(false)} /> : null}
      <Card flush>
        <Table
          label="Customers"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          total={total}
          sort={{ id: place.sort, direction: place.order }}
          onSort={({ id, direction }) => {
            setSelection(noSelection)
            place.change(
              { sort: id === 'name' ? null : id, order: direction === 'desc' ? 'desc' : null },
              { replace: true },
            )
          }}
          cells={useCellEditing}
          onOpen={(row) => open(row.id)}
          currentId={place.customerId}
          selection={selection}
          onSelection={may(customersApi.bulk) ? setSelection : undefined}
          bulkActions={(chosen, count) => (
            <BulkActions
              choice={chosen.allMatching ? { filter: place.filter } : { ids: [...chosen.ids] }}
              count={count}
              archived={place.filter.archived === true}
              onDone={() => setSelection(noSelection)}
              assign={assign}
            />
          )}
          loading={kept.waiting || list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => void list.refetch()}
          onMore={() => void list.fetchNextPage()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          empty={<NothingFound place={place} showAll={kept.plainHref({})} />}
          mobile={(row) => (
            <span className="customer-card">
              <Name row={row} />
              <span className="muted">
                <Street row={row} />
                {row.city ? `, ${row.city}` : ''}
              </span>
              <span className="customer-card__foot">
                {nextVisit(row.nextVisitDay, today)}
                {row.owedCents ? (
                  <span>
                    owes <Money cents={row.owedCents} />
                  </span>
                ) : null}
              </span>
            </span>
          )}
        />
      </Card>
      {place.customerId ? (
        <CustomerPanel
          id={place.customerId}
          part={place.part}
          onOther={(id) => place.change({ customerId: id }, { replace: true })}
          onPart={(part) => place.change({ activeTab: part === 'overview' ? null : part }, { replace: true })}
          onClose={() => open(null)}
          onPrevious={beside(-1)}
          onNext={beside(1)}
        />
      ) : null}
    </>
  )
}

/** Many jobs at once are booked in the hub of jobs, for the customers of this same filter. */
const bookHref = (params: URLSearchParams): string => {
  const keys = ['q', 'tag', 'city', 'zip', 'stage', 'hasJob', 'custom']
  return linkTo.newJobs(Object.fromEntries(keys.map((key) => [key, params.get(key) ?? ''])))
}

const summary = (counts: Counts): string =>
  [
    `${counts.all.toLocaleString('en-US')} ${counts.all === 1 ? 'customer' : 'customers'}`,
    counts.limit === null ? '' : `${counts.planName} holds ${counts.limit}`,
    counts.withoutJob > 0 ? `${counts.withoutJob.toLocaleString('en-US')} without a job` : '',
    counts.withoutPin > 0 ? `${counts.withoutPin.toLocaleString('en-US')} without a map pin` : '',
  ]
    .filter(Boolean)
    .join(' · ')

const FirstCustomers = () => (
  <>
    <PageHeader title="Customers" />
    <EmptyState
      title="Bring your customers"
      action={
        <>
          <Button calls={customersApi.create} kind="primary" icon={<IconUpload />} href={linkTo.import('new')}>
            Import your list
          </Button>
          <Button calls={customersApi.create} icon={<IconPlus />} href="/customers?tab=create">
            Add the first customer
          </Button>
        </>
      }
    >
      A spreadsheet from any program will do, columns in any order. You see every row checked before anything is saved,
      and one click takes the whole import back.
    </EmptyState>
  </>
)

const NothingFound = ({ place, showAll }: { place: Place; showAll: string }) => {
  const view = views.find(({ id }) => id === place.view)
  const clear = <Button onClick={() => place.change(notNarrowed)}>Clear the filters</Button>
  if (place.narrowed)
    return (
      <EmptyState picture="search" title="No customer fits" action={clear}>
        Nobody {view && view.id !== 'all' ? `in "${view.name}" ` : ''}matches what you typed and chose.
      </EmptyState>
    )
  if (view?.id === 'withoutPin' || view?.id === 'approximate' || view?.id === 'withoutJob')
    return (
      <EmptyState picture="mowed" title={view.id === 'withoutJob' ? 'Everyone has a job' : 'Every address has its pin'}>
        {view.id === 'withoutJob' ? 'Nobody in your list waits to be booked.' : 'Routes can be planned to all of them.'}
      </EmptyState>
    )
  return (
    <EmptyState
      picture="search"
      title={`Nobody in "${view?.name ?? 'this view'}"`}
      action={<Button href={showAll}>Show all customers</Button>}
    />
  )
}
