import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { accountsApi } from '../features/accounts/contract.ts'
import { tourApi } from '../features/tour/contract.ts'
import { addDemoTx } from '../features/tour/server/commands.ts'
import { findTourBusiness, listDemos } from '../features/tour/server/queries.ts'
import { config } from '../platform/config.ts'
import { database, databaseUrl } from '../platform/db/database.ts'
import { type BusinessId, withTenant } from '../platform/db/tenant.ts'
import { tourHours } from '../shared/tour.ts'
import { apiWith, renewTestServer, runTasks, stranger } from './api.ts'
import { aBusiness } from './factories.ts'

const maker = join(import.meta.dirname, '../main-tour.ts')

const renew = async (dataDir = config.dataDir): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [maker], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl(),
      PUBLIC_URL: 'https://swath.example.com',
      SWATH_DATA_DIR: dataDir,
      NODE_OPTIONS: '',
    },
  })
  return stdout
}

/** As if the demo had been ready some hours ago. */
const shownSince = (businessId: BusinessId, hours: number) => {
  const then = new Date(Date.now() - hours * 3_600_000).toISOString()
  return database()
    .updateTable('tourDemos')
    .set({ begunAt: then, readyAt: then })
    .where('businessId', '=', businessId)
    .execute()
}

const inside = <T>(id: BusinessId, work: Parameters<typeof withTenant<T>>[1]) => withTenant({ businessId: id }, work)

test('the demo of the tour is made beside a running server, without anybody who could sign in, once whoever asks at once, and takes the place of an older one', async () => {
  await renewTestServer()
  expect((await stranger.call(tourApi.start, {})).status).toBe(404)
  // asked for twice at once, one is made
  const answers = (await Promise.all([renew(), renew()])).sort()
  expect(answers).toEqual([expect.stringContaining('of this hour already'), expect.stringContaining('0 older ones go')])
  const first = (await findTourBusiness()) as BusinessId
  expect(await listDemos()).toEqual([first])
  const { token } = await stranger.ok(tourApi.start, {})
  const view = await apiWith(token, 'Admin').ok(tourApi.view, {})
  expect(view).toMatchObject({ businessName: 'Palmetto & Pine Lawn Care' })
  expect(view.invoiceId).not.toBeNull()
  expect((await apiWith(token, 'Employee').ok(tourApi.view, {})).user.role).toBe('Employee')

  const people = await inside(first, (db) =>
    db.selectFrom('users').select(['email', 'passwordHash']).where('businessId', '=', first).execute(),
  )
  expect(people.length).toBeGreaterThan(5)
  expect(people.filter(({ email, passwordHash }) => email !== null || passwordHash !== null)).toEqual([])
  const body = { email: 'owner@demo.swath.test', password: 'demo-swath-2026' }
  expect((await stranger.call(accountsApi.login, { body })).status).toBe(401)
  const waiting = await inside(first, (db) =>
    db
      .selectFrom('messages')
      .select('id')
      .where('businessId', '=', first)
      .where('status', 'in', ['pending', 'held', 'sending'])
      .execute(),
  )
  expect(waiting).toEqual([])

  expect(await renew()).toContain('of this hour already; 0 older ones go')
  expect(await findTourBusiness()).toBe(first)
  // It was shown for an hour longer than a tour lasts, until just now: who began a moment ago has a whole tour before them.
  await shownSince(first, tourHours + 1)
  expect(await renew()).toContain('0 older ones go')
  const second = (await findTourBusiness()) as BusinessId
  expect(second).not.toBe(first)
  expect((await apiWith(token, 'Admin').call(tourApi.view, {})).status).toBe(200)

  await shownSince(first, 2 * tourHours)
  await shownSince(second, tourHours)
  // another process makes the next one at this moment, so that this one need not
  const next = await aBusiness()
  await next.db((db) => addDemoTx(db, false))
  expect(await renew()).toContain('of this hour already; 1 older one goes')
  expect(await findTourBusiness()).toBe(second)
  expect((await apiWith(token, 'Admin').call(tourApi.view, {})).status).toBe(401)
  await runTasks()
  const left = await inside(first, (db) =>
    db.selectFrom('businesses').select('name').where('businessId', '=', first).execute(),
  )
  expect(left).toEqual([])
}, 600_000)

test('where photos cannot be kept no half demo is left over, and the next try begins with none of it', async () => {
  await renewTestServer()
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-tour-'))
  writeFileSync(join(dataDir, 'files'), 'no folder')
  try {
    await expect(renew(dataDir)).rejects.toThrow('ENOTDIR')
    expect([await listDemos(), await findTourBusiness()]).toEqual([[], null])
    await runTasks()
    expect(await database().selectFrom('slugs').select('slug').where('slug', 'like', 'palmetto%').execute()).toEqual([])
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}, 600_000)
