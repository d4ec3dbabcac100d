import { describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { systemApi } from '../contract.ts'
import { tidyAll } from './tasks.ts'

describe('the system', () => {
  it('says that it lives, and that the database answers', async () => {
    expect((await stranger.ok(systemApi.health, {})).status).toBe('ok')
    expect((await stranger.ok(systemApi.apiHealth, {})).status).toBe('ok')
    expect((await stranger.ok(systemApi.ready, {})).status).toBe('ready')
    expect((await stranger.raw({ method: 'GET', url: '/api/nothing-here' })).error.code).toBe('not_found')
    const docs = await stranger.raw({ method: 'GET', url: '/api/docs' })
    expect([docs.status, docs.text.includes('/api/invoices')]).toEqual([200, true])
  })

  it('tidies only what served its time', async () => {
    const own = await aBusiness()
    const key = (name: string, days: number) => ({
      businessId: own.id,
      actor: 'a',
      endpoint: 'e',
      key: name,
      requestHash: 'h',
      createdAt: new Date(clock.nowMs() - days * 86_400_000).toISOString(),
    })
    await own.db((db) =>
      db
        .insertInto('idempotencyKeys')
        .values([key('old', 36), key('young', 30)])
        .execute(),
    )
    await tidyAll.run(undefined)
    await runTasks()
    const left = await own.db((db) =>
      db.selectFrom('idempotencyKeys').select('key').where('businessId', '=', own.id).execute(),
    )
    expect(left.map((row) => row.key)).toEqual(['young'])
  })
})
