import { beforeAll, expect, it } from 'vitest'
import { makeProspects } from '../demo/prospects.ts'
import { localProspectsApi } from '../local/prospects/contract.ts'
import { clock } from '../platform/clock.ts'
import { withProspects } from '../platform/db/prospects.ts'
import { runTasks, stranger, testServer } from './api.ts'

beforeAll(testServer)

it('the demo has prospects of the last weeks, applications and calls ahead, and its mail can be read on this computer', async () => {
  const before = await withProspects((db) => db.selectFrom('leads').select('id').execute())
  const known = new Set(before.map(({ id }) => id))
  let state = 7
  await makeProspects(() => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  })
  const { leads, calls } = await withProspects(async (db) => ({
    leads: (await db.selectFrom('leads').selectAll().execute()).filter(({ id }) => !known.has(id)),
    calls: (await db.selectFrom('calls').select(['leadId', 'startsAt']).execute()).filter((c) => !known.has(c.leadId)),
  }))
  expect(leads.length).toBe(36)
  expect(leads.filter(({ appliedAt }) => appliedAt).length).toBeGreaterThan(5)
  expect(new Set(leads.map(({ source }) => source)).size).toBe(3)
  const ages = leads.map(({ createdAt }) => (clock.nowMs() - Date.parse(createdAt)) / 86_400_000)
  expect(Math.max(...ages)).toBeGreaterThan(28)
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
  expect(calls.length).toBeGreaterThan(2)
  expect(calls.every(({ startsAt }) => Date.parse(startsAt) > clock.nowMs())).toBe(true)
  await runTasks()
  const { items } = await stranger.ok(localProspectsApi.outbox, {})
  expect(items.some(({ subject }) => subject === 'Your call is booked')).toBe(true)
  expect(items.find(({ files }) => files.length > 0)?.files[0]?.content).toContain('BEGIN:VCALENDAR')
})
