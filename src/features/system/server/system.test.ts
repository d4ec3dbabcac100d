import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { applyRetention } from '../../../platform/retention.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { systemApi } from '../contract.ts'
import { retentionRules } from './retention.ts'
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

  it('forgets texts and mail that providers brought, once they were worked off and 60 days have passed', async () => {
    const provider = newId()
    const event = (eventId: string, days: number, processed: boolean) => ({
      provider,
      eventId,
      type: 't',
      payload: '{}',
      receivedAt: new Date(clock.nowMs() - days * 86_400_000).toISOString(),
      processedAt: processed ? clock.iso() : null,
    })
    const events = [
      event('old', 61, true),
      event('new', 59, true),
      event('waiting', 61, false),
      event('lost', 181, false),
    ]
    // more than one step takes
    const many = Array.from({ length: 1_500 }, (_, n) => event(`many-${n}`, 61, true))
    await database()
      .insertInto('webhookEvents')
      .values([...events, ...many])
      .execute()
    await tidyAll.run(undefined)
    const kept = await database()
      .selectFrom('webhookEvents')
      .select('eventId')
      .where('provider', '=', provider)
      .execute()
    expect(kept.map((row) => row.eventId).sort()).toEqual(['new', 'waiting'])
  })

  it('every rule of retention can be applied', async () => {
    const own = await aBusiness()
    for (const rule of retentionRules) await applyRetention(rule, rule.of === 'business' ? own.id : null)
    const operations = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
    for (const rule of retentionRules) expect(operations).toContain(`| \`${rule.table}\` | ${rule.days} `)
  })
})
