import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, dayOf, instantAt, startOfWeek } from '../../../shared/dates.ts'
import { apiFor } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import type { CommandPayload, CommandType } from '../../crewapp/rules.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { timeclockApi } from '../contract.ts'
import { sheetsApi } from '../sheets/contract.ts'
import { closeForgottenEntries } from './tasks.ts'

const zone = 'America/New_York'
const week = startOfWeek(addDays(dayOf(Date.now(), zone), -14))
const at = (day: number, minute: number) => instantAt(addDays(week, day), minute, zone)

let business: TestBusiness
let ana: Person
let bo: Person
let crewId: string
beforeEach(async () => {
  business = await aBusiness()
  ana = await business.employee({ name: 'Ana Reyes' })
  bo = await business.employee({ name: 'Bo Leader' })
  crewId = await aCrew(business, { members: [ana, bo] })
  await business.db((db) =>
    db
      .updateTable('crews')
      .set({ leaderUserId: bo.userId })
      .where('businessId', '=', business.id)
      .where('id', '=', crewId)
      .execute(),
  )
})
afterEach(resetClock)

type Tap = [type: CommandType, when: string, payload?: CommandPayload]
type Sent = { id: string; type: CommandType; at: string; payload: CommandPayload; attempt?: number; visitId?: string }
const post = async (person: Person, arrives: string, commands: Sent[]) => {
  setClock(() => new Date(arrives))
  const api = await apiFor(person)
  const reply = await api.ok(crewappApi.commands, { body: { commands, sentAt: arrives } })
  resetClock()
  return reply.results.map((one) => (one.reason ? `${one.result} ${one.reason}` : one.result))
}
/** What a phone sends in one go, when it reaches the server. */
const send = (person: Person, arrives: string, ...taps: Tap[]) =>
  post(
    person,
    arrives,
    taps.map(([type, when, payload = {}]) => ({ id: newId(), type, at: when, payload })),
  )
const sheetOf = (person: Person, of = week) =>
  business.api.ok(sheetsApi.get, { params: { id: person.userId }, query: { week: of } })
const minuteOf = (instant: string | null) =>
  instant === null ? null : Math.round((Date.parse(instant) - Date.parse(at(0, 0))) / 60_000)
/** "work 420-900 late", in minutes of the week's Monday. */
const spells = async (person: Person, of = week) =>
  (await sheetOf(person, of)).entries.map((one) =>
    [`${one.kind} ${minuteOf(one.startedAt)}-${minuteOf(one.endedAt) ?? ''}`, one.flagged].filter(Boolean).join(' '),
  )
const day = (n: number, minute: number) => n * 1440 + minute

