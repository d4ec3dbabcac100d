import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, instantAt, startOfWeek } from '../../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../../test/field.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import type { CommandPayload, CommandType } from '../../../crewapp/rules.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { sheetsApi } from '../contract.ts'

const zone = 'America/New_York'
const week = startOfWeek(addDays(dayOf(Date.now(), zone), -7))
const at = (day: number, minute: number) => instantAt(addDays(week, day), minute, zone)

let business: TestBusiness
let ana: Person
beforeEach(async () => {
  business = await aBusiness()
  ana = await business.employee({ name: 'Ana Reyes' })
})
afterEach(resetClock)

/** What a phone sends at a moment of that week; it arrives with that moment, or late. */
const send = async (person: Person, type: CommandType, when: string, payload: CommandPayload = {}, late = false) => {
  if (!late) setClock(() => new Date(when))
  const api = await apiFor(person)
  const commands = [{ id: newId(), type, at: when, payload }]
  const reply = await api.ok(crewappApi.commands, { body: { commands, ...(late ? {} : { sentAt: when }) } })
  resetClock()
  return [reply.results[0]?.result, reply.results[0]?.reason]
}
const aDay = async (person: Person, day: number, from = 420, to = 780) => {
  await send(person, 'clock_in', at(day, from))
  await send(person, 'clock_out', at(day, to))
}
const list = () => business.api.ok(sheetsApi.list, { query: { week } })
const sheetOf = (person: Person) => business.api.ok(sheetsApi.get, { params: { id: person.userId }, query: { week } })
const approve = async (...people: Person[]) => {
  const items = await Promise.all(
    people.map(async (person) => ({ userId: person.userId, version: (await sheetOf(person)).version })),
  )
  return business.api.call(sheetsApi.approve, { body: { week, items } })
}
const told = async (person: Person) =>
  (await person.api.ok(notificationsApi.list, { query: {} })).notifications.map((one) => one.title)

