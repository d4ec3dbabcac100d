import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { formatMinute } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import type { Crew } from '../contract.ts'
import { CrewPanel } from './CrewPanel.tsx'
import { crewsQuery } from './data.ts'
import { weekdaysText } from './labels.ts'

const CrewCard = ({ crew, onOpen }: { crew: Crew; onOpen: () => void }) => (
  <button type="button" className="crew-card" onClick={onOpen} style={{ borderTopColor: crew.color }}>
    <span className="crew-card__head">
      <b>{crew.name}</b>
      {crew.depotLatitude === null ? <Badge tone="wait">No depot yet</Badge> : null}
    </span>
    <span className="crew-card__people">
      {crew.members.map((member) => (
        <span key={member.userId} className="crew-card__person">
          <Avatar name={member.name} size={26} color={crew.color} />
          {member.name}
          {member.userId === crew.leaderUserId ? <span className="hint">leads</span> : null}
        </span>
      ))}
      {crew.members.length === 0 ? <span className="hint">Nobody on it yet: planned as one person</span> : null}
    </span>
    <KeyValue
      items={[
        {
          label: 'Shift',
          value: `${formatMinute(crew.shiftStartMinute)} to ${formatMinute(crew.shiftEndMinute)}, ${weekdaysText(crew.workDays)}`,
        },
        { label: 'Break', value: crew.breakMinutes ? `${crew.breakMinutes} min` : 'none' },
        { label: 'Starts from', value: crew.depotStreet || (crew.depotLatitude === null ? '' : 'the pin on the map') },
        { label: 'Skills, equipment', value: crew.skills.join(', ') },
        {
          label: 'Costs',
          value: crew.costCentsPerHour === null ? '' : `${formatCents(crew.costCentsPerHour)} an hour, burden included`,
        },
      ]}
    />
  </button>
)

/** Crews: who, from where, when. What routes are planned with. */
export const Crews = () => {
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
  const add = (
    <Button kind="primary" icon={<IconPlus />} onClick={() => open('new')}>
      Add a crew
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Crews"
        sub="Who works together, from where and when: what every route is planned with."
        actions={items.length ? add : undefined}
      />
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
          <CrewCard key={crew.id} crew={crew} onOpen={() => open(crew.id)} />
        ))}
      </div>
      {openId === 'new' || at >= 0 ? (
        <CrewPanel
          key={openId}
          crew={items[at] ?? null}
          crews={items}
          onClose={() => open(null)}
          onPrevious={at > 0 ? () => open(items[at - 1]?.id ?? null) : undefined}
          onNext={at >= 0 && at < items.length - 1 ? () => open(items[at + 1]?.id ?? null) : undefined}
        />
      ) : null}
    </>
  )
}