describe('time that comes in late', () => {
  it('is put where it was said, although the next day is over', async () => {
    await send(bo, at(1, 420), ['clock_in', at(1, 420), { crew: true }])
    await send(bo, at(1, 900), ['clock_out', at(1, 900), { crew: true }])
    expect(await send(ana, at(2, 400), ['clock_in', at(0, 420)], ['clock_out', at(0, 900)])).toEqual([
      'applied',
      'applied',
    ])
    expect(await spells(ana)).toEqual(['work 420-900 late', `work ${day(1, 420)}-${day(1, 900)}`])
    const { paidSeconds, exceptions, changes } = await sheetOf(ana)
    expect(paidSeconds).toBe(16 * 3600)
    expect(exceptions).toContainEqual(expect.objectContaining({ kind: 'came_late', day: week }))
    expect(changes).toMatchObject([
      { action: 'late', by: 'Ana Reyes', after: { startedAt: at(0, 420), endedAt: at(0, 900) } },
    ])
  })

  it('leaves the day alone that runs meanwhile', async () => {
    await send(bo, at(1, 420), ['clock_in', at(1, 420), { crew: true }])
    await send(
      ana,
      at(1, 540),
      ['clock_in', at(0, 420)],
      ['break_start', at(0, 720)],
      ['break_end', at(0, 750)],
      ['clock_out', at(0, 900)],
    )
    await send(bo, at(1, 900), ['clock_out', at(1, 900), { crew: true }])
    expect(await spells(ana)).toEqual([
      'work 420-720 late',
      'break 720-750 late',
      'work 750-900 late',
      `work ${day(1, 420)}-${day(1, 900)}`,
    ])
  })

  it('is cut by what it truly overlaps, and the trail keeps what was said', async () => {
    await send(bo, at(0, 420), ['clock_in', at(0, 420), { crew: true }])
    await send(bo, at(0, 900), ['clock_out', at(0, 900), { crew: true }])
    await send(ana, at(0, 1000), ['clock_in', at(0, 390)], ['clock_out', at(0, 930)])
    expect(await spells(ana)).toEqual(['work 390-420 late', 'work 420-900', 'work 900-930 late'])
    expect((await sheetOf(ana)).changes[0]).toMatchObject({ after: { startedAt: at(0, 390), endedAt: at(0, 930) } })
  })

  it('adds what came before to a day that runs, and not a second of it twice', async () => {
    await send(bo, at(0, 420), ['clock_in', at(0, 420), { crew: true }])
    await send(ana, at(0, 800), ['clock_in', at(0, 390)])
    expect((await sheetOf(ana)).exceptions.map((one) => one.kind)).toContain('missing_out')
    await send(ana, at(0, 900), ['clock_out', at(0, 900)])
    expect(await spells(ana)).toEqual(['work 390-420 late', 'work 420-900'])
  })

  it('takes two taps of the same moment as one', async () => {
    await send(bo, at(0, 420), ['clock_in', at(0, 420), { crew: true }])
    expect(await send(ana, at(0, 425), ['clock_in', at(0, 419)])).toEqual(['applied already'])
    await send(bo, at(0, 900), ['clock_out', at(0, 900), { crew: true }])
    expect(await spells(ana)).toEqual(['work 420-900'])
  })

  it('is a break in a day that a leader has told as one piece', async () => {
    await send(bo, at(0, 420), ['clock_in', at(0, 420), { crew: true }])
    await send(bo, at(0, 900), ['clock_out', at(0, 900), { crew: true }])
    await send(ana, at(0, 1000), ['break_start', at(0, 720)], ['break_end', at(0, 750)])
    expect(await spells(ana)).toEqual(['work 420-720', 'break 720-750 late', 'work 750-900 late'])
  })

  it('is a break in a day that ended by a guess, and no hour of it is lost', async () => {
    await send(ana, at(0, 420), ['clock_in', at(0, 420)])
    setClock(() => new Date(at(0, 1400)))
    await closeForgottenEntries.run(null)
    const guessed = minuteOf((await sheetOf(ana)).entries[0]?.endedAt ?? null)
    await send(ana, at(1, 400), ['break_start', at(0, 720)], ['break_end', at(0, 750)])
    expect(await spells(ana)).toEqual(['work 420-720 late', 'break 720-750 late', `work 750-${guessed} forgotten`])
    expect((await sheetOf(ana)).exceptions.map((one) => one.kind)).toContain('missing_out')
    await send(ana, at(1, 401), ['clock_out', at(0, 960)])
    expect(await spells(ana)).toEqual(['work 420-720 late', 'break 720-750 late', 'work 750-960 late'])
  })

  it('ends the spell that ended by a guess, not the one that runs', async () => {
    await send(ana, at(0, 420), ['clock_in', at(0, 420)])
    setClock(() => new Date(at(0, 1400)))
    await closeForgottenEntries.run(null)
    await send(bo, at(1, 420), ['clock_in', at(1, 420), { crew: true }])
    expect(await send(ana, at(1, 540), ['clock_out', at(0, 900)])).toEqual(['applied'])
    expect(await spells(ana)).toEqual(['work 420-900 late', `work ${day(1, 420)}-`])
  })

  it('without an end has no length, and says so to the office until somebody gives it one', async () => {
    await send(ana, at(1, 900), ['clock_in', at(1, 420)], ['clock_out', at(1, 900)])
    await send(ana, at(2, 400), ['clock_in', at(0, 420)])
    expect((await sheetOf(ana)).exceptions).toContainEqual(expect.objectContaining({ kind: 'missing_out', day: week }))
    expect((await sheetOf(ana)).paidSeconds).toBe(8 * 3600)
  })

  it('says when the office has put down another end, and takes no hour away', async () => {
    await send(bo, at(0, 420), ['clock_in', at(0, 420), { crew: true }])
    await send(bo, at(0, 900), ['clock_out', at(0, 900), { crew: true }])
    expect(await send(ana, at(0, 1000), ['clock_out', at(0, 840)])).toEqual(['applied already'])
    expect(await spells(ana)).toEqual(['work 420-900 late'])
  })
})

