import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCalendar, IconDownload, IconInfoCircle, IconMail, IconMessage } from '../../../ui/icons.ts'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Table } from '../../../ui/Table.tsx'
import { type Column, noSelection } from '../../../ui/tableProps.ts'
import { useNarrow } from '../../../ui/useNarrow.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useOwner } from '../../owner/web/session.ts'
import { type LeadStatus, leadSources, leadStatuses } from '../../prospects/rules.ts'
import type { Lead } from '../contract.ts'
import type { LeadsOf } from '../followup/contract.ts'
import { BulkStatus } from '../followup/web/BulkStatus.tsx'
import { useDownloadLeads } from '../followup/web/data.ts'
import { analyticsQuery, type Filters, leadsQuery, noFilters, useSetStatus } from './data.ts'
import { dayLabel, messageOf, sourceNames, statusNames } from './labels.ts'
import type { OnLead } from './leadActions.ts'
import { useNotify, useNotifyFailure } from './notice.ts'
import { UnreadMark } from './UnreadMark.tsx'

const options = <V extends string>(values: readonly V[], names: Readonly<Record<V, string>>) =>
  values.map((value) => ({ value, label: names[value] }))

const today = (): string => {
  const now = new Date()
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
}

const turned = ({ dateFrom, dateTo }: Filters): boolean => dateFrom !== '' && dateTo !== '' && dateFrom > dateTo
const turnedMessage = 'The last day comes before the first.'

const FilterBar = ({ filters, onChange }: { filters: Filters; onChange: (changes: Partial<Filters>) => void }) => {
  const { ask } = useOwner()
  const campaigns = useQuery(analyticsQuery(ask)).data?.campaigns ?? []
  const known = filters.campaign && !campaigns.includes(filters.campaign) ? [filters.campaign, ...campaigns] : campaigns
  return (
    <fieldset className="desk-filters">
      <legend className="ui-hidden">Filters</legend>
      <SelectField
        label="Status"
        placeholder="All statuses"
        value={filters.status as LeadStatus | ''}
        options={options(leadStatuses, statusNames)}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label="Source"
        placeholder="All sources"
        value={filters.source as keyof typeof sourceNames | ''}
        options={options(leadSources, sourceNames)}
        onChange={(source) => onChange({ source })}
      />
      <SelectField
        label="Campaign"
        placeholder="All campaigns"
        value={filters.campaign}
        options={known.map((campaign) => ({ value: campaign, label: campaign }))}
        onChange={(campaign) => onChange({ campaign })}
      />
      <DateField
        label="Date from"
        placeholder="Any day"
        today={today()}
        value={filters.dateFrom || null}
        onChange={(day) => onChange({ dateFrom: day ?? '' })}
      />
      <DateField
        label="Date to"
        placeholder="Any day"
        {...(turned(filters) ? { error: turnedMessage } : {})}
        today={today()}
        value={filters.dateTo || null}
        onChange={(day) => onChange({ dateTo: day ?? '' })}
      />
      {Object.values(filters).some(Boolean) ? (
        <Button kind="quiet" onClick={() => onChange(noFilters)}>
          Clear filters
        </Button>
      ) : null}
    </fieldset>
  )
}

const StatusPicker = ({ lead }: { lead: Lead }) => {
  const setStatus = useSetStatus()
  const notify = useNotify()
  return (
    <SelectField
      className={`desk-status is-${lead.status}`}
      label={`Status of ${lead.name}`}
      hideLabel
      value={setStatus.isPending ? setStatus.variables.status : lead.status}
      disabled={setStatus.isPending}
      options={options(leadStatuses, statusNames)}
      onChange={(status) =>
        setStatus.mutate(
          { leadId: lead._id, status },
          {
            onSuccess: () => notify('done', `Lead status updated to ${status}`),
            onError: (error) => notify('error', `Failed to update lead status: ${messageOf(error)}`),
          },
        )
      }
    />
  )
}

const Actions = ({ lead, onLead }: { lead: Lead; onLead: OnLead }) => (
  <span className="desk-actions">
    <Button size="s" icon={<IconMail />} onClick={() => onLead('email', lead)}>
      Email
    </Button>
    <Button size="s" icon={<IconMessage />} onClick={() => onLead('sms', lead)}>
      SMS
    </Button>
    <Button size="s" icon={<IconCalendar />} onClick={() => onLead('demo', lead)}>
      Book Demo
    </Button>
    <Button size="s" icon={<IconInfoCircle />} onClick={() => onLead('details', lead)}>
      Details
    </Button>
  </span>
)

