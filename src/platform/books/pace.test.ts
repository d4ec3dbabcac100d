import { expect, it } from 'vitest'
import { booksClient } from './client.ts'
import { gapMs, pacer } from './pace.ts'
import type { BooksPeer } from './peer.ts'

/** When requests leave that are all asked for at the given instants. */
const leaving = (askedAt: readonly number[], realm = 'a', waitOf = pacer(gapMs)) =>
  askedAt.map((at) => at + waitOf(realm, at))

const mostWithin = (times: readonly number[], ms: number): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))

it('no second holds more than 10 requests of a company and no minute more than 500, however many are asked for at once', () => {
  const times = leaving(Array.from({ length: 1200 }, (_, at) => (at < 600 ? 0 : 90_000)))
  expect(mostWithin(times, 1000)).toBeLessThanOrEqual(10)
  expect(mostWithin(times, 60_000)).toBeLessThanOrEqual(500)
})

it('who asks now and then does not wait, and one company does not wait for another', () => {
  const waitOf = pacer(gapMs)
  expect(leaving([0, 500, 1000], 'a', waitOf)).toEqual([0, 500, 1000])
  expect(leaving([1000, 1000], 'b', waitOf)).toEqual([1000, 1000 + gapMs])
  expect(waitOf('a', 1000 + gapMs)).toBe(0)
})

it('the client waits for its turn, also where several ask at once', async () => {
  const left: number[] = []
  const peer = {
    apiUrl: 'http://books.test',
    isPaced: true,
    fetch: async () => {
      left.push(performance.now())
      return Response.json({ Invoice: { Id: '1', SyncToken: '0' } })
    },
  } as unknown as BooksPeer
  const [one, other] = [booksClient(peer, 'paced', 'token'), booksClient(peer, 'paced', 'token')]
  await Promise.all([one.read('Invoice', '1'), other.read('Invoice', '1'), one.read('Invoice', '1')])
  // a timer of this computer may wake a moment early
  expect((left[2] ?? 0) - (left[0] ?? 0)).toBeGreaterThan(gapMs * 2 - 10)
})
