import { beforeEach, expect, it } from 'vitest'
import { addDays, dayOf, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import type { Person, TestBusiness } from '../../../../test/factories.ts'
import { aPaidCrew, approveWeek, clockSpell } from '../../../../test/pay-week.ts'
import { wagesApi } from '../../../employees/wages/contract.ts'
import { payrollApi } from '../../payroll/contract.ts'
import { sheetsApi } from '../../sheets/contract.ts'
import { payfilesApi } from '../contract.ts'

const zone = 'America/New_York'
const week = startOfWeek(addDays(dayOf(Date.now(), zone), -7))
const period = { from: week, to: addDays(week, 6) }
const at = (day: number, minute: number) => instantAt(addDays(week, day), minute, zone)

let business: TestBusiness
let ana: Person
let crewId: string
beforeEach(async () => {
  ;({ business, ana, crewId } = await aPaidCrew())
})

const worked = (person: Person, day: number, from: number, to: number) =>
  clockSpell(business, person, { crewId, startedAt: at(day, from), endedAt: at(day, to) })
const approve = (...people: Person[]) => approveWeek(business, week, people)
const payroll = () => business.api.ok(payrollApi.period, { query: period })

const make = (preset: 'plain' | 'gusto' | 'adp' | 'paychex' = 'plain') =>
  business.api.call(payfilesApi.make, { body: { ...period, preset } })
const files = (preset: 'plain' | 'gusto' = 'plain') =>
  business.api.ok(payfilesApi.list, { query: { ...period, preset } })
const textOf = async (id: string) => (await business.api.call(payfilesApi.csv, { params: { id } })).text
const reopen = async (person: Person) => {
  const { version } = await business.api.ok(sheetsApi.get, { params: { id: person.userId }, query: { week } })
  await business.api.ok(sheetsApi.reopen, {
    params: { id: person.userId },
    body: { week, version, reason: 'Monday is missing' },
  })
}

it('has everybody who is approved once: who comes later is in a later file alone, and the first stays as it was', async () => {
  const bo = await business.employee({ name: 'Bo', wageCents: 3000 })
  await worked(ana, 0, 420, 900)
  await worked(bo, 0, 420, 900)
  await approve(ana)
  expect((await files()).next).toMatchObject({ userIds: [ana.userId], grossCents: 16_000 })
  const first = (await make()).body
  expect(first).toMatchObject({ people: 1, grossCents: 16_000, name: expect.stringContaining(week) })
  const text = await textOf(first.id)
  expect(text).toContain('Ana Reyes')
  expect(text).not.toContain('Bo')
  const nothing = await make()
  expect([nothing.status, nothing.error.message]).toEqual([409, expect.stringContaining('in a file already')])
  await approve(bo)
  const second = (await make()).body
  expect(second.name).not.toBe(first.name)
  expect(await textOf(second.id)).toContain('Bo')
  expect(await textOf(second.id)).not.toContain('Ana')
  await business.db((db) =>
    db.updateTable('wages').set({ centsPerHour: 1000 }).where('businessId', '=', business.id).execute(),
  )
  expect(await textOf(first.id)).toBe(text)
  const sum = (await files()).files.reduce((total, one) => total + one.grossCents, 0)
  expect(sum).toBe(16_000 + 24_000)
})

it('sums up to what the screen says, with a raise, lawns and miles', async () => {
  await business.api.ok(wagesApi.set, {
    params: { id: ana.userId },
    body: { from: addDays(week, 2), centsPerHour: 3100, pieceCents: null, bonusCents: null, burdenPercent: null },
  })
  for (const one of [0, 1, 2, 3, 4]) await worked(ana, one, 421, 1000)
  await business.api.ok(payrollApi.setMiles, {
    params: { id: ana.userId },
    body: { day: week, tenthMiles: 123, note: '' },
  })
  await approve(ana)
  const [screen] = (await payroll()).people
  const { body: file } = await make()
  expect([file.grossCents, file.mileageCents]).toEqual([screen?.grossCents, screen?.mileageCents])
  const [head = '', ...rows] = (await textOf(file.id)).trim().split('\r\n')
  const at = head.split(',').indexOf('Total')
  const total = rows.reduce((sum, row) => sum + Math.round(Number(row.split(',')[at]) * 100), 0)
  expect(total).toBe((screen?.grossCents ?? 0) + (screen?.mileageCents ?? 0))
  expect((await files('gusto')).next.userIds).toEqual([])
})

it('is made once of two at the same moment, and taken back frees its people', async () => {
  await worked(ana, 0, 420, 900)
  await approve(ana)
  const both = await Promise.all([make(), make()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const { id } = both.find(({ status }) => status === 200)?.body ?? { id: '' }
  const back = await business.api.ok(payfilesApi.withdraw, { params: { id } })
  expect(back.withdrawnAt).not.toBeNull()
  expect((await business.api.call(payfilesApi.withdraw, { params: { id } })).status).toBe(409)
  expect((await files()).next.userIds).toEqual([ana.userId])
  expect((await make()).status).toBe(200)
})

it('says whose week changed after it was written, and writes it in no second file', async () => {
  await worked(ana, 0, 420, 900)
  await approve(ana)
  await make()
  expect((await files()).changed).toEqual([])
  await reopen(ana)
  expect((await files()).changed).toMatchObject([{ name: 'Ana Reyes', week, writtenCents: 16_000, nowCents: null }])
  await worked(ana, 1, 420, 480)
  await approve(ana)
  expect((await files()).changed).toMatchObject([{ writtenCents: 16_000, nowCents: 18_000 }])
  expect((await make()).status).toBe(409)
})

it('asks for what a provider needs before it writes, and says what the format cannot carry', async () => {
  await business.api.ok(wagesApi.set, {
    params: { id: ana.userId },
    body: { from: addDays(week, 1), centsPerHour: 3000, pieceCents: null, bonusCents: null, burdenPercent: null },
  })
  await worked(ana, 0, 420, 900)
  await worked(ana, 1, 420, 900)
  await approve(ana)
  expect((await files('gusto')).next.notes).toMatchObject([{ names: ['Ana Reyes'] }])
  expect((await make('adp')).error.message).toContain('Ana Reyes')
  await business.api.ok(payrollApi.setNumber, { params: { id: ana.userId }, body: { number: '00417' } })
  expect((await make('adp')).error.message).toContain('company code')
  const { stateRule, stateNote, ...now } = await business.api.ok(payrollApi.settings, {})
  await business.api.ok(payrollApi.saveSettings, { body: { ...now, companyCode: 'X7K' } })
  const { body } = await make('adp')
  expect(await textOf(body.id)).toContain('X7K,')
})