const columnsOf = (onLead: OnLead): Column<Lead>[] => [
  {
    id: 'contact',
    header: 'Contact',
    minWidth: 200,
    grow: 2,
    cell: (lead) => (
      <span className="desk-contact">
        <b>
          {lead.name} <UnreadMark of={lead.unread} />
        </b>
        <span>
          <span className="desk-phone num">{lead.phone}</span> · {lead.email}
        </span>
      </span>
    ),
  },
  { id: 'source', header: 'Source', width: 128, cell: (lead) => sourceNames[lead.source] },
  {
    id: 'campaign',
    header: 'Campaign',
    minWidth: 120,
    cell: (lead) => lead.campaign || <span className="hint">none</span>,
  },
  { id: 'status', header: 'Status', width: 156, cell: (lead) => <StatusPicker lead={lead} /> },
  {
    id: 'created',
    header: 'Created',
    width: 122,
    cell: (lead) => <span className="num">{dayLabel(lead.createdAt)}</span>,
  },
  { id: 'actions', header: 'Actions', width: 398, cell: (lead) => <Actions lead={lead} onLead={onLead} /> },
]

/** All leads by filter, the newest first. Looks again every 30 s and whenever a filter changes. */
export const LeadList = ({ onLead, currentId }: { onLead: OnLead; currentId: string | null }) => {
  const { ask } = useOwner()
  const { params, change } = useParams()
  const filters = Object.fromEntries(
    Object.keys(noFilters).map((key) => [key, (params.get(key) ?? '').slice(0, 300)]),
  ) as Filters
  const narrow = useNarrow()
  const client = useQueryClient()
  const search = (params.get('q') ?? '').slice(0, 100)
  const list = useInfiniteQuery(leadsQuery(ask, { ...filters, search }))
  // The figures above are as fresh as the list below them.
  const filter = (changes: Partial<Filters> & { q?: string }) => {
    change(changes, { replace: true })
    void client.invalidateQueries({ queryKey: analyticsQuery(ask).queryKey })
  }
  const leads = list.data?.pages.flatMap((page) => page.leads)
  const total = list.data?.pages[0]?.total ?? 0
  const columns = useMemo(() => columnsOf(onLead), [onLead])
  const [selection, setSelection] = useState(noSelection)
  const download = useDownloadLeads()
  const notify = useNotify()
  // What stands in the address is what the server was asked for.
  const asked = Object.fromEntries(
    Object.entries({ ...filters, search }).filter(([, value]) => value !== ''),
  ) as LeadsOf
  useNotifyFailure(list)
  return (
    <>
      <SearchInput
        label="Search leads"
        placeholder="Name, e-mail, phone or words of a message"
        value={search}
        onChange={(q) => filter({ q })}
      />
      {narrow ? (
        <details className="desk-more" open={Object.values(filters).some(Boolean)}>
          <summary>Filters</summary>
          <FilterBar filters={filters} onChange={filter} />
        </details>
      ) : (
        <FilterBar filters={filters} onChange={filter} />
      )}
      <Card
        flush
        actions={
          total > 0 && !turned(filters) ? (
            <Button
              size="s"
              icon={<IconDownload />}
              loading={download.isPending}
              onClick={() =>
                download.mutate(asked, {
                  onError: (error) => notify('error', `The file was not made: ${messageOf(error)}`),
                })
              }
            >
              Export CSV
            </Button>
          ) : null
        }
        title={leads ? `${total.toLocaleString('en-US')} ${total === 1 ? 'lead' : 'leads'}` : 'Leads'}
      >
        {list.error && !leads ? (
          <ErrorState
            error={list.error}
            title="The leads are not here yet"
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        ) : (
          <Table
            label="Leads"
            columns={columns}
            rows={leads}
            rowId={(lead) => lead._id}
            total={total}
            // On a phone the card has buttons of its own, so it is none.
            {...(narrow ? {} : { onOpen: (lead: Lead) => onLead('details', lead) })}
            selection={selection}
            onSelection={setSelection}
            bulkActions={(chosen) => (
              <BulkStatus
                choice={chosen.allMatching ? { filter: asked } : { ids: [...chosen.ids] }}
                onDone={() => setSelection(noSelection)}
              />
            )}
            currentId={currentId}
            density="roomy"
            refreshing={list.isPlaceholderData}
            onMore={() => void list.fetchNextPage()}
            hasMore={list.hasNextPage}
            loadingMore={list.isFetchingNextPage}
            empty={
              turned(filters) ? (
                <EmptyState picture="search" title={turnedMessage}>
                  Choose a later “Date to”, or an earlier “Date from”.
                </EmptyState>
              ) : (
                <EmptyState
                  picture="search"
                  title="No leads found. Try adjusting your filters or check if leads API is available."
                />
              )
            }
            mobile={(lead) => (
              <div className="desk-card">
                <button type="button" className="desk-card__name" onClick={() => onLead('details', lead)}>
                  {lead.name} <UnreadMark of={lead.unread} />
                </button>
                <span className="hint">{lead.email}</span>
                <span className="hint desk-phone num">{lead.phone}</span>
                <span className="hint num">
                  {sourceNames[lead.source]}
                  {lead.campaign ? ` · ${lead.campaign}` : ''} · {dayLabel(lead.createdAt)}
                </span>
                <StatusPicker lead={lead} />
                <Actions lead={lead} onLead={onLead} />
              </div>
            )}
          />
        )}
      </Card>
    </>
  )
}
