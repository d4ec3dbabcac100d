import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, type Day, dayOf, instantAt } from '../../../shared/dates.ts'
import { apiFor } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import { sheetsApi } from '../../timeclock/sheets/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandType, PhoneClock } from '../rules.ts'

/** A phone whose clock is wrong by an hour, and nights in which everybody's is set. */

const zone = 'America/New_York'
const hour = 3_600_000
let business: TestBusiness
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  crewId = await aCrew(business, { name: 'North', workDays: everyDay })
})
afterEach(resetClock)

type Tap = { type: CommandType /** The true instant. */; at: string; visitId?: string }
const moved = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

/** What a phone sends in one go at a true instant, with what its clock shows then and what it knew of it at each tap. */
const send = async (
  who: Person,
  taps: readonly Tap[],
  { sentAt, off, offWhenSent = off, known }: { sentAt: string; off: number; offWhenSent?: number; known?: PhoneClock },
): Promise<(string | undefined)[]> => {
  setClock(() => new Date(sentAt))
  const commands = taps.map(({ at, ...tap }) => ({
    id: newId(),
    ...tap,
    at: moved(at, off),
    payload: {},
    ...(known ? { clock: known } : {}),
  }))
  const api = await apiFor(who)
  const { results } = await api.ok(crewappApi.commands, { body: { commands, sentAt: moved(sentAt, offWhenSent) } })
  return results.map(({ result, reason }) => (reason ? `${result} ${reason}` : result))
}
const sheetOf = async (who: Person, week: Day) =>
  (await apiFor(business.owner)).ok(sheetsApi.get, { params: { id: who.userId }, query: { week } })
const join = async (name: string): Promise<Person> => {
  const person = await business.employee({ name })
  await business.db((db) =>
    db
      .insertInto('crewMembers')
      .values({
        businessId: business.id,
        id: newId(),
        crewId,
        userId: person.userId,
        validFrom: '2026-01-01',
        validTo: null,
      })
      .execute(),
  )
  return person
}

describe.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])('a phone that is %s', (name, off) => {
  const day = addDays(today(), -1)
  const next = addDays(day, 1)
  const t = (minute: number): string => instantAt(day, minute, zone)
  /** From half past ten at night: an hour more or less makes another day of it. */
  const night = async (who: Person) => {
    const { visitId } = await aVisit(business, { crewId, day, street: `${newId().slice(-6)} Bay St` })
    const taps: Tap[] = [
      { type: 'clock_in', at: t(1350) },
      { type: 'start', at: t(1380), visitId },
      { type: 'finish', at: t(1410), visitId },
      { type: 'clock_out', at: instantAt(next, 30, zone) },
    ]
    return { visitId, taps, who }
  }
  const expectTrue = async ({ visitId, who }: Awaited<ReturnType<typeof night>>, flags: (string | null)[]) => {
    const visit = await (await apiFor(business.owner)).ok(visitsApi.get, { params: { visitId } })
    expect([visit.startedAt, visit.finishedAt, visit.workedSeconds]).toEqual([t(1380), t(1410), 30 * 60])
    const { entries, days } = await sheetOf(who, day)
    expect(entries.map((one) => [one.startedAt, one.endedAt])).toEqual([[t(1350), instantAt(next, 30, zone)]])
    expect(entries.map((one) => one.flagged)).toEqual(flags)
    expect(days.find((one) => one.day === day)?.workSeconds).toBe(2 * 3600)
  }

  it('has its clock-in, start, finish and clock-out booked when they were, tap by tap', async () => {
    const one = await night(await join(`Tap ${name}`))
    for (const tap of one.taps) expect(await send(one.who, [tap], { sentAt: tap.at, off })).toEqual(['applied'])
    await expectTrue(one, ['skew'])
  })

  it('and all at once, long after, from an app that never heard an answer before', async () => {
    const one = await night(await join(`Late ${name}`))
    const sentAt = instantAt(next, 480, zone)
    expect(await send(one.who, one.taps, { sentAt, off })).toEqual(['applied', 'applied', 'applied', 'applied'])
    await expectTrue(one, ['skew'])
  })

  it('and also when the phone puts its clock right before it sends: what it knew at the tap counts', async () => {
    const one = await night(await join(`Righted ${name}`))
    const known = { behind: -off / 1000, sure: true }
    const sentAt = instantAt(next, 480, zone)
    expect(await send(one.who, one.taps, { sentAt, off, offWhenSent: 0, known })).toEqual([
      'applied',
      'applied',
      'applied',
      'applied',
    ])
    await expectTrue(one, ['skew'])
  })

  it('and what was tapped with a right clock stays, although the clock was set wrong before it was sent', async () => {
    const one = await night(await join(`Set ${name}`))
    const known = { behind: 0, sure: true }
    const sentAt = instantAt(next, 480, zone)
    await send(one.who, one.taps, { sentAt, off: 0, offWhenSent: off, known })
    await expectTrue(one, [null])
  })

  it('and where nobody can say when the clock was set, the time stands as the phone told it and is flagged', async () => {
    const one = await night(await join(`Doubt ${name}`))
    const known = { behind: -off / 1000, sure: false }
    const sentAt = instantAt(next, 480, zone)
    await send(one.who, one.taps, { sentAt, off, offWhenSent: 0, known })
    const { entries, exceptions } = await sheetOf(one.who, dayOf(moved(t(1350), off), zone))
    expect(entries.filter(({ flagged }) => flagged === 'skew')).toHaveLength(1)
    expect(exceptions.map(({ kind }) => kind)).toContain('phone_clock')
  })
})

