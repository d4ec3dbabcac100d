import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from '../features/accounts/web/session.ts'
import type { Change, Live } from '../shared/topics.ts'
import { changeReader, createRefresher, followChanges, gather } from './live.ts'

const aChange = (topic: string, more: Partial<Change> = {}): Change => ({
  topic,
  ids: [],
  days: [],
  crewIds: [],
  by: null,
  ...more,
})

const readAll = (...pieces: string[]): Change[] => {
  const seen: Change[] = []
  const read = changeReader((change) => seen.push(change))
  for (const piece of pieces) read(piece)
  return seen
}

describe('changeReader', () => {
  test.each([
    [
      'one event with all its parts',
      ['event: change\ndata: {"topic":"visits","ids":["a"],"days":["d"],"crewIds":["c"],"by":"t"}\n\n'],
      [{ topic: 'visits', ids: ['a'], days: ['d'], crewIds: ['c'], by: 't' }],
    ],
    ['cut anywhere', ['event: cha', 'nge\ndata: {"topic":"vis', 'its","ids":[]}\n', '\n'], [aChange('visits')]],
    ['with line ends of another kind', ['event: change\r\ndata: {"topic":"jobs","ids":[]}\r\n\r\n'], [aChange('jobs')]],
    [
      'heartbeats and other events',
      [': still here\n\nevent: hello\ndata: {}\n\nevent: change\ndata: {"topic":"jobs"}\n\n'],
      [aChange('jobs')],
    ],
    [
      'an unreadable one between',
      ['event: change\ndata: {oops\n\nevent: change\ndata: {"topic":"jobs","ids":7}\n\n'],
      [aChange('jobs')],
    ],
    ['one without its end', ['event: change\ndata: {"topic":"jobs","ids":[]}\n'], []],
  ])('%s', (_, pieces, changes) => {
    expect(readAll(...pieces)).toEqual(changes)
  })
})

test('progress goes its own way', () => {
  const news: unknown[] = []
  const changes: Change[] = []
  const read = changeReader(
    (change) => changes.push(change),
    (one) => news.push(one),
  )
  read('event: progress\ndata: {"runId":"a","share":0.5}\n\nevent: progress\ndata: {oops\n\n')
  read('event: change\ndata: {"topic":"routes","ids":[]}\n\n')
  expect(news).toEqual([{ runId: 'a', share: 0.5 }])
  expect(changes).toEqual([aChange('routes')])
})

test('many changes in a moment are one run', () => {
  vi.useFakeTimers()
  const run = vi.fn()
  const changes = gather(run)
  for (const topic of ['visits', 'visits', 'routes']) changes.add(aChange(topic))
  vi.advanceTimersByTime(200)
  expect(run.mock.calls).toEqual([[[aChange('visits'), aChange('visits'), aChange('routes')]]])
  changes.add(aChange('jobs'))
  changes.stop()
  vi.advanceTimersByTime(200)
  expect(run).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})

