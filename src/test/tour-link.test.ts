import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicPages } from '../app-server.ts'
import { addDemoTx } from '../features/tour/server/commands.ts'
import { lookForTour } from '../features/tour/server/queries.ts'
import { clock, resetClock, setClock } from '../platform/clock.ts'
import { database } from '../platform/db/database.ts'
import { webPlugin } from '../platform/http/web.ts'
import { renewTestServer } from './api.ts'
import { aBusiness } from './factories.ts'

/** The way into the tour on the pages of the public site, as demos come and go while the server runs. */

let app: FastifyInstance
let folder: string

beforeAll(async () => {
  await renewTestServer()
  folder = mkdtempSync(join(tmpdir(), 'swath-link-'))
  mkdirSync(join(folder, 'public'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'public/home.html'), '<h1>Swath</h1><p data-tour="" class="x"><a>Take the tour</a></p>')
  app = fastify()
  await app.register(webPlugin, { folder, ...publicPages })
})
afterAll(async () => {
  resetClock()
  await app.close()
  rmSync(folder, { recursive: true })
})

const home = () => app.inject({ url: '/' })
const isLinked = async (): Promise<boolean> => (await home()).body.includes('Take the tour')
const later = () => {
  const now = clock.nowMs() + 31_000
  setClock(() => new Date(now))
}

test('the link comes with a demo and goes with it, and nobody waits for the question', async () => {
  await lookForTour()
  expect(await isLinked()).toBe(false)
  const before = (await home()).headers.etag
  const business = await aBusiness()
  await business.db(async (db) => {
    await db.updateTable('businesses').set({ demo: true }).where('businessId', '=', business.id).execute()
    await addDemoTx(db, true)
  })
  expect(await isLinked()).toBe(false)
  later()
  // The old answer is served at once, to many alike, while one question for all of them is under way.
  const many = await Promise.all([isLinked(), isLinked(), isLinked()])
  expect(many).toEqual([false, false, false])
  expect(lookForTour()).toBe(lookForTour())
  await expect.poll(isLinked).toBe(true)
  expect((await home()).headers.etag).not.toBe(before)

  await database().deleteFrom('tourDemos').execute()
  later()
  expect(await isLinked()).toBe(true)
  await expect.poll(isLinked).toBe(false)
})

test('two pages that are filled at once with different answers do not mix them up', () => {
  const text = '<p data-tour=""><a>Take the tour</a></p>'
  expect([publicPages.fillPage?.(text, 'tour'), publicPages.fillPage?.(text, '')]).toEqual([text, ''])
})