describe.each([
  ['the night that skips an hour', '2026-03-07', 7, '2026-03-08T06:30:00.000Z', '2026-03-08T07:30:00.000Z', 1],
  ['the night that has an hour twice', '2026-10-31', 9, '2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z', 1],
])('%s', (_, saturday, hours, breakFrom, breakTo, breakHours) => {
  const sunday = addDays(saturday, 1)
  const monday = addDays(saturday, -5)
  const night: Tap[] = [
    { type: 'clock_in', at: instantAt(saturday, 1320, zone) },
    { type: 'break_start', at: breakFrom },
    { type: 'break_end', at: breakTo },
    { type: 'clock_out', at: instantAt(sunday, 360, zone) },
  ]

  it('10 PM to 6 AM with a break over the change is paid by the hours that went by; past forty it is overtime', async () => {
    const who = await join(`Night ${saturday}`)
    for (let n = 0; n < 5; n += 1) {
      const day = addDays(monday, n)
      const taps: Tap[] = [
        { type: 'clock_in', at: instantAt(day, 480, zone) },
        { type: 'clock_out', at: instantAt(day, 960, zone) },
      ]
      for (const tap of taps) expect(await send(who, [tap], { sentAt: tap.at, off: 0 })).toEqual(['applied'])
    }
    for (const tap of night) expect(await send(who, [tap], { sentAt: tap.at, off: 0 })).toEqual(['applied'])
    const sheet = await sheetOf(who, saturday)
    const worked = (hours - breakHours) * 3600
    // 10 PM to 1:30 AM, and what came after the break, each on the day on which it began
    expect(sheet.days.map(({ day, workSeconds, breakSeconds }) => [day, workSeconds, breakSeconds]).slice(5)).toEqual([
      [saturday, 3.5 * 3600, 0],
      [sunday, worked - 3.5 * 3600, breakHours * 3600],
    ])
    expect([sheet.paidSeconds, sheet.regularSeconds, sheet.overtimeSeconds, sheet.doubleSeconds]).toEqual([
      40 * 3600 + worked,
      40 * 3600,
      worked,
      0,
    ])
  })

  it('without a break all of it stands on the day on which it began, also from a phone that was offline and an hour off', async () => {
    const who = await join(`Off ${saturday}`)
    const sentAt = instantAt(sunday, 420, zone)
    const [from, , , to] = night as [Tap, Tap, Tap, Tap]
    expect(await send(who, [from, to], { sentAt, off: -hour })).toEqual(['applied', 'applied'])
    const sheet = await sheetOf(who, saturday)
    expect(sheet.paidSeconds).toBe(hours * 3600)
    expect(sheet.days.filter(({ workSeconds }) => workSeconds > 0).map(({ day }) => day)).toEqual([saturday])
  })
})