describe('a leader’s late word for the crew', () => {
  it('never touches what began after it', async () => {
    await send(ana, at(0, 420), ['clock_in', at(0, 420)])
    await send(bo, at(0, 420), ['clock_in', at(0, 420)])
    await send(ana, at(0, 900), ['clock_out', at(0, 900)])
    await send(ana, at(1, 420), ['clock_in', at(1, 420)])
    await send(bo, at(1, 540), ['clock_out', at(0, 910), { crew: true }])
    expect(await send(ana, at(1, 900), ['clock_out', at(1, 900)])).toEqual(['applied'])
    expect(await spells(ana)).toEqual(['work 420-900', `work ${day(1, 420)}-${day(1, 900)}`])
  })

  it('ends the day of who forgot to clock out, also when they are at work again the next morning', async () => {
    const { visitId } = await aVisit(business, { crewId, day: addDays(week, 1) })
    await send(bo, at(0, 420), ['clock_in', at(0, 420), { crew: true }])
    const start = { id: newId(), type: 'start' as const, at: at(1, 425), payload: {}, visitId }
    expect(await post(ana, at(1, 425), [start])).toEqual(['applied'])
    await send(bo, at(1, 500), ['clock_out', at(0, 1020), { crew: true }])
    expect(await spells(ana)).toEqual(['work 420-1020'])
  })

  it('that is refused changes nobody, also when it is sent again', async () => {
    await send(ana, at(0, 420), ['clock_in', at(0, 420)])
    const out = { id: newId(), type: 'clock_out' as const, at: at(0, 900), payload: { crew: true } }
    expect(await post(bo, at(0, 900), [out])).toEqual(['refused not_clocked_in'])
    expect(await spells(ana)).toEqual(['work 420-'])
    await send(ana, at(0, 905), ['clock_out', at(0, 905)])
    await send(ana, at(1, 420), ['clock_in', at(1, 420)])
    expect(await post(bo, at(1, 540), [{ ...out, attempt: 2 }])).toEqual(['refused not_clocked_in'])
    expect(await spells(ana)).toEqual(['work 420-905', `work ${day(1, 420)}-`])
  })

  it('gives time to who has none that day, and leaves the others theirs', async () => {
    await send(ana, at(0, 430), ['clock_in', at(0, 430)])
    await send(ana, at(0, 900), ['clock_out', at(0, 900)])
    const cy = await business.employee({ name: 'Cy' })
    await business.db((db) =>
      db
        .insertInto('crewMembers')
        .values({ businessId: business.id, id: newId(), crewId, userId: cy.userId, validFrom: addDays(week, -30) })
        .execute(),
    )
    await send(cy, at(1, 420), ['clock_in', at(1, 420)])
    await send(bo, at(1, 540), ['clock_in', at(0, 420), { crew: true }], ['clock_out', at(0, 910), { crew: true }])
    expect(await spells(ana)).toEqual(['work 430-900'])
    expect(await spells(cy)).toEqual(['work 420-910 late', `work ${day(1, 420)}-`])
  })
})

