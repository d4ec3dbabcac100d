import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table } from '../../../ui/Table.tsx'
import { type Column, noSelection, type Selection } from '../../../ui/tableProps.ts'
import type { ChangeParams } from '../../../ui/useParams.ts'
import { useMay, useToday, useUser } from '../../accounts/web/session.ts'
import { businessLeadsApi, type LeadItem } from '../contract.ts'
import { lostReasonLabel, type Stage, sourceLabel, stageLabel } from '../rules.ts'
import { BulkLeads } from './BulkLeads.tsx'
import { leadsQuery } from './data.ts'
import { Asked, NextStep, Ties, Wait } from './LeadCard.tsx'
import type { Place } from './place.ts'

const tone: Record<Stage, Tone> = { new: 'flag', contacted: 'now', quoted: 'wait', won: 'done', lost: 'neutral' }

/** Where a lead stands, and why it was lost. */
export const StageBadge = ({ lead }: { lead: LeadItem }) => (
  <Badge tone={tone[lead.stage]}>
    {lead.stage === 'lost' && lead.lostReason
      ? `Lost: ${lostReasonLabel[lead.lostReason].toLowerCase()}`
      : stageLabel[lead.stage]}
  </Badge>
)

const dash = <span className="hint">–</span>

export const LeadTable = ({ place, waiting, change }: { place: Place; waiting: boolean; change: ChangeParams }) => {
  const today = useToday()
  const { timeZone } = useUser().business
  const may = useMay()
  const [selection, setSelection] = useState<Selection>(noSelection)
  const list = useInfiniteQuery(
    leadsQuery({ ...place.filter, stage: place.stage, sort: place.sort, order: place.order }),
  )
  const rows = waiting ? undefined : list.data?.pages.flatMap((page) => page.items)
  const total = list.data?.pages.at(-1)?.total ?? undefined
  const came = (lead: LeadItem) => formatDay(dayOf(lead.createdAt, timeZone))
  const columns: Column<LeadItem>[] = [
    {
      id: 'name',
      header: 'Lead',
      sortable: true,
      grow: 1.4,
      minWidth: 170,
      cell: (lead) => (
        <span className="cell-fit">
          <b>{lead.name}</b>
        </span>
      ),
    },
    { id: 'stage', header: 'Stage', width: 178, cell: (lead) => <StageBadge lead={lead} /> },
    { id: 'wait', header: 'First answer', width: 132, leaves: 4, cell: (lead) => <Wait lead={lead} /> },
    {
      id: 'next',
      header: 'Next step',
      sortable: true,
      grow: 1.2,
      minWidth: 150,
      cell: (lead) => <NextStep lead={lead} today={today} />,
    },
    {
      id: 'phone',
      header: 'Phone',
      width: 142,
      leaves: 3,
      cell: (lead) => (lead.phone ? <span className="num">{formatPhone(lead.phone)}</span> : dash),
    },
    { id: 'city', header: 'City', leaves: 1, grow: 0.8, cell: (lead) => <span className="cell-fit">{lead.city}</span> },
    { id: 'source', header: 'Source', width: 122, leaves: 2, cell: (lead) => sourceLabel[lead.source] },
    {
      id: 'assignee',
      header: 'Whose',
      width: 110,
      leaves: 5,
      cell: (lead) => (lead.assignee ? lead.assignee.name.split(' ')[0] : dash),
    },
    { id: 'created', header: 'Came', sortable: true, width: 112, leaves: 6, cell: came },
  ]
  return (
    <Card flush>
      <Table
        label="Leads"
        columns={columns}
        rows={rows}
        rowId={(lead) => lead.id}
        total={total}
        sort={{ id: place.sort, direction: place.order }}
        onSort={({ id, direction }) => change({ sort: id, order: direction }, { replace: true })}
        onOpen={(lead) => change({ leadId: lead.id })}
        currentId={place.leadId}
        selection={selection}
        onSelection={may(businessLeadsApi.bulk) ? setSelection : undefined}
        bulkActions={(chosen, count) => (
          <BulkLeads
            ids={chosen.allMatching ? (rows ?? []).map(({ id }) => id) : chosen.ids}
            count={count}
            onDone={() => setSelection(noSelection)}
          />
        )}
        loading={waiting || list.isPending}
        refreshing={list.isPlaceholderData}
        error={list.error}
        onRetry={() => void list.refetch()}
        onMore={() => void list.fetchNextPage()}
        hasMore={list.hasNextPage}
        loadingMore={list.isFetchingNextPage}
        empty={
          <EmptyState
            picture="search"
            title="No lead fits"
            action={
              <Button
                onClick={() =>
                  change({ search: null, source: null, assigneeId: null, due: null, area: null, stage: null })
                }
              >
                Clear the filters
              </Button>
            }
          />
        }
        mobile={(lead) => (
          <span className="lead-row">
            <span>
              <b>{lead.name}</b> <StageBadge lead={lead} />
            </span>
            <Asked lead={lead} />
            <Ties lead={lead} />
            <NextStep lead={lead} today={today} />
            <span className="lead-card__foot">
              <Wait lead={lead} />
              <span className="hint">
                {sourceLabel[lead.source]}, {came(lead)}
              </span>
            </span>
          </span>
        )}
      />
    </Card>
  )
}
