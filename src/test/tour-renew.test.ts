import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { accountsApi } from '../features/accounts/contract.ts'
import { tourApi } from '../features/tour/contract.ts'
import { findTourBusiness } from '../features/tour/server/queries.ts'
import { config } from '../platform/config.ts'
import { databaseUrl } from '../platform/db/database.ts'
import { type BusinessId, withTenant } from '../platform/db/tenant.ts'
import { tourHours } from '../shared/tour.ts'
import { apiWith, renewTestServer, runTasks, stranger } from './api.ts'

const maker = join(import.meta.dirname, '../main-tour.ts')

const renew = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [maker], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl(),
      PUBLIC_URL: 'https://swath.example.com',
      SWATH_DATA_DIR: config.dataDir,
      NODE_OPTIONS: '',
    },
  })
  return stdout
}

const inside = <T>(id: BusinessId, work: Parameters<typeof withTenant<T>>[1]) => withTenant({ businessId: id }, work)

test('the demo of the tour is made beside a running server, without anybody who could sign in, and takes the place of an older one', async () => {
  await renewTestServer()
  expect((await stranger.call(tourApi.start, {})).status).toBe(404)
  expect(await renew()).toContain('0 older ones go')
  const first = (await findTourBusiness()) as BusinessId
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

  const longAgo = new Date(Date.now() - (tourHours + 1) * 3_600_000).toISOString()
  await inside(first, (db) =>
    db.updateTable('businesses').set({ createdAt: longAgo }).where('businessId', '=', first).execute(),
  )
  expect(await renew()).toContain('1 older one goes')
  expect(await findTourBusiness()).not.toBe(first)
  expect((await apiWith(token, 'Admin').call(tourApi.view, {})).status).toBe(401)
  await runTasks()
  const left = await inside(first, (db) =>
    db.selectFrom('businesses').select('name').where('businessId', '=', first).execute(),
  )
  expect(left).toEqual([])
}, 240_000)
