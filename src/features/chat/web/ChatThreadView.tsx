import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useLayoutEffect, useRef } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowLeft } from '../../../ui/icons.ts'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useMay, useToday, useUser } from '../../accounts/web/session.ts'
import { type ChatThread, chatApi } from '../contract.ts'
import { ChatBubble } from './ChatBubble.tsx'
import { ChatComposer } from './ChatComposer.tsx'
import { threadQuery, useRead } from './data.ts'
import { threadName } from './names.ts'

const subOf = ({ kind, gone }: ChatThread): string => {
  if (kind === 'everybody') return 'Everybody on a crew reads this'
  if (kind === 'crew') return gone ? 'Put away' : 'The crew of the day and the office'
  return gone ? 'Does not work here any more' : 'Only the office sees what you write to each other'
}

/** What somebody looks at is read; a tab in the background is not looked at. */
const useMarkRead = (thread: ChatThread | undefined) => {
  const { mutate } = useRead(thread?.id ?? '')
  const may = useMay()(chatApi.read)
  const done = useRef(0)
  const newest = thread?.lastNumber ?? 0
  useEffect(() => {
    if (newest === 0 || !may) return
    const mark = () => {
      if (document.visibilityState !== 'visible' || done.current >= newest) return
      done.current = newest
      mutate(newest)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [newest, mutate, may])
}

/** A conversation, oldest first, and where one writes. */
export const ChatThreadView = ({ threadId, onBack }: { threadId: string; onBack: () => void }) => {
  const { timeZone } = useUser().business
  const today = useToday()
  const list = useInfiniteQuery(threadQuery(threadId))
  const scroller = useRef<HTMLElement>(null)
  const older = useRef<HTMLDivElement>(null)
  const thread = list.data?.pages[0]?.thread
  const messages = list.data?.pages.flatMap((page) => page.items).toReversed() ?? []
  useMarkRead(thread)
  const before = useRef({ first: '', last: '', height: 0 })
  const [first, last] = [messages[0]?.id ?? '', messages.at(-1)?.id ?? '']
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    // A new message brings the end into view; older ones come in above what is read.
    if (last !== before.current.last) element.scrollTop = element.scrollHeight
    else if (first !== before.current.first) element.scrollTop += element.scrollHeight - before.current.height
    before.current = { first, last, height: element.scrollHeight }
  }, [first, last])
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list
  useEffect(() => {
    const mark = older.current
    if (!mark || !hasNextPage || isFetchingNextPage || isError) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      root: scroller.current,
      rootMargin: '200px',
    })
    watcher.observe(mark)
    return () => watcher.disconnect()
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  if (list.isError && !list.data)
    return (
      <RecordFailed
        what="conversation"
        error={list.error}
        onClose={onBack}
        onRetry={list.refetch}
        retrying={list.isFetching}
      />
    )
  if (!thread) return <PanelSkeleton />
  const name = threadName(thread)
  const days = messages.map(({ at }) => dayOf(at, timeZone))
  return (
    <>
      <header className="talk-head">
        <IconButton
          className="talk-head__back"
          label="All conversations"
          icon={<IconArrowLeft />}
          onClick={onBack}
          tooltip={false}
        />
        <div>
          <h2>{name}</h2>
          <span className="hint">{subOf(thread)}</span>
        </div>
        {thread.kind === 'everybody' || thread.gone ? null : (
          <Button size="s" href={thread.kind === 'crew' ? linkTo.crew(thread.id) : linkTo.person(thread.id)}>
            {thread.kind === 'crew' ? 'Open crew' : 'Open person'}
          </Button>
        )}
      </header>
      {messages.length === 0 ? (
        <div className="chat-empty">
          <EmptyState compact title="Nothing written yet">
            {thread.kind === 'everybody'
              ? 'What you write here reaches every phone of your crews.'
              : `What you and ${name} write to each other stands here.`}
          </EmptyState>
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
        <section ref={scroller} className="thread" tabIndex={0} aria-label={`Messages with ${name}`}>
          {hasNextPage ? (
            <div ref={older} className="thread__older">
              <Button size="s" kind="quiet" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {isError ? 'This did not load. Try again' : 'Older messages'}
              </Button>
            </div>
          ) : null}
          <ol aria-live="polite">
            {messages.map((message, at) => (
              <Fragment key={message.id}>
                {days[at] !== days[at - 1] ? <li className="thread__day">{formatDay(days[at] ?? '')}</li> : null}
                <ChatBubble message={message} kind={thread.kind} timeZone={timeZone} today={today} />
              </Fragment>
            ))}
          </ol>
        </section>
      )}
      {thread.can.write ? (
        <ChatComposer key={thread.id} thread={thread} />
      ) : thread.closed ? (
        <div className="composer">
          <Banner>{thread.closed}</Banner>
        </div>
      ) : null}
    </>
  )
}
