import type { Query, QueryClient } from '@tanstack/react-query'
import { createParser } from 'eventsource-parser'
import type { Session } from '../features/accounts/web/session.ts'
import { lastWriteAt, tabId } from '../shared/client.ts'
import { passProgress } from '../shared/progress.ts'
import { type Change, type Live, repeatedMs } from '../shared/topics.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { live?: Live }
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

const changeOf = (data: Record<string, unknown>): Change | null =>
  typeof data.topic === 'string'
    ? {
        topic: data.topic,
        ids: texts(data.ids),
        days: texts(data.days),
        crewIds: texts(data.crewIds),
        by: typeof data.by === 'string' ? data.by : null,
      }
    : null

/** Takes the `change`, `progress` and `missed` events out of a stream, in pieces as they come. */
export const changeReader = (
  onChange: (change: Change) => void,
  onUpdate: (update: Record<string, unknown>) => void = () => undefined,
  onMissed: () => void = () => undefined,
): ((piece: string) => void) => {
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'missed') return onMissed()
      if (event !== 'change' && event !== 'progress') return
      try {
        const read = JSON.parse(data) as Record<string, unknown>
        if (event === 'progress') return onUpdate(read)
        const change = changeOf(read)
        if (change) onChange(change)
      } catch {
        // one unreadable event costs nothing: the next one of its topic brings the same news
      }
    },
  })
  return (piece) => parser.feed(piece)
}

/** Many changes in a moment are one reload of what is on the screen. */
export const gather = (run: (changes: readonly Change[]) => void, waitMs = 120) => {
  let changes: Change[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    add: (change: Change): void => {
      changes.push(change)
      timer ??= setTimeout(() => {
        const ready = changes
        changes = []
        timer = undefined
        run(ready)
      }, waitMs)
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** This tab asked for the change, and its answer or what was fetched after it already shows here. */
const isShown = (query: Query, wroteAt: number): boolean =>
  query.state.dataUpdatedAt >= wroteAt || (query.state.fetchStatus === 'fetching' && query.state.isInvalidated)

/** Whether a change can be seen in a query. Of `[topic, 'one', id]` only its own record can. */
export const concerns = (query: Query, change: Change, tab: string, wroteAt: number): boolean => {
  const [first, kind, id] = query.queryKey
  const live = query.meta?.live
  const topics: readonly unknown[] = live?.topics ?? [first]
  if (!topics.includes(change.topic)) return false
  if (kind === 'one' && first === change.topic && change.ids.length > 0 && !change.ids.includes(String(id)))
    return false
  const own = change.by === tab
  if (own && isShown(query, wroteAt)) return false
  return live?.shows?.(change, query.state.data, own) ?? true
}

const isSeen = (): boolean => typeof document === 'undefined' || document.visibilityState === 'visible'

/** Asks again for what changes can be seen in; queries with `everyMs` once for all that happens in that time. */
export const createRefresher = (client: QueryClient, tab: string, writtenAt: () => number) => {
  const later = new Map<string, ReturnType<typeof setTimeout>>()
  const again = (queries: ReadonlySet<Query>): void => {
    if (queries.size === 0) return
    // Nobody looks at a hidden tab: what is stale is asked for again when it is shown.
    void client.invalidateQueries({
      predicate: (query) => queries.has(query),
      refetchType: isSeen() ? 'active' : 'none',
    })
  }
  return {
    take: (changes: readonly Change[]): void => {
      const now = new Set<Query>()
      const wroteAt = writtenAt()
      for (const query of client.getQueryCache().getAll()) {
        if (later.has(query.queryHash) || !changes.some((change) => concerns(query, change, tab, wroteAt))) continue
        const wait = query.meta?.live?.everyMs
        if (wait === undefined) {
          now.add(query)
          continue
        }
        const heardAt = Date.now()
        // not all screens of a business in the same moment
        const timer = setTimeout(
          () => {
            later.delete(query.queryHash)
            if (query.state.dataUpdatedAt <= heardAt) again(new Set([query]))
          },
          wait * (1 + Math.random() / 5),
        )
        later.set(query.queryHash, timer)
      }
      again(now)
    },
    stop: (): void => {
      for (const timer of later.values()) clearTimeout(timer)
      later.clear()
    },
  }
}

const longestPauseMs = 30_000
/** An answer shows what stood when it was asked for, at most so long before it came. */
const answerMs = 15_000

/** What is on the screen longer than changes are repeated, and for how long the rest is asked for. */
const shownBefore = (client: QueryClient): { tooOld: Set<Query>; sinceMs: number } => {
  const now = Date.now()
  const tooOld = new Set<Query>()
  let oldestMs = 0
  for (const query of client.getQueryCache().findAll({ type: 'active' })) {
    const { dataUpdatedAt } = query.state
    const ageMs = dataUpdatedAt === 0 ? 0 : now - dataUpdatedAt
    if (ageMs > repeatedMs - answerMs) tooOld.add(query)
    else oldestMs = Math.max(oldestMs, ageMs)
  }
  return { tooOld, sinceMs: oldestMs + answerMs }
}

/** Keeps what is on the screen current until the returned function is called. */
export const followChanges = (client: QueryClient, session: Session): (() => void) => {
  const end = new AbortController()
  const refresher = createRefresher(client, tabId(), lastWriteAt)
  const changes = gather(refresher.take)

  let missed = false
  const listen = async (): Promise<'refused' | 'over'> => {
    const token = session.token()
    const { tooOld, sinceMs } = shownBefore(client)
    const again = () => void client.invalidateQueries()
    const response = await fetch(missed ? '/api/events/stream' : `/api/events/stream?sinceMs=${sinceMs}`, {
      headers: {
        accept: 'text/event-stream',
        'x-client-app': session.kind(),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      signal: end.signal,
    })
    if (response.status === 401) return 'refused'
    if (!response.ok || !response.body) return 'over'
    // What happened while nobody listened for long is not repeated: now that somebody does, everything on the screen is asked for again.
    if (missed) again()
    else if (tooOld.size > 0) void client.invalidateQueries({ predicate: (query) => tooOld.has(query) })
    const read = changeReader(changes.add, passProgress, again)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'over'
      read(value)
    }
  }

  const run = async (): Promise<void> => {
    let pauseMs = 1_000
    while (!end.signal.aborted) {
      const startedAt = Date.now()
      const result = await listen().catch(() => 'over' as const)
      if (end.signal.aborted) return
      if (result === 'refused' && !(await session.refresh()) && session.get().phase === 'signedOut') return
      pauseMs = Date.now() - startedAt > 60_000 ? 1_000 : Math.min(pauseMs * 2, longestPauseMs)
      missed ||= result === 'over'
      // not all screens of a server in the same moment
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    }
  }
  void run()
  return () => {
    end.abort()
    changes.stop()
    refresher.stop()
  }
}
