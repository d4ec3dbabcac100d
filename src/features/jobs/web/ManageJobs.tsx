import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '#src/shared/dates.ts'
import { linkTo, recordParam } from '#src/shared/links.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { IconPlus } from '#src/ui/icons.ts'
import { lazyPart, useAhead } from '#src/ui/lazyAhead.tsx'
import { Money } from '#src/ui/Money.tsx'
import { MoreMenu } from '#src/ui/MoreMenu.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SearchInput } from '#src/ui/SearchInput.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { Table } from '#src/ui/Table.tsx'
import { type Column, noSelection, type Selection, type Sort } from '#src/ui/tableProps.ts'
import { markColor } from '../../../ui/markColor.ts'
import { useMay } from '../../accounts/web/session.ts'
import { servicesQuery } from '../../services/web/data.ts'
import type { ViewQuery } from '../../views/rules.ts'
import { useHubView } from '../../views/web/data.ts'
import { HubViews } from '../../views/web/HubViews.tsx'
import { type BulkUndone, jobEditsApi } from '../bulk/contract.ts'
import { type JobRow, jobSorts, jobsApi } from '../contract.ts'
import { pricesApi } from '../prices/contract.ts'
import { programsQuery } from '../programs/web/data.ts'
import { type JobFlag, type JobView, jobViews, viewNames } from '../states/rules.ts'
import { calendarQuery, crewsQuery, jobCountsQuery, jobsListQuery } from './data.ts'
import { goneOf } from './goneFilters.ts'
import { JobState } from './JobState.tsx'

const JobPanel = lazyPart(() => import('./JobPanel.tsx').then((m) => m.JobPanel))
const BulkBar = lazyPart(() => import('../bulk/web/BulkBar.tsx').then((m) => m.BulkBar))
const BulkHistory = lazyPart(() => import('../bulk/web/BulkHistory.tsx').then((m) => m.BulkHistory))

const flagTones: Record<JobFlag, 'late' | 'wait' | 'flag'> = {
  late: 'late',
  unscheduled: 'wait',
  action_required: 'flag',
  requires_invoicing: 'wait',
  ending_30d: 'wait',
}

const flagLabel = (row: JobRow): Record<JobFlag, string> => ({
  late: `${row.lateVisits} late`,
  unscheduled: 'No day',
  action_required: 'No more visits',
  requires_invoicing: `${row.uninvoicedVisits} to invoice`,
  ending_30d: 'Ending',
})

const Flags = ({ row }: { row: JobRow }) => {
  const label = flagLabel(row)
  const [first, ...more] = row.flags
  if (row.status !== 'active') return <JobState job={row} />
  if (!first) return null
  return (
    <span className="job-flags">
      <Badge tone={flagTones[first]}>{label[first]}</Badge>
      {more.length > 0 ? (
        <span className="hint" title={more.map((flag) => label[flag]).join(', ')}>
          +{more.length}
        </span>
      ) : null}
    </span>
  )
}

/** The name that the search matched, where none of those on the row says why it was found. */
const foundBy = ({ customerName, customerCompany, street, title }: JobRow, q: string): string => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const said = `${customerName} ${street} ${title}`.toLowerCase()
  const other = customerCompany?.toLowerCase() ?? ''
  return words.some((word) => other.includes(word) && !said.includes(word)) ? `${customerCompany} · ` : ''
}

const CrewName = ({ crew }: { crew: JobRow['crew'] }) =>
  crew ? (
    <span className="job-crew">
      <span className="job-crew__dot" style={{ background: markColor(crew.color) }} aria-hidden="true" />
      {crew.name}
    </span>
  ) : (
    <span className="hint">No crew</span>
  )

const emptyMessage: Record<JobView, { title: string; text: string }> = {
  active: { title: 'No jobs yet', text: 'Book one customer, or the whole season for a filtered list in one action.' },
  late: { title: 'No visit is late', text: 'A visit whose day went by and that is still open will stand here.' },
  unscheduled: { title: 'Every visit has a day', text: 'Visits that were taken off the calendar will wait here.' },
  action_required: {
    title: 'Nothing to decide',
    text: 'Jobs whose visits have run out will stand here, to go on or to end.',
  },
  requires_invoicing: {
    title: 'All finished work is invoiced',
    text: 'Finished visits without an invoice will stand here.',
  },
  ending_30d: {
    title: 'No job ends in the next 30 days',
    text: 'Jobs about to end will stand here, so that you can renew them.',
  },
  archived: { title: 'Nothing archived', text: 'Completed and canceled jobs will be kept here.' },
}

const notNarrowed = { batchId: null, customerId: null, programId: null, season: null, renewal: null }

