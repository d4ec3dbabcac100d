import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildServer } from '../../app-server.ts'
import { startWork } from '../../app-tasks.ts'
import type { Change } from '../../shared/topics.ts'
import { useDatabase } from '../../test/database.ts'
import { aBusiness } from '../../test/factories.ts'
import { closeDatabase, connectDatabase, ownerPool } from '../db/database.ts'
import { flushChanges, publishChange } from './changes.ts'
import { runAsTab } from './origin.ts'

type Business = Awaited<ReturnType<typeof aBusiness>>

let server: Awaited<ReturnType<typeof buildServer>>
let address = ''
beforeAll(async () => {
  // the first business opens the database, which the server listens to
  await aBusiness()
  server = await buildServer()
  await server.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
// also proves that a server with open streams can be closed
afterAll(() => server.close())

/** What an open screen hears until a change of `topic` arrives. */
const hear = async (business: Business, query = '') => {
  const response = await fetch(`${address}/api/events/stream${query}`, {
    headers: { authorization: `Bearer ${business.api.token}`, 'x-client-app': 'admin' },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  return async (topic: string): Promise<Change[]> => {
    for (;;) {
      const changes = [...heard.matchAll(/event: change\ndata: (.*)\n\n/g)].map((m) => JSON.parse(m[1]!) as Change)
      if (changes.some((change) => change.topic === topic)) return changes
      const { done, value } = await reader.read()
      if (done) throw new Error(`The stream ended; heard: ${heard}`)
      heard += value
    }
  }
}

test('a screen hears what was said between its first answers and its stream, and nothing of another business', async () => {
  const [mine, other] = [await aBusiness(), await aBusiness()]
  const [early, earlyOther] = [await hear(mine), await hear(other)]
  const askedAt = performance.now()
  await mine.db((db) => publishChange(db, 'visits', ['between']))
  await other.db((db) => publishChange(db, 'visits', ['theirs']))
  await Promise.all([early('visits'), earlyOther('visits')])
  const since = (ms: number) => `?sinceMs=${Math.ceil(performance.now() - askedAt) + ms}`
  const [late, now] = [await hear(mine, since(0)), await hear(mine)]
  await mine.db((db) => publishChange(db, 'business'))
  expect((await late('business')).map(({ topic, ids }) => [topic, ids])).toEqual([
    ['visits', ['between']],
    ['business', []],
  ])
  expect((await now('business')).map(({ topic }) => topic)).toEqual(['business'])
})

test('a screen is told when nobody knows any more what was said since', async () => {
  const business = await aBusiness()
  const response = await fetch(`${address}/api/events/stream?sinceMs=3600000`, {
    headers: { authorization: `Bearer ${business.api.token}`, 'x-client-app': 'admin' },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  while (!heard.includes('event: missed')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream ended; heard: ${heard}`)
    heard += value
  }
  await reader.cancel()
})

test('an open screen hears what changed in its business, after the commit, and nothing of another', async () => {
  const [mine, other] = [await aBusiness(), await aBusiness()]
  const until = await hear(mine)
  await other.db((db) => publishChange(db, 'customers', ['theirs']))
  await mine
    .db(async (db) => {
      await publishChange(db, 'customers', ['undone'])
      throw new Error('rolled back')
    })
    .catch(() => undefined)
  await mine.db((db) => publishChange(db, 'visits', ['mine']))
  expect(await until('visits')).toEqual([{ topic: 'visits', ids: ['mine'], days: [], crewIds: [], by: null }])
})

test('what changes in one moment is one notice per topic, with everything that it names', async () => {
  const business = await aBusiness()
  const until = await hear(business)
  await business.db(async (db) => {
    await publishChange(db, 'visits', ['a'], { days: ['2026-06-01', null], crewIds: ['x'] })
    await publishChange(db, 'visits', ['b'], { days: ['2026-06-02'], crewIds: ['x', undefined] })
    await publishChange(db, 'routes', ['r'])
    await publishChange(db, 'routes')
    await publishChange(db, 'business')
  })
  expect(await until('business')).toEqual([
    { topic: 'visits', ids: ['a', 'b'], days: ['2026-06-01', '2026-06-02'], crewIds: ['x'], by: null },
    { topic: 'routes', ids: [], days: [], crewIds: [], by: null },
    { topic: 'business', ids: [], days: [], crewIds: [], by: null },
  ])
})

test('a screen that heard nothing while the listening connection was away is sent off to ask again, and hears from then on', async () => {
  const business = await aBusiness()
  const until = await hear(business)
  await ownerPool().query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'swath-live' and datname = current_database()",
  )
  // with nobody listening this is lost
  await business.db((db) => publishChange(db, 'visits', ['unheard']))
  await expect(until('visits')).rejects.toThrow('The stream ended')
  const again = await hear(business)
  await business.db((db) => publishChange(db, 'jobs', ['heard']))
  expect((await again('jobs')).map(({ ids }) => ids)).toEqual([['heard']])
})

/** Publishes a change and stops the clock of the moment in which changes are gathered: it never leaves by itself. */
const publishAndHold = async (business: Business, id: string) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    await business.db((db) => publishChange(db, 'visits', [id]))
  } finally {
    vi.useRealTimers()
  }
}

test('what could not be told at once is told when the database lets it', async () => {
  const business = await aBusiness()
  const until = await hear(business)
  await publishAndHold(business, 'late')
  await closeDatabase()
  connectDatabase({ url: 'postgres://nobody@127.0.0.1:1/away' })
  await flushChanges()
  await closeDatabase()
  await useDatabase()
  expect((await until('visits')).map(({ ids }) => ids)).toEqual([['late']])
})

test('a process that ends tells what its last tasks changed', async () => {
  const business = await aBusiness()
  const until = await hear(business)
  const work = await startWork()
  await publishAndHold(business, 'last')
  await work.stop()
  expect((await until('visits')).map(({ ids }) => ids)).toEqual([['last']])
})

test('a tab hears which changes it asked for itself', async () => {
  const business = await aBusiness()
  const until = await hear(business)
  const asTab = (tab: string) =>
    new Promise<void>((done, failed) =>
      runAsTab(tab, () => void business.db((db) => publishChange(db, 'jobs', [tab])).then(done, failed)),
    )
  await asTab('the-first-tab')
  await asTab('no')
  await business.db((db) => publishChange(db, 'business'))
  expect((await until('business')).map(({ ids, by }) => [ids[0], by])).toEqual([
    ['the-first-tab', 'the-first-tab'],
    ['no', null],
    [undefined, null],
  ])
})