describe('a locked week', () => {
  const taps = () => [
    { id: newId(), type: 'clock_in' as const, at: at(2, 420), payload: {} },
    { id: newId(), type: 'clock_out' as const, at: at(2, 900), payload: {} },
  ]
  const again = (sent: Sent[]) => sent.map((tap) => ({ ...tap, attempt: 2 }))
  const held = ['conflict locked_week', 'conflict locked_week']
  const seen = async () => ({ week, version: (await sheetOf(ana)).version })
  const unlock = () => business.api.ok(sheetsApi.unlock, { body: { week, reason: 'Late phone' } })
  const settled = async (person: Person) => (await person.api.ok(timeclockApi.clock, {})).settled
  const needs = async () =>
    (await business.api.ok(dashboardApi.get, {})).needs.filter((one) => one.badge === 'Late time')
  beforeEach(async () => {
    await send(ana, at(0, 900), ['clock_in', at(0, 420)], ['clock_out', at(0, 900)])
    await business.api.ok(sheetsApi.approve, {
      body: { week, items: [{ userId: ana.userId, version: (await seen()).version }] },
    })
    await business.api.ok(sheetsApi.lock, { body: { week } })
    await send(ana, at(7, 900), ['clock_in', at(7, 420)], ['clock_out', at(7, 900)])
  })

  it('takes no late time, also when later weeks have time, and takes it once it is open', async () => {
    const sent = taps()
    expect(await post(ana, at(8, 400), sent)).toEqual(held)
    await unlock()
    expect(await post(ana, at(8, 500), again(sent))).toEqual(['applied', 'applied'])
    expect(await spells(ana)).toEqual(['work 420-900', `work ${day(2, 420)}-${day(2, 900)} late`])
    expect(await spells(ana, addDays(week, 7))).toEqual([`work ${day(7, 420)}-${day(7, 900)}`])
    expect(await needs()).toEqual([])
  })

  it('keeps what came in on the sheet and among what needs somebody, and the office counts it', async () => {
    const sent = taps()
    await post(ana, at(8, 400), sent)
    expect(await needs()).toMatchObject([{ title: expect.stringContaining('Ana Reyes') }])
    expect(await sheetOf(ana)).toMatchObject({
      held: [
        { action: 'clock_in', at: at(2, 420) },
        { action: 'clock_out', at: at(2, 900) },
      ],
      can: { count: false, leaveOut: true },
    })
    const params = { id: ana.userId }
    const early = await business.api.call(sheetsApi.count, { params, body: await seen() })
    expect([early.status, early.error.message]).toEqual([409, expect.stringContaining('locked')])
    await unlock()
    const done = await business.api.ok(sheetsApi.count, { params, body: await seen() })
    expect(done).toMatchObject({ status: 'open', paidSeconds: 16 * 3600, held: [], can: { count: false } })
    expect((await settled(ana))?.sort()).toEqual(sent.map(({ id }) => id).sort())
    expect(await needs()).toEqual([])
    expect(await post(ana, at(8, 500), again(sent))).toEqual(['applied already', 'applied already'])
    expect((await sheetOf(ana)).paidSeconds).toBe(16 * 3600)
  })

  it('is left as it is with a reason that its person reads, and the phone sends it no more', async () => {
    const sent = taps()
    await post(ana, at(8, 400), sent)
    const body = { ...(await seen()), reason: 'Paid with the next check.' }
    const done = await business.api.ok(sheetsApi.leaveOut, { params: { id: ana.userId }, body })
    expect(done).toMatchObject({ locked: true, paidSeconds: 8 * 3600, held: [] })
    expect(done.changes[0]).toMatchObject({ action: 'left_out', reason: 'Paid with the next check.' })
    expect(await settled(ana)).toHaveLength(2)
    expect(await post(ana, at(8, 500), again(sent))).toEqual(['applied already', 'applied already'])
    expect(await settled(bo)).toEqual([])
    const twice = await business.api.call(sheetsApi.leaveOut, { params: { id: ana.userId }, body })
    expect(twice.status).toBe(409)
  })

  describe('and a night over its end', () => {
    const night = { in: at(6, 1320), out: at(7, 120) }
    const openIt = async (of = week) => business.api.ok(sheetsApi.unlock, { body: { week: of, reason: 'Late phone' } })
    const countIt = async () => business.api.call(sheetsApi.count, { params: { id: ana.userId }, body: await seen() })

    it('is held and counted in the week in which it began, although the next one is open', async () => {
      const taps: Sent[] = [
        { id: newId(), type: 'clock_in', at: night.in, payload: {} },
        { id: newId(), type: 'break_start', at: at(7, 30), payload: {} },
        { id: newId(), type: 'break_end', at: at(7, 60), payload: {} },
        { id: newId(), type: 'clock_out', at: night.out, payload: {} },
      ]
      expect(await post(ana, at(8, 400), taps)).toEqual(taps.map(() => 'conflict locked_week'))
      expect((await sheetOf(ana)).held).toHaveLength(4)
      expect((await sheetOf(ana, addDays(week, 7))).held).toEqual([])
      await openIt()
      expect((await countIt()).body).toMatchObject({ held: [], paidSeconds: 10.5 * 3600 })
      expect((await sheetOf(ana, addDays(week, 7))).paidSeconds).toBe(8 * 3600 + 3600)
    })

    it('has the end that comes late in the week of the guess that it takes the place of', async () => {
      await openIt()
      await send(ana, night.in, ['clock_in', night.in])
      setClock(() => new Date(at(7, 1300)))
      await closeForgottenEntries.run(null)
      resetClock()
      await business.api.ok(sheetsApi.approve, {
        body: { week, items: [{ userId: ana.userId, version: (await seen()).version }] },
      })
      await business.api.ok(sheetsApi.lock, { body: { week } })
      expect(await send(ana, at(8, 400), ['clock_out', night.out])).toEqual(['conflict locked_week'])
      expect((await sheetOf(ana)).held).toHaveLength(1)
      await openIt()
      expect((await countIt()).body).toMatchObject({ held: [], paidSeconds: 12 * 3600 })
    })

    it('that the locked week refuses leaves the week before it as it was', async () => {
      await openIt()
      const next = addDays(week, 7)
      await send(ana, night.out, ['clock_in', night.in], ['clock_out', night.out])
      for (const of of [week, next])
        await business.api.ok(sheetsApi.approve, {
          body: { week: of, items: [{ userId: ana.userId, version: (await sheetOf(ana, of)).version }] },
        })
      await business.api.ok(sheetsApi.lock, { body: { week: next } })
      const before = await sheetOf(ana)
      expect(await send(ana, at(15, 400), ['switch', at(7, 30), { kind: 'shop' }])).toEqual(['conflict locked_week'])
      expect(await sheetOf(ana)).toEqual(before)
      expect((await sheetOf(ana, next)).held).toHaveLength(1)
    })

    it('is not said to count when it belongs to nothing: it goes on waiting', async () => {
      expect(await send(ana, at(8, 400), ['clock_out', at(2, 900)])).toEqual(['conflict locked_week'])
      await openIt()
      const done = await countIt()
      expect([done.status, done.error.message]).toEqual([409, expect.stringContaining('goes on waiting')])
      expect(await sheetOf(ana)).toMatchObject({ held: [{ at: at(2, 900) }], can: { count: true, leaveOut: true } })
      expect(await settled(ana)).toEqual([])
    })
  })

  it('keeps the time of each of a crew', async () => {
    const sent = taps().map((tap) => ({ ...tap, payload: { crew: true } }))
    expect(await post(bo, at(8, 400), sent)).toEqual(held)
    expect((await sheetOf(ana)).held).toHaveLength(2)
    await unlock()
    await business.api.ok(sheetsApi.count, { params: { id: ana.userId }, body: await seen() })
    expect(await post(bo, at(8, 500), again(sent))).toEqual(['applied', 'applied'])
    expect(await spells(ana)).toEqual(['work 420-900', `work ${day(2, 420)}-${day(2, 900)} late`])
    expect(await spells(bo)).toEqual([`work ${day(2, 420)}-${day(2, 900)}`])
  })
})

it('an hour that is added by hand is with the crew of that day', async () => {
  const { version } = await sheetOf(ana)
  const to = { kind: 'work' as const, startedAt: at(0, 420), endedAt: at(0, 900) }
  const body = { week, version, entryId: null, to, reason: 'No phone' }
  const done = await business.api.ok(sheetsApi.correct, { params: { id: ana.userId }, body })
  const crew = await business.db((db) =>
    db.selectFrom('timeEntries').select('crewId').where('businessId', '=', business.id).executeTakeFirstOrThrow(),
  )
  expect([done.entries.length, crew.crewId]).toEqual([1, crewId])
  expect((await business.api.ok(timeclockApi.entries, { query: { from: week, to: week } })).items).toMatchObject([
    { crewId },
  ])
})
