import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { StripSkeleton } from '../../../ui/Skeleton.tsx'
import { SortableLists } from '../../../ui/SortableLists.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { ChangeParams } from '../../../ui/useParams.ts'
import { useMay, useToday } from '../../accounts/web/session.ts'
import { businessLeadsApi, type LeadItem } from '../contract.ts'
import { type Stage, stageLabel } from '../rules.ts'
import { boardQuery, type Lengths, useMoveLead } from './data.ts'
import { LeadCard } from './LeadCard.tsx'
import { LostDialog } from './LostDialog.tsx'
import type { Place } from './place.ts'

const step = 20
const most = 200

const emptyWords: Record<Stage, string> = {
  new: 'Nobody waits.',
  contacted: 'Nobody was answered without a quote yet.',
  quoted: 'No quote is out.',
  won: 'Nobody won yet.',
  lost: 'Nobody lost.',
}

type Props = { place: Place; waiting: boolean; onOpen: (id: string) => void; change: ChangeParams }

/** The funnel as columns. A card is carried by mouse, by finger after a short hold, or by Space and arrows. */
export const Funnel = ({ place, waiting, onOpen, change }: Props) => {
  const today = useToday()
  const mayMove = useMay()(businessLeadsApi.move)
  const [lengths, setLengths] = useState<Lengths>({})
  const [losing, setLosing] = useState<LeadItem | null>(null)
  const [stays, setStays] = useState('')
  const board = useQuery({ ...boardQuery(place.filter, lengths), enabled: !waiting })
  const move = useMoveLead()
  const columns = board.data?.columns
  const to = (lead: LeadItem, stage: Stage) =>
    move.mutate(
      { lead, stage },
      {
        onSuccess: () =>
          stage === 'won' && !lead.customer
            ? toast.success(`${lead.name} is won. Make them a customer to book the work`)
            : toast.success(`${lead.name} is in ${stageLabel[stage]}`),
        onError: toast.error,
      },
    )
  const lists = useMemo(
    () =>
      (columns ?? []).map(({ stage, count, items, hasMore }) => ({
        id: stage,
        label: stageLabel[stage],
        items,
        ...(stage === 'lost' ? { asks: 'It moves to Lost once a reason is chosen.' } : {}),
        empty: emptyWords[stage],
        header: (
          <header className={`funnel__head is-${stage}`}>
            <h2>{stageLabel[stage]}</h2>
            <span className="num">{count === null ? '1,000+' : count}</span>
          </header>
        ),
        footer: hasMore ? (
          items.length >= most ? (
            <p className="funnel__more hint">
              <LinkTo href={linkTo.leads({ as: 'table', stage })}>See all as a table</LinkTo>
            </p>
          ) : (
            <div className="funnel__more">
              <Button
                size="s"
                kind="quiet"
                onClick={() => setLengths((now) => ({ ...now, [stage]: Math.min(most, (now[stage] ?? step) + step) }))}
              >
                Show more
                <span className="ui-hidden"> in {stageLabel[stage]}</span>
              </Button>
            </div>
          )
        ) : null,
      })),
    [columns],
  )
  const render = useCallback(
    (lead: LeadItem) => <LeadCard lead={lead} today={today} on={lead.id === place.leadId} onOpen={onOpen} />,
    [today, place.leadId, onOpen],
  )
  if (board.isError && !columns)
    return <ErrorState error={board.error} onRetry={() => void board.refetch()} retrying={board.isFetching} />
  if (!columns) return <StripSkeleton />
  if (place.narrowed && columns.every(({ items }) => items.length === 0))
    return (
      <EmptyState
        picture="search"
        title="No lead fits"
        action={
          <Button
            onClick={() => change({ search: null, source: null, assigneeId: null, due: null, area: null, stage: null })}
          >
            Clear the filters
          </Button>
        }
      >
        Nobody matches what you typed and chose.
      </EmptyState>
    )
  return (
    <>
      <SortableLists
        row
        className="funnel"
        lists={lists}
        itemId={(lead) => lead.id}
        itemLabel={(lead) => lead.name}
        isLocked={() => !mayMove}
        render={render}
        onMove={({ itemId, fromListId, toListId }) => {
          const lead = columns.flatMap(({ items }) => items).find(({ id }) => id === itemId)
          if (!lead || fromListId === toListId) return
          setStays('')
          if (toListId === 'lost') setLosing(lead)
          else to(lead, toListId as Stage)
        }}
      />
      <p className="ui-hidden" role="status">
        {stays}
      </p>
      {losing ? (
        <LostDialog
          name={losing.name}
          onClose={() => {
            setStays(`${losing.name} stays in ${stageLabel[losing.stage]}.`)
            setLosing(null)
          }}
          onLost={async (lost) => {
            await move.mutateAsync({ lead: losing, stage: 'lost', lost })
            toast.success(`${losing.name} is in Lost`)
            setLosing(null)
          }}
        />
      ) : null}
    </>
  )
}
