import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { RecordMissing } from '../../../ui/RecordFailed.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Crew, employeesApi } from '../contract.ts'
import { CrewBoard } from '../staffing/web/CrewBoard.tsx'
import { CrewFacts } from './CrewFacts.tsx'
import { CrewPanel } from './CrewPanel.tsx'
import { crewsQuery } from './data.ts'

type CardProps = { crew: Crew; open: boolean; marks: ReactNode; onOpen: () => void }

const CrewCard = ({ crew, open, marks, onOpen }: CardProps) => (
  <button
    type="button"
    className="crew-card"
    aria-current={open || undefined}
    onClick={onOpen}
    style={{ borderTopColor: crew.color }}
  >
    <span className="crew-card__head">
      <b>{crew.name}</b>
      {crew.depotLatitude === null ? <Badge tone="wait">No depot yet</Badge> : null}
    </span>
    {marks}
    <CrewFacts crew={crew} />
  </button>
)

type Props = {
  /** Stands below the head. */
  bar?: ReactNode
  /** What others know of a crew. */
  marks?: (crewId: string) => ReactNode
}

/** Crews: who, from where, when. What routes are planned with. */
export const Crews = ({ bar, marks }: Props) => {
  const [query, setQuery] = useSearchParams()
  const crews = useQuery(crewsQuery)
  const open = (id: string | null) =>
    setQuery((old) => {
      const next = new URLSearchParams(old)
      if (id) next.set(recordParam.crew, id)
      else next.delete(recordParam.crew)
      return next
    })
  const openId = query.get(recordParam.crew)
  const items = crews.data?.items ?? []
  const at = items.findIndex((crew) => crew.id === openId)
  const mayAdd = useMay()(employeesApi.createCrew)
  const add = mayAdd ? (
    <Button kind="primary" icon={<IconPlus />} onClick={() => open('new')}>
      Add a crew
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Crews"
        sub="Who works together, from where and when: what every route is planned with."
        actions={items.length ? add : undefined}
      />
      {bar}
      {crews.error && !crews.data ? (
        <ErrorState error={crews.error} title="We could not load the crews" onRetry={() => void crews.refetch()} />
      ) : null}
      {crews.isPending ? (
        <div className="crew-cards" aria-busy="true">
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
        </div>
      ) : null}
      {crews.data && items.length === 0 ? (
        <EmptyState title="No crew yet" picture="unmowed" action={add}>
          A crew is who goes out together. Working alone? Then you are the crew: add one with yourself on it, and its
          day shows on your phone.
        </EmptyState>
      ) : null}
      <div className="crew-cards">
        {items.map((crew) => (
          <CrewCard
            key={crew.id}
            crew={crew}
            open={crew.id === openId}
            marks={marks?.(crew.id)}
            onOpen={() => open(crew.id)}
          />
        ))}
      </div>
      {items.length > 0 ? <CrewBoard crews={items} /> : null}
      {(openId === 'new' && mayAdd) || at >= 0 ? (
        <CrewPanel
          key={openId}
          crew={items[at] ?? null}
          crews={items}
          onClose={() => open(null)}
          onPrevious={at > 0 ? () => open(items[at - 1]?.id ?? null) : undefined}
          onNext={at >= 0 && at < items.length - 1 ? () => open(items[at + 1]?.id ?? null) : undefined}
        />
      ) : openId && openId !== 'new' && crews.data ? (
        <RecordMissing what="crew" onClose={() => open(null)} />
      ) : null}
    </>
  )
}