describe('a week', () => {
  it('is handed in by its person and approved by the office, and the person is told', async () => {
    await aDay(ana, 0)
    expect(await send(ana, 'submit_week', at(4, 600), { week: addDays(week, 2) })).toEqual(['applied', null])
    expect(await send(ana, 'submit_week', at(4, 601), { week })).toEqual(['applied', null])
    expect((await sheetOf(ana)).status).toBe('submitted')
    const done = await approve(ana)
    expect(done.body.items).toMatchObject([{ status: 'approved', paidSeconds: 6 * 3600, can: { reopen: true } }])
    expect((await sheetOf(ana)).changes.map((one) => [one.action, one.by])).toEqual([
      ['approved', business.owner.name],
      ['submitted', 'Ana Reyes'],
    ])
    expect(await told(ana)).toEqual([expect.stringMatching(/^Your week .* is approved$/)])
    expect((await approve(ana)).status).toBe(409)
  })

  it('is not handed in while the clock runs, and not when there is nothing in it', async () => {
    expect(await send(ana, 'submit_week', at(4, 600), { week })).toEqual(['refused', 'no_time'])
    await send(ana, 'clock_in', at(4, 420))
    expect(await send(ana, 'submit_week', at(4, 600), { week })).toEqual(['refused', 'still_in'])
  })

  it('is sent back with a reason that its person reads, and can be handed in again', async () => {
    await aDay(ana, 0)
    await send(ana, 'submit_week', at(4, 600), { week })
    const { version } = await sheetOf(ana)
    const back = { params: { id: ana.userId }, body: { week, version, reason: 'Friday is missing.' } }
    expect((await business.api.call(sheetsApi.sendBack, { ...back, body: { ...back.body, reason: ' ' } })).status).toBe(
      422,
    )
    expect(await business.api.ok(sheetsApi.sendBack, back)).toMatchObject({
      status: 'returned',
      reason: 'Friday is missing.',
    })
    const own = await ana.api.ok(sheetsApi.own, {})
    expect(own.items.find((one) => one.week === week)).toMatchObject({
      status: 'returned',
      reason: 'Friday is missing.',
    })
    expect(await send(ana, 'submit_week', at(5, 600), { week })).toEqual(['applied', null])
    expect((await sheetOf(ana)).status).toBe('submitted')
  })

  it('is open again when time comes in that nobody has seen', async () => {
    await aDay(ana, 0)
    await send(ana, 'submit_week', at(1, 600), { week })
    await approve(ana)
    await aDay(ana, 3)
    expect(await sheetOf(ana)).toMatchObject({ status: 'open', reason: expect.stringContaining('from the phone') })
  })

  it('says of a break that nobody ended, and of one in which a stop was worked', async () => {
    const crewId = await aCrew(business, { members: [ana] })
    await send(ana, 'clock_in', at(0, 420))
    await send(ana, 'break_start', at(0, 720))
    await send(ana, 'clock_out', at(0, 960))
    expect((await sheetOf(ana)).exceptions.map((one) => one.kind)).toEqual(['long_break'])
    const { visitId } = await aVisit(business, { crewId, day: week, status: 'scheduled' })
    const commands = (['start', 'finish'] as const).map((type, n) => ({
      id: newId(),
      type,
      visitId,
      at: at(0, 750 + n * 60),
      payload: {},
    }))
    await (await apiFor(ana)).ok(crewappApi.commands, { body: { commands } })
    expect((await sheetOf(ana)).exceptions.map((one) => one.kind)).toEqual(['break_work'])
  })

  it('tells the office once of what is asked, and keeps the newest of it whole', async () => {
    await aDay(ana, 0)
    await send(ana, 'ask_week', at(1, 600), { week, note: 'x'.repeat(450) })
    await send(ana, 'ask_week', at(1, 601), { week, note: `Friday too. ${'y'.repeat(200)}` })
    expect((await told(business.owner)).filter((title) => title.includes('asks to correct'))).toHaveLength(1)
    const { request } = await sheetOf(ana)
    expect([request.length, request.startsWith('…'), request.includes('Friday too.')]).toEqual([500, true, true])
  })

  it('is not approved as it was not seen: all of them or none', async () => {
    const bo = await business.employee({ name: 'Bo' })
    await aDay(ana, 0)
    await aDay(bo, 0)
    const items = (await list()).items.map(({ userId, version }) => ({ userId, version }))
    await aDay(bo, 1)
    const late = await business.api.call(sheetsApi.approve, { body: { week, items } })
    expect([late.status, late.error.code]).toEqual([409, 'version_conflict'])
    expect((await list()).items.map((one) => one.status)).toEqual(['open', 'open'])
  })

  it('counts overtime by the state of the business', async () => {
    await business.db((db) =>
      db.updateTable('businesses').set({ state: 'CA' }).where('businessId', '=', business.id).execute(),
    )
    await aDay(ana, 0, 420, 1020)
    expect(await list()).toMatchObject({
      rule: expect.stringContaining('over 8 hours a day'),
      items: [{ regularSeconds: 8 * 3600, overtimeSeconds: 2 * 3600 }],
    })
  })

  it('shows time off and what is wrong, the worst person first', async () => {
    const bo = await business.employee({ name: 'Bo' })
    await aDay(ana, 0)
    await aDay(bo, 0, 420, 900)
    await business.db((db) =>
      db
        .insertInto('calendarEvents')
        .values({
          businessId: business.id,
          id: newId(),
          kind: 'time_off',
          title: 'Wedding',
          firstDay: addDays(week, 1),
          lastDay: addDays(week, 2),
          userId: bo.userId,
        })
        .execute(),
    )
    const { items } = await list()
    expect(items.map((one) => [one.name, one.exceptions.map((e) => e.kind)])).toEqual([
      ['Bo', ['no_break']],
      ['Ana Reyes', []],
    ])
    expect(items[0]?.days.map((day) => day.off)).toEqual([null, 'Wedding', 'Wedding', null, null, null, null])
  })
})

