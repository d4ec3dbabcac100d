import { useInfiniteQuery } from '@tanstack/react-query'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import {
  IconArrowRight,
  IconCalendar,
  IconFlag,
  IconMail,
  IconMessage,
  IconPencil,
  IconPhone,
  IconUser,
  IconUsers,
} from '../../../ui/icons.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { statusOf } from '../../messages/rules.ts'
import { MessageFiles } from '../../messages/web/MessageFiles.tsx'
import { MessagePhotos } from '../../messages/web/MessagePhotos.tsx'
import type { TimelineItem } from '../contract.ts'
import { timelineQuery } from './data.ts'

const icons: Record<TimelineItem['kind'], typeof IconFlag> = {
  created: IconFlag,
  again: IconFlag,
  stage: IconArrowRight,
  note: IconPencil,
  call: IconPhone,
  assigned: IconUser,
  next: IconCalendar,
  changed: IconPencil,
  customer: IconUsers,
  message: IconMessage,
}

const headOf = (item: TimelineItem, timeZone: string): string => {
  const { kind, message, words } = item
  switch (kind) {
    case 'created':
      return 'Asked'
    case 'again':
      return 'Asked again'
    case 'stage':
      return `To ${words}`
    case 'note':
      return 'Note'
    case 'call':
      return 'Call'
    case 'assigned':
      return words ? `Given to ${words}` : 'Given to nobody'
    case 'next':
      return words ? `Next: ${words}` : 'The next step was done'
    case 'changed':
      return 'Changed what is known'
    case 'customer':
      return `Became the customer ${words}`
    default: {
      const what =
        message?.channel === 'email' ? 'E-mail' : message?.channel === 'portal' ? 'Word in the portal' : 'Text'
      if (message?.direction === 'inbound') return `${what} from them`
      const state = message ? statusOf(message, timeZone).label : ''
      return `${what} to them · ${state}${message?.reason ? `: ${message.reason}` : ''}`
    }
  }
}

const says: readonly TimelineItem['kind'][] = ['created', 'again', 'note', 'call', 'message']

const Item = ({ item, timeZone }: { item: TimelineItem; timeZone: string }) => {
  const Icon = item.message?.channel === 'email' ? IconMail : icons[item.kind]
  const words = says.includes(item.kind) ? item.words : ''
  return (
    <li className={`lead-past is-${item.kind}${item.message?.direction === 'inbound' ? ' is-theirs' : ''}`}>
      <Icon size={16} aria-hidden="true" />
      <div>
        <span className="lead-past__head">
          <b>{headOf(item, timeZone)}</b>
          <span className="hint">
            {[item.byName, `${formatDay(dayOf(item.at, timeZone))}, ${formatTime(item.at, timeZone)}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        {item.message?.subject ? <p className="lead-past__subject">{item.message.subject}</p> : null}
        {words ? <p className="pre-line">{words}</p> : null}
        {item.message ? (
          <>
            <MessagePhotos photos={item.message.photos} />
            <MessageFiles files={item.message.files} />
            {item.message.notKept ? <p className="hint">{item.message.notKept}</p> : null}
          </>
        ) : null}
      </div>
    </li>
  )
}

/** What happened and what was said, newest first. */
export const LeadTimeline = ({ id }: { id: string }) => {
  const { timeZone } = useUser().business
  const list = useInfiniteQuery(timelineQuery(id))
  const items = list.data?.pages.flatMap((page) => page.items)
  return (
    <section className="panel-section" aria-label="What happened">
      <h3>What happened</h3>
      {items ? (
        <>
          <ol className="lead-pasts">
            {items.map((item) => (
              <Item key={item.id} item={item} timeZone={timeZone} />
            ))}
          </ol>
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
            shown={items.length}
          />
        </>
      ) : list.isError ? (
        <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </section>
  )
}