/** Jobs by saved view, search and sort; a job opens beside its list. */
export const ManageJobs = () => {
  useAhead(BulkBar, JobPanel)
  const at = useHubView('jobs')
  const { params: query, change: put } = at
  const requestedView = query.get('view') as JobView | null
  const view: JobView = requestedView && jobViews.includes(requestedView) ? requestedView : 'active'
  const [sortId = '', direction = ''] = (query.get('sort') ?? 'number.desc').split('.')
  const sort = jobSorts.find((s) => s === sortId) ?? 'number'
  const order = direction === 'asc' ? ('asc' as const) : ('desc' as const)
  const q = query.get('q') ?? ''
  const crews = useQuery(crewsQuery)
  const services = useQuery(servicesQuery)
  const asked = { crewId: query.get(recordParam.crew) ?? '', serviceId: query.get(recordParam.service) ?? '' }
  const gone = goneOf(asked, crews.data, services.data)
  const [crewId, serviceId] = (['crewId', 'serviceId'] as const).map((key) =>
    gone.some((one) => one.key === key) ? '' : asked[key],
  ) as [string, string]
  const batchId = query.get(recordParam.jobBatch) ?? ''
  const customerId = query.get(recordParam.customer) ?? ''
  const programId = query.get(recordParam.program) ?? ''
  const season = query.get('season') ?? ''
  const missing = query.get('renewal') === 'missing'
  const programs = useQuery({ ...programsQuery, enabled: programId !== '' })
  const programName = programs.data?.find(({ id }) => id === programId)?.name
  const openId = query.get(recordParam.job)
  const filter = {
    view,
    ...(q ? { q } : {}),
    ...(crewId ? { crewId } : {}),
    ...(serviceId ? { serviceId } : {}),
    ...(batchId ? { batchId } : {}),
    ...(customerId ? { customerId } : {}),
    ...(programId ? { programId } : {}),
    ...(season ? { season } : {}),
    ...(missing ? { renewal: 'missing' as const } : {}),
  }
  const list = useInfiniteQuery(jobsListQuery({ ...filter, sort, order }))
  const [selection, setSelection] = useState<Selection>(noSelection)
  // Who looks at other jobs chose none of them.
  const looksAt = JSON.stringify([filter, sort, order])
  const [chosenOf, setChosenOf] = useState(looksAt)
  if (chosenOf !== looksAt) {
    setChosenOf(looksAt)
    setSelection(noSelection)
  }
  const [history, setHistory] = useState<'shut' | 'open' | BulkUndone>('shut')
  const counts = useQuery(jobCountsQuery)
  const calendar = useQuery(calendarQuery)
  const rows = at.waiting ? undefined : list.data?.pages.flatMap((page) => page.items)
  const total = list.data?.pages[0]?.total
  const may = useMay()
  const mayCreate = may(jobsApi.create)
  const money = rows?.some((row) => row.perVisitCents !== null) ?? true
  const filtered =
    q !== '' || crewId !== '' || serviceId !== '' || batchId !== '' || customerId !== '' || programId !== ''
  const year = calendar.data?.today.slice(0, 4) ?? ''
  const place = rows?.findIndex((row) => row.id === openId) ?? -1
  const step = (by: number) => {
    const next = rows?.[place + by]
    return place >= 0 && next ? () => put({ jobId: next.id, visitId: null }) : undefined
  }

  const columns: Column<JobRow>[] = [
    {
      id: 'customer',
      header: 'Customer',
      sortable: true,
      grow: 1.4,
      minWidth: 168,
      cell: (row) => (
        <span className="job-two">
          <b>{row.customerName}</b>
          <span className="hint">
            {foundBy(row, q)}
            {row.street}
          </span>
        </span>
      ),
    },
    {
      id: 'number',
      header: 'Job',
      sortable: true,
      grow: 1.4,
      minWidth: 168,
      cell: (row) => (
        <span className="job-two">
          <span>{row.title}</span>
          <span className="hint num">
            J-{row.number}
            {row.programYear === null ? '' : `, season ${row.programYear}`}
          </span>
        </span>
      ),
    },
    {
      id: 'schedule',
      header: 'Schedule',
      leaves: 3,
      grow: 1.5,
      minWidth: 180,
      cell: (row) => (
        <span className="job-cut" title={row.scheduleText}>
          {row.scheduleText}
        </span>
      ),
    },
    { id: 'crew', header: 'Crew', width: 130, leaves: 1, cell: (row) => <CrewName crew={row.crew} /> },
    {
      id: 'nextVisit',
      header: 'Next visit',
      sortable: true,
      // wide enough for a day of another year
      width: 152,
      cell: (row) =>
        row.nextVisitOn ? (
          <span className="num">{formatDay(row.nextVisitOn, { year: !row.nextVisitOn.startsWith(year) })}</span>
        ) : (
          <span className="hint">none</span>
        ),
    },
    {
      id: 'price',
      header: 'A visit',
      leaves: 2,
      sortable: true,
      align: 'right',
      width: 100,
      hidden: !money,
      cell: (row) => <Money cents={row.perVisitCents} />,
    },
    { id: 'flags', header: 'State', width: 148, cell: (row) => <Flags row={row} /> },
  ]

  const late = counts.data?.late ?? 0
  const label = emptyMessage[view]
  return (
    <>
      <PageHeader
        title="Manage jobs"
        sub={
          counts.data
            ? `${counts.data.active.toLocaleString('en-US')} ${counts.data.active === 1 ? 'job' : 'jobs'} open${late > 0 ? `, ${late} with late visits` : ''}`
            : undefined
        }
        actions={
          <>
            <MoreMenu
              label="More"
              items={[
                may(pricesApi.apply) && { label: 'Renew a season', href: linkTo.renewals() },
                may(jobEditsApi.list) && { label: 'Bulk changes', onClick: () => setHistory('open') },
              ]}
            />
            {mayCreate ? (
              <Button calls={jobsApi.create} kind="primary" icon={<IconPlus />} href="/jobs?tab=create">
                Create a job
              </Button>
            ) : null}
          </>
        }
      />
      <div className="job-bar">
        <HubViews
          label="Views of jobs"
          at={at}
          plainId={view}
          plain={jobViews.map((id) => ({
            id,
            name: viewNames[id],
            query: (id === 'active' ? {} : { view: id }) as ViewQuery,
            ...(counts.data ? { count: counts.data[id] } : {}),
          }))}
          onPlain={(id) => put({ view: id === 'active' ? null : id, jobId: null, visitId: null })}
          gone={gone}
        />
        <div className="job-bar__find">
          <SearchInput
            slash
            label="Find a job"
            placeholder="Customer, street, job number"
            value={q}
            onChange={(text) => put({ q: text || null })}
          />
          <SelectField
            label="Crew"
            hideLabel
            value={crewId}
            placeholder="All crews"
            onChange={(id) => put({ crewId: id || null })}
            options={(crews.data ?? []).map((crew) => ({ value: crew.id, label: crew.name }))}
          />
          <SelectField
            label="Service"
            hideLabel
            value={serviceId}
            placeholder="All services"
            onChange={(id) => put({ serviceId: id || null })}
            options={(services.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      </div>
      {batchId || customerId || programId ? (
        <p className="job-narrowed">
          <span className="muted">
            {programId
              ? `Only the jobs of ${programName ? `“${programName}”` : 'one program'}${season ? `, season of ${season}` : ''}${missing ? ', that have no next season. Open one to see what is missing' : ''}.`
              : batchId
                ? 'Only the jobs made together in one action.'
                : 'Only the jobs of one customer.'}
          </span>{' '}
          <Button size="s" kind="quiet" onClick={() => put(notNarrowed)}>
            Show all
          </Button>
        </p>
      ) : null}
      <Card flush>
        <Table
          label="Jobs"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          total={total}
          sort={{ id: sort, direction: order } satisfies Sort}
          onSort={(next) => put({ sort: `${next.id}.${next.direction}` })}
          onOpen={(row) => put({ jobId: row.id, visitId: null })}
          currentId={openId}
          selection={selection}
          onSelection={may(jobEditsApi.create) ? setSelection : undefined}
          bulkActions={(chosen, count) => (
            <BulkBar
              choice={chosen.allMatching ? { filter } : { ids: [...chosen.ids] }}
              count={count}
              money={money}
              onDone={() => setSelection(noSelection)}
              onKept={setHistory}
            />
          )}
          loading={at.waiting || list.isPending}
          refreshing={list.isPlaceholderData}
          error={list.error}
          onRetry={() => list.refetch()}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          onMore={() => list.fetchNextPage()}
          empty={
            filtered ? (
              <EmptyState
                picture="search"
                title="No job fits"
                action={
                  <Button onClick={() => put({ ...notNarrowed, q: null, crewId: null, serviceId: null })}>
                    Clear the filters
                  </Button>
                }
              >
                {q
                  ? `Nothing in “${at.view?.name ?? viewNames[view]}” matches this search.`
                  : at.view && at.asSaved
                    ? `No job is as “${at.view.name}” asks for.`
                    : `Nothing in “${viewNames[view]}” is as the filters say.`}
              </EmptyState>
            ) : (
              <EmptyState
                picture={view === 'active' || view === 'archived' ? 'unmowed' : 'mowed'}
                title={label.title}
                action={
                  view === 'active' && mayCreate ? <Button href="/jobs?tab=create">Create a job</Button> : undefined
                }
              >
                {label.text}
              </EmptyState>
            )
          }
          mobile={(row) => (
            <span className="job-card">
              <span className="job-card__top">
                <b>{row.customerName}</b>
                {money ? <Money cents={row.perVisitCents} /> : null}
              </span>
              <span className="muted">
                {foundBy(row, q)}
                {row.title}
              </span>
              <span className="job-card__end">
                <span className="hint">
                  {row.nextVisitOn ? `Next ${formatDay(row.nextVisitOn)}` : 'No next visit'} ·{' '}
                  {row.crew?.name ?? 'No crew'}
                </span>
                <Flags row={row} />
              </span>
            </span>
          )}
        />
      </Card>
      {history === 'shut' ? null : (
        <BulkHistory
          undone={history === 'open' ? null : history}
          onUndone={setHistory}
          onClose={() => setHistory('shut')}
        />
      )}
      {openId ? (
        <JobPanel
          key={openId}
          id={openId}
          visitId={query.get(recordParam.visit)}
          onClose={() => put({ jobId: null, visitId: null })}
          onPrevious={step(-1)}
          onNext={step(1)}
        />
      ) : null}
    </>
  )
}
