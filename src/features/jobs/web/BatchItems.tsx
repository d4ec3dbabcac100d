import { useState } from 'react'
import { linkTo } from '#src/shared/links.ts'
import { Badge, type Tone } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FilterChips } from '#src/ui/FilterChips.tsx'
import { Money } from '#src/ui/Money.tsx'
import { Table } from '#src/ui/Table.tsx'
import type { Column } from '#src/ui/tableProps.ts'
import { measureFirst } from '../../services/measures/rules.ts'
import type { BatchAnswer, BatchItem, BatchReason } from '../contract.ts'

const reasonLabel: Record<BatchReason, { label: string; tone: Tone }> = {
  no_lawn_size: { label: 'Needs a lawn size', tone: 'late' },
  no_beds: { label: 'Beds not measured', tone: 'late' },
  no_edges: { label: 'Edges not measured', tone: 'late' },
  no_pin: { label: 'No pin on the map', tone: 'wait' },
  has_job: { label: 'Has it already', tone: 'neutral' },
  archived: { label: 'Archived', tone: 'neutral' },
  excluded: { label: 'Left out by you', tone: 'neutral' },
}

const missing = { no_lawn_size: 'lawn', no_beds: 'beds', no_edges: 'edges' } as const

type Show = 'booked' | 'left'
type Props = {
  answer: BatchAnswer
  refreshing: boolean
  onLeaveOut: (propertyId: string) => void
  onTakeBack: (propertyId: string) => void
}

/** Every property of the wish: what its job costs, or why it gets none and what to do about it. */
export const BatchItems = ({ answer, refreshing, onLeaveOut, onTakeBack }: Props) => {
  const [wanted, setWanted] = useState<Show | null>(null)
  const { jobs, exceptions } = answer.totals
  const show: Show = wanted ?? (exceptions > 0 && jobs === 0 ? 'left' : 'booked')
  const rows = answer.items.filter((item) => (item.reason === null) === (show === 'booked'))
  const action = (item: BatchItem) =>
    item.reason === null ? (
      <Button size="s" kind="quiet" onClick={() => onLeaveOut(item.propertyId)}>
        Leave out
      </Button>
    ) : item.reason === 'excluded' ? (
      <Button size="s" onClick={() => onTakeBack(item.propertyId)}>
        Undo
      </Button>
    ) : item.reason === 'no_pin' ? (
      <Button size="s" href={linkTo.customer(item.customerId)}>
        Set the pin
      </Button>
    ) : item.reason === 'no_lawn_size' || item.reason === 'no_beds' || item.reason === 'no_edges' ? (
      <Button size="s" href={linkTo.measure(item.customerId, item.propertyId)}>
        {measureFirst[missing[item.reason]]}
      </Button>
    ) : item.reason === 'has_job' ? (
      <Button size="s" href={linkTo.jobs({ customerId: item.customerId })}>
        See the job
      </Button>
    ) : null
  const columns: Column<BatchItem>[] = [
    {
      id: 'customer',
      header: 'Property',
      grow: 2,
      minWidth: 180,
      cell: (item) => (
        <span className="job-two">
          <b>{item.customerName}</b>
          <span className="hint">
            {item.street}, {item.city}
          </span>
        </span>
      ),
    },
    {
      id: 'lawn',
      header: 'Lawn',
      align: 'right',
      width: 118,
      cell: (item) =>
        item.lawnSquareFeet === null ? (
          <span className="hint">not known</span>
        ) : (
          <span className="num">{item.lawnSquareFeet.toLocaleString('en-US')} sq ft</span>
        ),
    },
    {
      id: 'minutes',
      header: 'Work',
      align: 'right',
      width: 84,
      hidden: show === 'left',
      cell: (item) => (item.minutes === null ? '–' : <span className="num">{item.minutes} min</span>),
    },
    {
      id: 'price',
      header: 'A visit',
      align: 'right',
      width: 96,
      hidden: show === 'left' || answer.totals.roundCents === null,
      cell: (item) => (item.priceCents === null ? '–' : <Money cents={item.priceCents} />),
    },
    {
      id: 'reason',
      header: 'Why',
      width: 168,
      hidden: show === 'booked',
      cell: (item) =>
        item.reason ? <Badge tone={reasonLabel[item.reason].tone}>{reasonLabel[item.reason].label}</Badge> : null,
    },
    { id: 'action', header: '', align: 'right', width: 146, cell: action },
  ]
  return (
    <Card
      flush
      title="Properties"
      actions={
        <FilterChips
          single
          label="Which properties"
          values={[show]}
          onChange={([next]) => setWanted(next ?? show)}
          chips={[
            { value: 'booked' as const, label: 'Get a job', count: jobs },
            { value: 'left' as const, label: 'Left out', count: exceptions },
          ]}
        />
      }
    >
      <Table
        label={show === 'booked' ? 'Properties that get a job' : 'Properties left out'}
        columns={columns}
        rows={rows}
        rowId={(item) => item.propertyId}
        total={show === 'booked' ? jobs : exceptions}
        refreshing={refreshing}
        maxHeight="max(300px, calc(100dvh - 420px))"
        empty={
          show === 'booked' ? (
            <EmptyState compact title="No property gets a job">
              {exceptions > 0 ? 'Look at the ones left out: each says what is missing.' : 'Nobody fits this filter.'}
            </EmptyState>
          ) : (
            <EmptyState compact picture="mowed" title="Nobody is left out">
              Every property of the filter gets its job.
            </EmptyState>
          )
        }
        mobile={(item) => (
          <span className="job-card job-card--plain">
            <span className="job-card__top">
              <b>{item.customerName}</b>
              {item.priceCents === null ? null : <Money cents={item.priceCents} />}
            </span>
            <span className="muted">{item.street}</span>
            <span className="job-card__end">
              {item.reason ? (
                <Badge tone={reasonLabel[item.reason].tone}>{reasonLabel[item.reason].label}</Badge>
              ) : (
                <span className="hint">{item.minutes ?? '–'} min</span>
              )}
              {action(item)}
            </span>
          </span>
        )}
      />
    </Card>
  )
}
