import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Message, messagesApi } from '../../messages/contract.ts'
import type { CustomerRecord } from '../contract.ts'

const State = ({ message }: { message: Message }) => {
  if (message.direction === 'inbound') return <Badge tone="now">Received</Badge>
  if (['failed', 'suppressed', 'unknown'].includes(message.status)) return <Badge tone="late">Not sent</Badge>
  if (['pending', 'held', 'sending'].includes(message.status)) return <Badge tone="wait">Waiting</Badge>
  return <Badge tone="done">{message.status === 'delivered' ? 'Delivered' : 'Sent'}</Badge>
}

/** Mail and texts between the business and one customer, newest first. */
export const CustomerMessages = ({ record }: { record: CustomerRecord }) => {
  const zone = useUser().business.timeZone
  const list = useInfiniteQuery({
    queryKey: ['messages', 'of', record.id],
    queryFn: ({ pageParam, signal }) =>
      call(
        messagesApi.list,
        { query: { customerId: record.id, limit: 30, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
  if (list.isError && !list.data) return <ErrorState compact error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <PanelSkeleton />
  const messages = list.data.pages.flatMap((page) => page.items)
  if (messages.length === 0)
    return (
      <EmptyState
        compact
        title="Nothing written yet"
        action={record.email ? <Button href={`mailto:${record.email}`}>Write an e-mail</Button> : null}
      >
        Invoices, "on my way" texts and their answers stand here once the first one leaves.
      </EmptyState>
    )
  return (
    <>
      <ul className="panel-rows">
        {messages.map((message) => (
          <li key={message.id}>
            <span className="panel-rows__main">
              <b>{message.channel === 'email' ? message.subject || 'E-mail' : 'Text'}</b>
              <span className="muted message-text">{message.text}</span>
              {message.reason ? <span className="muted">{message.reason}</span> : null}
            </span>
            <span className="panel-rows__side">
              <State message={message} />
              <span className="hint">
                <RelativeTime at={message.createdAt} timeZone={zone} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
        shown={messages.length}
        total={list.data.pages.at(-1)?.total ?? messages.length}
      />
    </>
  )
}
