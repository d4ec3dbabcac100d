import { describe, expect, test, vi } from 'vitest'
import { type Change, changeReader, gather } from './live.ts'

const readAll = (...pieces: string[]): Change[] => {
  const seen: Change[] = []
  const read = changeReader((change) => seen.push(change))
  for (const piece of pieces) read(piece)
  return seen
}

describe('changeReader', () => {
  test.each([
    ['one event', ['event: change\ndata: {"topic":"visits","ids":["a"]}\n\n'], [{ topic: 'visits', ids: ['a'] }]],
    [
      'cut anywhere',
      ['event: cha', 'nge\ndata: {"topic":"vis', 'its","ids":[]}\n', '\n'],
      [{ topic: 'visits', ids: [] }],
    ],
    [
      'with line ends of another kind',
      ['event: change\r\ndata: {"topic":"jobs","ids":[]}\r\n\r\n'],
      [{ topic: 'jobs', ids: [] }],
    ],
    [
      'heartbeats and other events',
      [': still here\n\nevent: hello\ndata: {}\n\nevent: change\ndata: {"topic":"jobs"}\n\n'],
      [{ topic: 'jobs', ids: [] }],
    ],
    [
      'an unreadable one between',
      ['event: change\ndata: {oops\n\nevent: change\ndata: {"topic":"jobs","ids":[]}\n\n'],
      [{ topic: 'jobs', ids: [] }],
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
  expect(changes).toEqual([{ topic: 'routes', ids: [] }])
})

test('many changes in a moment are one run', () => {
  vi.useFakeTimers()
  const run = vi.fn()
  const changes = gather(run)
  for (const topic of ['visits', 'visits', 'routes']) changes.add(topic)
  vi.advanceTimersByTime(200)
  expect(run.mock.calls).toEqual([[new Set(['visits', 'routes'])]])
  changes.add('jobs')
  changes.stop()
  vi.advanceTimersByTime(200)
  expect(run).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})
