import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { buildServer } from '../../app-server.ts'
import { watchRights } from '../../features/system/server/queries.ts'
import { aBusiness } from '../../test/factories.ts'
import { touch } from './events.ts'
import { openStream, openStreams } from './stream.ts'

test('an open screen hears what changed in its business, after the commit, and nothing of another', async () => {
  const [mine, other] = [await aBusiness(), await aBusiness()]
  const app = await buildServer()
  await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/api/events/stream`, {
      headers: { authorization: `Bearer ${mine.api.token}`, 'x-client-app': 'admin' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await other.db((db) => touch(db, 'customers', ['theirs']))
    await mine
      .db(async (db) => {
        await touch(db, 'customers', ['undone'])
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await mine.db((db) => touch(db, 'visits', ['mine']))
    let heard = ''
    while (!heard.includes('event: change')) heard += (await reader?.read())?.value ?? ''
    expect(heard).toContain('data: {"topic":"visits","ids":["mine"]}')
    expect(heard).not.toContain('theirs')
    expect(heard).not.toContain('undone')
  } finally {
    // also proves that a server with an open stream can be closed
    await app.close()
  }
})

const streaming = async (pulseEveryMs: number, mayListen: () => Promise<boolean>) => {
  const app: FastifyInstance = fastify()
  let asked = 0
  app.get('/', async (_request, reply) => {
    const open = openStream('somebody', { hears: { progress: false, money: false }, mayListen, pulseEveryMs }, reply)
    asked += 1
    await open
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { url, asked: () => asked }
}

test('a screen that leaves is forgotten, however early it leaves', async () => {
  const { url, asked } = await streaming(5, async () => true)
  const before = openStreams()
  for (let n = 0; n < 20; n++) {
    const leaving = new AbortController()
    const request = fetch(url, { signal: leaving.signal })
    if (n % 2 === 0) await request
    else await expect.poll(asked, { interval: 1 }).toBeGreaterThan(n)
    leaving.abort()
    await request.catch(() => undefined)
  }
  await expect.poll(openStreams).toBe(before)
})

test('a stream ends when its person may not listen any more', async () => {
  const mine = await aBusiness()
  const person = await mine.admin()
  const stillMay = await watchRights({ ...person, kind: 'user', permissions: [] } as never)
  expect(await stillMay()).toBe(true)
  const { url } = await streaming(5, stillMay)
  const reader = (await fetch(url)).body?.getReader()
  await mine.db((db) =>
    db
      .updateTable('sessions')
      .set({ revokedAt: new Date().toISOString() })
      .where('businessId', '=', mine.id)
      .where('id', '=', person.sessionId)
      .execute(),
  )
  // ends by itself; otherwise this reads for ever
  while (!(await reader?.read())?.done);
  expect(await stillMay()).toBe(false)
})
