import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useLayoutEffect, useRef } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { ThreadItem } from '../conversations/contract.ts'
import { conversationQuery, threadQuery } from '../conversations/web/data.ts'
import { NoteBubble } from '../conversations/web/NoteBubble.tsx'
import { Bubble } from './Bubble.tsx'
import { addressThreadQuery, useRead, withOf } from './data.ts'
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

type Props = { who: string; name: string; newestFirst?: boolean }

/** A conversation, oldest first, as on a phone; or newest first where it stands under its own form. */
export const Thread = (props: Props) => {
  const of = withOf(props.who)
  return 'customerId' in of ? (
    <CustomerThread {...props} customerId={of.customerId} />
  ) : of.address.includes('@') ? (
    <AddressThread {...props} address={of.address} />
  ) : (
    <NumberThread {...props} address={of.address} />
  )
}

const CustomerThread = ({ customerId, ...props }: Props & { customerId: string }) => {
  const list = useInfiniteQuery(threadQuery(customerId))
  const talk = useQuery(conversationQuery(customerId))
  return (
    <Items
      {...props}
      list={list}
      loaded={list.data?.pages.flatMap((page) => page.items)}
      unanswered={talk.data?.unanswered ?? false}
    />
  )
}

const NumberThread = ({ address, ...props }: Props & { address: string }) => {
  const list = useInfiniteQuery(threadQuery(address))
  return <Items {...props} list={list} loaded={list.data?.pages.flatMap((page) => page.items)} />
}

const AddressThread = ({ address, ...props }: Props & { address: string }) => {
  const list = useInfiniteQuery(addressThreadQuery(address))
  return (
    <Items
      {...props}
      list={list}
      loaded={list.data?.pages.flatMap((page) => page.items.map((message) => ({ kind: 'message' as const, message })))}
    />
  )
}

/** Pixels above a message that is brought into view. */
const beside = 12

/** Brings the end of a thread into view, or what they asked where that would be above it. @returns where the thread stands now, in pixels */
const toEnd = (element: HTMLElement): number => {
  element.scrollTop = element.scrollHeight
  const asked = element.querySelector<HTMLElement>('[data-asked]')
  if (asked) {
    const above = element.getBoundingClientRect().top - asked.getBoundingClientRect().top
    if (above > -beside) element.scrollTop -= above + beside
  }
  return element.scrollTop
}

const idOf = (item: ThreadItem): string => (item.kind === 'note' ? item.note.id : item.message.id)
const madeAt = (item: ThreadItem): string => (item.kind === 'note' ? item.note.createdAt : item.message.createdAt)

type Pages = {
  isError: boolean
  error: Error | null
  isFetching: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  refetch: () => unknown
  fetchNextPage: () => unknown
}

const Items = ({
  who,
  name,
  newestFirst = false,
  list,
  loaded,
  unanswered = false,
}: Props & {
  list: Pages
  loaded: ThreadItem[] | undefined
  /** Their newest message waits for an answer: what left by itself since does not push it out of sight. */
  unanswered?: boolean
}) => {
  const { timeZone } = useUser().business
  const scroller = useRef<HTMLElement>(null)
  const heard = loaded?.find((item) => item.kind === 'message' && item.message.direction === 'inbound')
  useMarkRead(who, heard && idOf(heard))
  const lastId = loaded?.[0] && idOf(loaded[0])
  const heardId = unanswered && heard ? idOf(heard) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message brings the end into view
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || newestFirst) return
    let leftAt = toEnd(element)
    // answers to choose from come later and take room from the thread, photos come later and stretch it: it stays at what is new until somebody
    // scrolls away from there
    const watcher = new ResizeObserver(() => {
      if (Math.abs(element.scrollTop - leftAt) < beside) leftAt = toEnd(element)
    })
    watcher.observe(element)
    for (const part of element.children) watcher.observe(part)
    return () => watcher.disconnect()
  }, [lastId, heardId, who, newestFirst])
  if (list.isError && !loaded)
    return (
      <ErrorState
        compact
        error={list.error}
        title="We could not load the conversation"
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    )
  if (!loaded) return <PanelSkeleton />
  if (loaded.length === 0)
    return (
      <EmptyState compact title="Nothing written yet">
        What you and {name} write to each other stands here, with invoices and reminders.
      </EmptyState>
    )
  const items = newestFirst ? loaded : loaded.toReversed()
  const older = list.hasNextPage ? (
    <div className="thread__older">
      <Button size="s" kind="quiet" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Older messages
      </Button>
    </div>
  ) : null
  const days = items.map((item) => dayOf(madeAt(item), timeZone))
  const bubbles = (
    <ol>
      {items.map((item, at) => (
        <Fragment key={idOf(item)}>
          {!newestFirst && days[at] !== days[at - 1] ? (
            <li className="thread__day">{formatDay(days[at] ?? '')}</li>
          ) : null}
          {item.kind === 'note' ? (
            <NoteBubble note={item.note} timeZone={timeZone} />
          ) : (
            <Bubble message={item.message} timeZone={timeZone} asked={item.message.id === heardId} />
          )}
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