describe('a correction', () => {
  const correct = async (body: object, person = ana) =>
    business.api.call(sheetsApi.correct, {
      params: { id: person.userId },
      body: {
        week,
        version: (await sheetOf(person)).version,
        entryId: null,
        reason: 'Forgot the phone.',
        ...body,
      } as never,
    })
  const span = (day: number, from: number, to: number) => ({
    kind: 'work',
    startedAt: at(day, from),
    endedAt: at(day, to),
  })

  it('leaves a trail: who, when, why, from what to what', async () => {
    await aDay(ana, 0)
    await send(ana, 'ask_week', at(1, 600), { week, note: 'I left at two.' })
    expect(await sheetOf(ana)).toMatchObject({ request: 'I left at two.', can: { answer: true } })
    const entryId = (await sheetOf(ana)).entries[0]?.id
    const changed = await correct({ entryId, to: span(0, 420, 840) })
    expect(changed.body).toMatchObject({ paidSeconds: 7 * 3600, request: '' })
    const added = await correct({ to: span(1, 420, 480) })
    expect(added.body.paidSeconds).toBe(8 * 3600)
    const { changes, entries } = await sheetOf(ana)
    expect(changes.map((one) => one.action)).toEqual(['added', 'changed', 'asked'])
    expect(changes[1]).toMatchObject({
      by: business.owner.name,
      reason: 'Forgot the phone.',
      before: { endedAt: at(0, 780) },
      after: { endedAt: at(0, 840) },
    })
    expect(entries.map((one) => [one.source, one.note])).toEqual([
      ['manual', 'Forgot the phone.'],
      ['manual', 'Forgot the phone.'],
    ])
    expect((await told(ana))[0]).toMatch(/^The office corrected your week/)
    const gone = await correct({ entryId, to: null })
    expect(gone.body.changes[0]).toMatchObject({ action: 'removed', before: { startedAt: at(0, 420) }, after: null })
  })

  it.each([
    ['an end before the start', { to: span(0, 500, 400) }, 422],
    ['time of another week', { to: span(8, 420, 480) }, 422],
    ['more than 14 hours', { to: span(0, 60, 1000) }, 422],
    ['over other time', { to: span(0, 700, 800) }, 422],
    ['without a reason', { to: span(1, 420, 480), reason: '' }, 422],
    ['nothing at all', { to: null }, 422],
    ['of an entry that is not there', { entryId: newId(), to: span(1, 420, 480) }, 404],
  ])('is not %s', async (_, body, status) => {
    await aDay(ana, 0)
    expect((await correct(body)).status).toBe(status)
    expect(await sheetOf(ana)).toMatchObject({ paidSeconds: 6 * 3600, changes: [] })
  })

  it('opens an approved week again, and asks for the version that was seen', async () => {
    await aDay(ana, 0)
    await approve(ana)
    expect((await correct({ to: span(1, 420, 480), version: 0 })).status).toBe(409)
    const done = await correct({ to: span(1, 420, 480) })
    expect(done.body.status).toBe('open')
  })
})

