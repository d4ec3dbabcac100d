import { beforeAll, expect, it } from 'vitest'
import { minuteOfDay } from '../../../../shared/dates.ts'
import { testServer } from '../../../../test/api.ts'
import { freeTimes, theOwner } from '../../../../test/funnel.ts'
import { prospectSettingsApi } from '../contract.ts'

beforeAll(testServer)

it('the product owner changes when calls may be; an old page changes nothing', async () => {
  const owner = await theOwner()
  const before = await owner.ok(prospectSettingsApi.get, {})
  const everyDay = Object.fromEntries(
    Array.from({ length: 7 }, (_, day) => [String(day), [[600, 640]] as [number, number][]]),
  )
  const saved = await owner.ok(prospectSettingsApi.save, {
    body: { ...before, timeZone: 'America/Chicago', callHours: everyDay },
  })
  expect(saved.version).toBe(before.version + 1)
  const minutes = (await freeTimes()).map((slot) => minuteOfDay(slot, 'America/Chicago'))
  expect(minutes.length).toBeGreaterThan(10)
  expect(new Set(minutes)).toEqual(new Set([600]))
  const stale = await owner.call(prospectSettingsApi.save, { body: before })
  expect(stale.error.code).toBe('version_conflict')
  await owner.ok(prospectSettingsApi.save, { body: { ...before, version: saved.version } })
})

it.each([
  ['callHours', { callHours: { 1: [[600, 500]] } }],
  ['timeZone', { timeZone: 'Mars/Base' }],
  ['holidays.0', { holidays: ['2026-02-30'] }],
  ['callLink', { callLink: 'javascript:alert(1)' }],
])('a wrong %s is refused', async (path, change) => {
  const owner = await theOwner()
  const before = await owner.ok(prospectSettingsApi.get, {})
  const answer = await owner.call(prospectSettingsApi.save, { body: { ...before, ...change } as typeof before })
  expect(answer.status).toBe(422)
  expect(answer.error.errors?.[0]?.path).toBe(path)
  expect((await owner.ok(prospectSettingsApi.get, {})).version).toBe(before.version)
})
