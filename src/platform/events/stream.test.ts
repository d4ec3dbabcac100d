import { type FastifyInstance, fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { watchRights } from '../../features/system/server/queries.ts'
import { aBusiness } from '../../test/factories.ts'
import { arePeopleWaiting, beginAnswering, inBackground } from '../quiet-moment.ts'
import { openStream, openStreams } from './stream.ts'

const streaming = async (pulseEveryMs: number, mayListen: () => Promise<boolean>) => {
  const app: FastifyInstance = fastify()
  let asked = 0
  app.get('/', async (_request, reply) => {
    const open = openStream(
      'somebody',
      { subscription: { progress: false, money: false }, mayListen, pulseEveryMs },
      reply,
    )
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

test('nobody waits for the end of a stream: background work goes on beside it', async () => {
  const app: FastifyInstance = fastify()
  app.addHook('onRequest', async (_request, reply) => void beginAnswering(reply.raw))
  app.get('/', (_request, reply) =>
    openStream('somebody', { subscription: { progress: false, money: false }, mayListen: async () => true }, reply),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const leaving = new AbortController()
  await fetch(url, { signal: leaving.signal })
  expect(await inBackground(async () => arePeopleWaiting())).toBe(false)
  leaving.abort()
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