describe('what is asked for again', () => {
  let client: QueryClient
  let asked: string[]
  let wroteAt = 0
  const stops: (() => void)[] = []

  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 })
    client = new QueryClient()
    asked = []
    wroteAt = 0
  })
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
    client.clear()
    vi.useRealTimers()
  })

  /** Queries that are on the screen, with what they hold; their first answers do not count. */
  const onScreen = async (...queries: { key: unknown[]; data?: unknown; live?: Live }[]) => {
    for (const { key, data = {}, live } of queries) {
      const observer = new QueryObserver(client, {
        queryKey: key,
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: () => {
          asked.push(key.join(' '))
          return data
        },
        ...(live ? { meta: { live } } : {}),
      })
      stops.push(observer.subscribe(() => undefined))
    }
    await vi.advanceTimersByTimeAsync(10)
    asked = []
    const refresher = createRefresher(client, 'this-tab', () => wroteAt)
    stops.push(refresher.stop)
    return refresher
  }

  test('what follows the topic of its key, and of single records only those named', async () => {
    const { take } = await onScreen(
      { key: ['jobs', 'list'] },
      { key: ['jobs', 'one', 'a'] },
      { key: ['jobs', 'one', 'b'] },
      { key: ['customers', 'list'] },
    )
    take([aChange('jobs', { ids: ['a'] })])
    await vi.advanceTimersByTimeAsync(10)
    expect(asked.sort()).toEqual(['jobs list', 'jobs one a'])
    asked = []
    take([aChange('jobs')])
    await vi.advanceTimersByTimeAsync(10)
    expect(asked.sort()).toEqual(['jobs list', 'jobs one a', 'jobs one b'])
  })

  test('a slow one once for all that happens meanwhile', async () => {
    const { take } = await onScreen({ key: ['dashboard'], live: { topics: ['visits', 'invoices'], everyMs: 5_000 } })
    for (let tap = 0; tap < 8; tap++) {
      take([aChange(tap % 2 ? 'visits' : 'invoices')])
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(2_500)
    expect(asked).toEqual(['dashboard'])
    take([aChange('visits')])
    await vi.advanceTimersByTimeAsync(6_100)
    expect(asked).toEqual(['dashboard', 'dashboard'])
  })

  test('only what shows it', async () => {
    const { take } = await onScreen({
      key: ['routes', 'day'],
      data: { day: '2026-06-01' },
      live: { topics: ['visits'], shows: ({ days }, data) => days.includes((data as { day: string }).day) },
    })
    take([aChange('visits', { days: ['2026-06-02'] })])
    await vi.advanceTimersByTimeAsync(10)
    expect(asked).toEqual([])
    take([aChange('visits', { days: ['2026-06-01'] })])
    await vi.advanceTimersByTimeAsync(10)
    expect(asked).toEqual(['routes day'])
  })

  test('the echo of an own change moves only what its answer did not', async () => {
    const { take } = await onScreen({ key: ['invoices', 'one', 'a'] }, { key: ['invoices', 'list'] })
    await vi.advanceTimersByTimeAsync(1_000)
    wroteAt = Date.now()
    client.setQueryData(['invoices', 'one', 'a'], { id: 'a' })
    take([aChange('invoices', { ids: ['a'], by: 'this-tab' })])
    await vi.advanceTimersByTimeAsync(10)
    expect(asked).toEqual(['invoices list'])
    asked = []
    take([aChange('invoices', { ids: ['a'], by: 'another-tab' })])
    await vi.advanceTimersByTimeAsync(10)
    expect(asked.sort()).toEqual(['invoices list', 'invoices one a'])
  })
})

test('a screen whose stream ended asks for everything again, once it listens again', async () => {
  vi.useFakeTimers()
  const streams: ReadableStreamDefaultController[] = []
  let isAway = true
  vi.stubGlobal('fetch', async () => {
    if (isAway) throw new TypeError('fetch failed')
    return new Response(new ReadableStream({ start: (stream) => void streams.push(stream) }))
  })
  const client = new QueryClient()
  const asked = vi.spyOn(client, 'invalidateQueries')
  const stop = followChanges(client, { token: () => null, kind: () => 'admin' } as unknown as Session)
  try {
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).not.toHaveBeenCalled()
    isAway = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect([streams.length, asked.mock.calls.length]).toEqual([1, 1])
    isAway = true
    streams[0]?.close()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toHaveBeenCalledTimes(1)
    isAway = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect([streams.length, asked.mock.calls.length]).toEqual([2, 2])
  } finally {
    stop()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

test('a first stream asks for what was said since the screen was asked for, and what is older is asked for again', async () => {
  vi.useFakeTimers()
  const streams: ReadableStreamDefaultController[] = []
  const urls: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url)
    return new Response(new ReadableStream({ start: (stream) => void streams.push(stream) }))
  })
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  let asked: string[] = []
  const show = (name: string) =>
    new QueryObserver(client, { queryKey: [name], queryFn: async () => asked.push(name) }).subscribe(() => undefined)
  const leave = [show('old')]
  await vi.advanceTimersByTimeAsync(20_000)
  leave.push(show('new'))
  await vi.advanceTimersByTimeAsync(2_000)
  asked = []
  const stop = followChanges(client, { token: () => null, kind: () => 'admin' } as unknown as Session)
  try {
    await vi.advanceTimersByTimeAsync(100)
    expect(urls).toEqual(['/api/events/stream?sinceMs=17000'])
    expect(asked).toEqual(['old'])
    streams[0]?.enqueue(new TextEncoder().encode('event: missed\ndata: {}\n\n'))
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual(['old', 'old', 'new'])
  } finally {
    stop()
    for (const end of leave) end()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})
