import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useLayoutEffect, useRef } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { Message } from '../contract.ts'
import { Bubble } from './Bubble.tsx'
import { threadQuery, useRead, withOf } from './data.ts'
import '../../../ui/talks.css'

/** What somebody looks at is read; a tab in the background is not looked at. */
const useMarkRead = (who: string, newestInbound: string | undefined) => {
  const read = useRead()
  const done = useRef('')
  const { mutate } = read
  useEffect(() => {
    if (!newestInbound) return
    const mark = () => {
      if (document.visibilityState !== 'visible' || done.current === newestInbound) return
      done.current = newestInbound
      mutate(withOf(who))
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [who, newestInbound, mutate])
}

/** A conversation, oldest first, as on a phone; or newest first where it stands under its own form. */
export const Thread = ({ who, name, newestFirst = false }: { who: string; name: string; newestFirst?: boolean }) => {
  const { timeZone } = useUser().business
  const list = useInfiniteQuery(threadQuery(withOf(who)))
  const scroller = useRef<HTMLElement>(null)
  const newest = list.data?.pages[0]?.items
  useMarkRead(who, newest?.find((message) => message.direction === 'inbound')?.id)
  const lastId = newest?.[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message brings the end into view
  useLayoutEffect(() => {
    const element = scroller.current
    if (element && !newestFirst) element.scrollTop = element.scrollHeight
  }, [lastId, who, newestFirst])
  if (list.isError && !list.data)
    return (
      <ErrorState
        compact
        error={list.error}
        title="We could not load the conversation"
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    )
  if (!list.data) return <PanelSkeleton />
  const loaded = list.data.pages.flatMap((page) => page.items)
  if (loaded.length === 0)
    return (
      <EmptyState compact title="Nothing written yet">
        What you and {name} write to each other stands here, with invoices and reminders.
      </EmptyState>
    )
  const messages: Message[] = newestFirst ? loaded : loaded.toReversed()
  const older = list.hasNextPage ? (
    <div className="thread__older">
      <Button size="s" kind="quiet" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Older messages
      </Button>
    </div>
  ) : null
  const days = messages.map((message) => dayOf(message.createdAt, timeZone))
  const bubbles = (
    <ol>
      {messages.map((message, at) => (
        <Fragment key={message.id}>
          {!newestFirst && days[at] !== days[at - 1] ? (
            <li className="thread__day">{formatDay(days[at] ?? '')}</li>
          ) : null}
          <Bubble message={message} timeZone={timeZone} />
        </Fragment>
      ))}
    </ol>
  )
  if (newestFirst)
    return (
      <div className="thread is-newest-first">
        {bubbles}
        {older}
      </div>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
    <section ref={scroller} className="thread" tabIndex={0} aria-label={`Messages with ${name}`}>
      {older}
      {bubbles}
    </section>
  )
}