describe('a locked week', () => {
  it('is locked only when all of it is approved, and then refuses every change with words', async () => {
    await aDay(ana, 0)
    const refused = await business.api.call(sheetsApi.lock, { body: { week } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Ana Reyes')])
    await approve(ana)
    expect(await business.api.ok(sheetsApi.lock, { body: { week } })).toEqual({ week, locked: true })
    const { version, can } = await sheetOf(ana)
    expect(can).toEqual({
      approve: false,
      sendBack: false,
      reopen: false,
      correct: false,
      answer: false,
      count: false,
      leaveOut: false,
    })
    const to = { kind: 'work' as const, startedAt: at(1, 420), endedAt: at(1, 480) }
    const body = { week, version, entryId: null, to, reason: 'x' }
    const tried = await business.api.call(sheetsApi.correct, { params: { id: ana.userId }, body })
    expect([tried.status, tried.error.message]).toEqual([409, expect.stringContaining('locked')])
    expect(await send(ana, 'ask_week', clock.iso(), { week, note: 'x' })).toEqual(['refused', 'locked_week'])
  })

  it('takes no late time from a phone; the office hears of it, and it counts once the week is open', async () => {
    await aDay(ana, 0)
    await approve(ana)
    await business.api.ok(sheetsApi.lock, { body: { week } })
    const command = { id: newId(), type: 'clock_in' as const, at: at(2, 420), payload: {} }
    const late = (attempt: number) => ana.api.ok(crewappApi.commands, { body: { commands: [{ ...command, attempt }] } })
    expect((await late(1)).results[0]).toMatchObject({ result: 'conflict', reason: 'locked_week' })
    await runTasks()
    expect((await told(business.owner))[0]).toContain('payroll is locked')
    const bare = await aPerson(business.id, 'Admin')
    expect((await bare.api.call(sheetsApi.unlock, { body: { week, reason: 'Late phone' } })).status).toBe(403)
    await business.api.ok(sheetsApi.unlock, { body: { week, reason: 'Late phone' } })
    expect((await late(2)).results[0]).toMatchObject({ result: 'applied' })
    expect((await sheetOf(ana)).entries).toHaveLength(2)
  })
})

describe('a crew', () => {
  it('is clocked in and out by its leader, and each has a time of their own', async () => {
    const bo = await business.employee({ name: 'Bo' })
    const crewId = await aCrew(business, { members: [ana, bo] })
    // who leads nobody clocks in alone and is told so
    expect(await send(ana, 'clock_in', at(0, 420), { crew: true })).toEqual(['applied', 'own_only'])
    expect((await sheetOf(bo)).entries).toEqual([])
    await business.db((db) =>
      db
        .updateTable('crews')
        .set({ leaderUserId: ana.userId })
        .where('businessId', '=', business.id)
        .where('id', '=', crewId)
        .execute(),
    )
    await send(bo, 'clock_in', at(0, 410))
    expect(await send(ana, 'clock_in', at(0, 420), { crew: true })).toEqual(['applied', 'already'])
    await send(bo, 'clock_out', at(0, 900))
    expect(await send(ana, 'clock_out', at(0, 960), { crew: true })).toEqual(['applied', null])
    const times = async (person: Person) => (await sheetOf(person)).entries.map((one) => [one.startedAt, one.endedAt])
    expect(await times(ana)).toEqual([[at(0, 420), at(0, 960)]])
    expect(await times(bo)).toEqual([[at(0, 410), at(0, 900)]])
  })

  it('works at a stop after midnight in the spell that began the day before', async () => {
    const crewId = await aCrew(business, { members: [ana] })
    await business.db((db) =>
      db
        .updateTable('crewMembers')
        .set({ validFrom: week })
        .where('businessId', '=', business.id)
        .where('crewId', '=', crewId)
        .execute(),
    )
    await send(ana, 'clock_in', at(0, 1200))
    await send(ana, 'clock_out', at(1, 120))
    await send(ana, 'clock_in', at(1, 480))
    await send(ana, 'clock_out', at(1, 540))
    const { visitId } = await aVisit(business, { crewId, day: week })
    await business.db((db) =>
      db
        .updateTable('visits')
        .set({ status: 'completed', startedAt: at(1, 30), finishedAt: at(1, 60), workedSeconds: 1800 })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute(),
    )
    const { segments } = await sheetOf(ana)
    expect(segments.map(({ onSite, drive }) => [onSite, drive]).slice(0, 2)).toEqual([
      [1800, 0],
      [0, 0],
    ])
  })

  it('waits out the rain and works in the shop on the same clock', async () => {
    await send(ana, 'clock_in', at(0, 420))
    await send(ana, 'switch', at(0, 480), { kind: 'rain' })
    await send(ana, 'switch', at(0, 540), { kind: 'shop' })
    await send(ana, 'clock_out', at(0, 570))
    const { segments, paidSeconds } = await sheetOf(ana)
    expect(paidSeconds).toBe(150 * 60)
    expect(segments[0]).toMatchObject({ rain: 3600, shop: 90 * 60, onSite: 0 })
  })
})

it('nobody sees the weeks of others without the permission', async () => {
  await aDay(ana, 0)
  const bo = await business.employee({ name: 'Bo' })
  const admin = await aPerson(business.id, 'Admin', { permissions: ['team', 'schedule'] })
  for (const who of [bo, admin]) {
    expect((await who.api.call(sheetsApi.list, { query: { week } })).status).toBe(403)
    expect((await who.api.call(sheetsApi.get, { params: { id: ana.userId }, query: { week } })).status).toBe(403)
  }
  const own = await bo.api.ok(sheetsApi.own, {})
  expect(own.items.flatMap((one) => one.entries)).toEqual([])
})

/** What was asked of the database; the notice of an earlier change leaves by itself a moment after it. */
const askedOf = (spy: { mock: { calls: unknown[][] } }) =>
  spy.mock.calls
    .map(([query]) => (query as { text?: string }).text ?? String(query))
    .filter((text) => !text.includes('pg_notify'))

it('one’s own five weeks are one reading of each table', async () => {
  await aDay(ana, 0)
  await aDay(ana, 1)
  await ana.api.ok(sheetsApi.own, {})
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const { items } = await ana.api.ok(sheetsApi.own, {})
  const asked = askedOf(spy)
  spy.mockRestore()
  expect(items.map((one) => one.week)).toEqual([0, 1, 2, 3, 4].map((back) => addDays(startOfWeek(today()), -7 * back)))
  expect(items[1]).toMatchObject({ week, paidSeconds: 12 * 3600 })
  expect(asked.filter((text) => text.includes('"time_entries"') || text.includes('time_entries t'))).toHaveLength(1)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(18)
})

it('are approved together in as many questions as one alone', async () => {
  const people = await Promise.all(['Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((name) => business.employee({ name })))
  for (const person of [ana, ...people]) await aDay(person, 0)
  const asked = async (...some: Person[]) => {
    const items = await Promise.all(
      some.map(async (person) => ({ userId: person.userId, version: (await sheetOf(person)).version })),
    )
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    await business.api.ok(sheetsApi.approve, { body: { week, items } })
    const count = askedOf(spy).length
    spy.mockRestore()
    return count
  }
  const one = await asked(ana)
  expect(await asked(...people)).toBe(one)
  for (const person of people) expect((await sheetOf(person)).changes.map(({ action }) => action)).toEqual(['approved'])
  expect(await told(people[4] as Person)).toEqual([expect.stringMatching(/^Your week .* is approved$/)])
})
