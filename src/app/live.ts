import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '../features/accounts/web/session.ts'
import { passProgress } from '../shared/progress.ts'
import type { Topic } from '../shared/topics.ts'

export type Change = {
  /** Also a newer server's topic, which this page does not know yet. */ topic: Topic | (string & {})
  ids: string[]
}

/** Splits a stream of server-sent events into its `change` and `progress` events; what has no end yet stays for the next piece. */
export const changeReader = (
  onChange: (change: Change) => void,
  onNews: (news: Record<string, unknown>) => void = () => undefined,
) => {
  let rest = ''
  return (piece: string): void => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const event = lines
        .find((line) => line.startsWith('event:'))
        ?.slice(6)
        .trim()
      const data = lines
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n')
      if ((event !== 'change' && event !== 'progress') || data === '') continue
      try {
        if (event === 'progress') {
          onNews(JSON.parse(data) as Record<string, unknown>)
          continue
        }
        const { topic, ids } = JSON.parse(data) as Partial<Change>
        if (typeof topic === 'string') onChange({ topic, ids: Array.isArray(ids) ? ids : [] })
      } catch {
        // one unreadable event costs nothing: the next one of its topic brings the same news
      }
    }
  }
}

/** Many changes in a moment are one reload of what is on the screen. */
export const gather = (run: (topics: ReadonlySet<string>) => void, waitMs = 120) => {
  let topics = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    add: (topic: string): void => {
      topics.add(topic)
      timer ??= setTimeout(() => {
        const ready = topics
        topics = new Set()
        timer = undefined
        run(ready)
      }, waitMs)
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** The sidebar's numbers follow everything that can wait for somebody. */
const alsoCounts = new Set(['invoices', 'messages', 'customers', 'notifications', 'visits'])

const longestPauseMs = 30_000

/** Keeps what is on the screen current until the returned function is called. */
export const followChanges = (client: QueryClient, session: Session): (() => void) => {
  const end = new AbortController()
  const changes = gather((topics) => {
    for (const topic of topics) void client.invalidateQueries({ queryKey: [topic] })
    if ([...topics].some((topic) => alsoCounts.has(topic))) void client.invalidateQueries({ queryKey: ['nav-counts'] })
  })

  const listen = async (): Promise<'refused' | 'over'> => {
    const token = session.token()
    const response = await fetch('/api/events/stream', {
      headers: {
        accept: 'text/event-stream',
        'x-client-app': session.kind(),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      signal: end.signal,
    })
    if (response.status === 401) return 'refused'
    if (!response.ok || !response.body) return 'over'
    const read = changeReader(({ topic }) => changes.add(topic), passProgress)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'over'
      read(value)
    }
  }

  const run = async (): Promise<void> => {
    let pauseMs = 1_000
    let opened = false
    while (!end.signal.aborted) {
      // What happened while nobody listened is not repeated: everything on the screen is asked for again.
      if (opened) void client.invalidateQueries()
      const startedAt = Date.now()
      const result = await listen().catch(() => 'over' as const)
      if (end.signal.aborted) return
      if (result === 'refused' && !(await session.refresh()) && session.get().phase === 'signedOut') return
      pauseMs = Date.now() - startedAt > 60_000 ? 1_000 : Math.min(pauseMs * 2, longestPauseMs)
      opened = Date.now() - startedAt > 2_000
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  void run()
  return () => {
    end.abort()
    changes.stop()
  }
}
