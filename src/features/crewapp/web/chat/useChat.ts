import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { call } from '../../../../shared/client.ts'
import { useOnlyLooks } from '../../../accounts/web/session.ts'
import { type ChatThread, chatApi } from '../../../chat/contract.ts'
import { keptOnPhone } from '../../../chat/rules.ts'
import { linesOf, mergeMessages, unreadOf } from '../../chat/rules.ts'
import type { Crew } from '../data.ts'
import { persistStorage, photosOf } from '../photo.ts'
import { chatOf } from './kept.ts'
import { noteRead, useChatSync } from './sync.ts'

/** The conversations on this phone. */
export const useChat = (crew: Crew) => {
  const chat = chatOf(crew.outbox.userId)
  const state = useSyncExternalStore(chat.subscribe, chat.get)
  const sync = useChatSync()
  return {
    chat,
    state,
    failed: sync.isError,
    error: state.threads.length === 0 ? sync.error : null,
    retry: () => void sync.refetch(),
  }
}

/** What is older than the phone keeps, page by page, from the first look back on. */
const useOlder = (threadId: string) => {
  const [wanted, setWanted] = useState(false)
  const pages = useInfiniteQuery({
    queryKey: ['chat', 'older', threadId],
    queryFn: ({ pageParam, signal }) =>
      call(
        chatApi.messages,
        { params: { threadId }, query: { limit: keptOnPhone, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal, retries: 0 },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: wanted,
    // what was said long ago stays as it was
    staleTime: Infinity,
    gcTime: 0,
    meta: { live: { topics: [] } },
  })
  const more = () => {
    if (!wanted) setWanted(true)
    else if (pages.data === undefined) void pages.refetch()
    else void pages.fetchNextPage()
  }
  // The first page is what the phone has: whoever looks back wants the one before it.
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const onlyFirst = data?.pages.length === 1 && hasNextPage && !isFetchingNextPage
  useEffect(() => {
    if (onlyFirst) void fetchNextPage()
  }, [onlyFirst, fetchNextPage])
  return {
    messages: data?.pages.flatMap(({ items }) => items),
    hasMore: data === undefined || hasNextPage,
    loading: wanted && (pages.isFetching || isFetchingNextPage),
    failed: pages.isError,
    more,
  }
}

/** One conversation: its lines, oldest first, and what can be done in it. */
export const useThread = (crew: Crew, thread: ChatThread) => {
  const { chat, state } = useChat(crew)
  const { outbox, bundle } = crew
  const onlyLooks = useOnlyLooks()
  const kept = state.messages[thread.id]
  const older = useOlder(thread.id)
  const queue = crew.state
  const lines = useMemo(() => {
    const stops = bundle?.days.flatMap(({ day, stops: of }) => of.map((stop) => ({ ...stop, day }))) ?? []
    return linesOf(thread.id, mergeMessages(older.messages ?? [], kept ?? []), queue.commands, {
      userId: outbox.userId,
      sending: queue.sendingTaps,
      visitOf: (id) => stops.find((stop) => stop.id === id) ?? null,
    })
  }, [thread.id, older.messages, kept, queue.commands, queue.sendingTaps, bundle, outbox.userId])
  const unread = unreadOf(state, thread)
  const { lastNumber } = thread
  useEffect(() => {
    if (unread === 0 || onlyLooks || kept === undefined) return
    const mark = () => {
      if (document.visibilityState === 'visible') void noteRead(chat, thread.id, lastNumber)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [chat, thread.id, unread, lastNumber, onlyLooks, kept])
  return {
    lines,
    isLoaded: kept !== undefined || thread.lastNumber === 0,
    older: { ...older, hasMore: older.hasMore && (kept?.length ?? 0) >= keptOnPhone },
    /** Words and photos are written down together or not at all. @throws when the phone cannot keep them */
    say: async (text: string, files: readonly File[], aboutVisitId: string | null, label: string): Promise<void> => {
      persistStorage()
      const photos = await photosOf(files)
      const command = {
        type: 'chat',
        payload: {
          threadId: thread.id,
          text,
          ...(aboutVisitId ? { aboutVisitId } : {}),
          ...(photos.length > 0 ? { photoIds: photos.map(({ id }) => id) } : {}),
        },
        label,
      } as const
      await outbox.enqueue(
        command,
        photos.map((photo) => ({ ...photo, kind: 'chat' })),
      )
    },
  }
}

export type OpenThread = ReturnType<typeof useThread>
