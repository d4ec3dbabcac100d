import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconPlus, IconUser, IconUsers, IconUsersGroup } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { markColor } from '../../../ui/markColor.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay, useToday, useUser } from '../../accounts/web/session.ts'
import { type ChatThread, chatApi } from '../contract.ts'
import { ChatThreadView } from './ChatThreadView.tsx'
import { findPeople, threadsQuery } from './data.ts'
import { threadName } from './names.ts'
import '../../../ui/talks.css'
import './chat.css'

const icons = { person: IconUser, crew: IconUsersGroup, everybody: IconUsers }

const Row = ({ thread, on, href }: { thread: ChatThread; on: boolean; href: string }) => {
  const { timeZone } = useUser().business
  const today = useToday()
  const { last } = thread
  const Icon = icons[thread.kind]
  const day = last ? dayOf(last.at, timeZone) : today
  return (
    <li>
      <LinkTo
        href={href}
        className={`talk${thread.unreadCount > 0 ? ' is-unread' : ''}`}
        aria-current={on ? 'true' : undefined}
      >
        <span className="talk__head">
          <b>
            {thread.color ? (
              <i className="chat-crew" style={{ background: markColor(thread.color) }} aria-hidden="true" />
            ) : null}
            {threadName(thread)}
          </b>
          <span className="hint num">
            {last ? (day === today ? formatTime(last.at, timeZone) : formatDay(day)) : ''}
          </span>
        </span>
        <span className="talk__last">
          <Icon size={15} aria-hidden="true" />
          <span className="talk__words">
            {last ? `${last.by.split(' ')[0] ?? ''}: ${last.text}` : 'Forgotten after three years'}
          </span>
          {thread.unreadCount > 0 ? (
            <span className="talk__new num">
              {thread.unreadCount}
              <span className="ui-hidden"> new</span>
            </span>
          ) : thread.gone ? (
            <Badge dot={false}>{thread.kind === 'crew' ? 'put away' : 'left'}</Badge>
          ) : null}
        </span>
      </LinkTo>
    </li>
  )
}

const NewMessage = ({
  open,
  onClose,
  onPick,
}: {
  open: boolean
  onClose: () => void
  onPick: (id: string) => void
}) => (
  <Dialog open={open} onClose={onClose} title="Write to your team">
    <ComboboxField
      label="To"
      autoFocus
      placeholder="A person, a crew, or everybody"
      value={null}
      onChange={(choice) => choice && onPick(choice.value)}
      search={async (text, signal) =>
        (await findPeople(text, signal)).map(({ id, name, hint }) => ({ value: id, label: name, hint }))
      }
      emptyText="Nobody found"
    />
  </Dialog>
)

/** What the office, the crews and their people write to each other. */
export const CommunicationsTab = () => {
  const { params, change } = useParams()
  const may = useMay()
  const [writing, setWriting] = useState(false)
  const search = (params.get('search') ?? '').slice(0, 100)
  const unread = params.get('unread') === '1'
  const threadId = params.get(recordParam.thread)
  const list = useInfiniteQuery(threadsQuery({ search, unread }))
  const threads = list.data?.pages.flatMap((page) => page.items)
  const unreadCount = list.data?.pages[0]?.unreadCount ?? 0
  const nothing = threads?.length === 0 && !search && !unread
  const newMessage = may(chatApi.send) ? (
    <Button kind="primary" icon={<IconPlus />} onClick={() => setWriting(true)}>
      New message
    </Button>
  ) : undefined
  return (
    <div className={`talks${threadId ? ' has-open' : ''}`}>
      <PageHeader
        title="Communications"
        sub={
          list.data
            ? unreadCount > 0
              ? `${unreadCount === 1 ? '1 message is' : `${unreadCount} messages are`} not read yet`
              : 'Everything is read'
            : ' '
        }
        actions={newMessage}
      />
      <div className="talks__panes">
        <section className="talks__list" aria-label="Conversations">
          <div className="talks__find">
            <SearchInput
              slash
              label="Find a conversation"
              placeholder="Person or crew"
              value={search}
              onChange={(text) => change({ search: text }, { replace: true })}
            />
            <FilterChips
              label="Show"
              single
              chips={[{ value: 'unread', label: 'Unread', count: unreadCount }]}
              values={unread ? ['unread'] : []}
              onChange={(values) => change({ unread: values.length ? '1' : null }, { replace: true })}
            />
          </div>
          {list.isError && !threads ? (
            <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
          ) : !threads ? (
            <PanelSkeleton />
          ) : threads.length === 0 ? (
            <EmptyState
              compact
              title={nothing ? 'No conversation yet' : unread ? 'Everything is read' : 'Nothing found'}
              action={
                nothing ? undefined : (
                  <Button size="s" onClick={() => change({ search: null, unread: null })}>
                    Show all
                  </Button>
                )
              }
            >
              {nothing
                ? 'Write to a person, a crew or everybody. What they answer from their phones comes in here.'
                : 'No conversation fits.'}
            </EmptyState>
          ) : (
            <>
              <ul>
                {threads.map((thread) => (
                  <Row
                    key={thread.id}
                    thread={thread}
                    on={thread.id === threadId}
                    href={`${linkTo.chat(thread.id)}${search ? `&search=${encodeURIComponent(search)}` : ''}${unread ? '&unread=1' : ''}`}
                  />
                ))}
              </ul>
              <LoadMore
                hasMore={list.hasNextPage}
                loading={list.isFetchingNextPage}
                onMore={() => void list.fetchNextPage()}
                shown={threads.length}
              />
            </>
          )}
        </section>
        <section className="talks__open" aria-label="Conversation">
          {threadId ? (
            <ChatThreadView
              key={threadId}
              threadId={threadId}
              onBack={() => change({ [recordParam.thread]: null, [recordParam.about]: null })}
            />
          ) : (
            <EmptyState picture="none" title="Choose a conversation">
              What the office and the crews write to each other, with photos and who has read them.
            </EmptyState>
          )}
        </section>
      </div>
      <NewMessage
        open={writing}
        onClose={() => setWriting(false)}
        onPick={(id) => {
          setWriting(false)
          change({ [recordParam.thread]: id })
        }}
      />
    </div>
  )
}
