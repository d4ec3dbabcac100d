import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { timeclockApi } from '../../timeclock/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'

let business: TestBusiness
let luis: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega', wageCents: 2100 })
  crewId = await aCrew(business, { name: 'North', members: [luis] })
})

const ago = (minutes: number): string => new Date(clock.nowMs() - minutes * 60_000).toISOString()
const command = (type: CommandType, visitId: string | undefined, minutesAgo = 0, payload: CommandPayload = {}) => ({
  id: newId(),
  type,
  visitId,
  at: ago(minutesAgo),
  payload,
})
type Sent = ReturnType<typeof command>
const send = (person: Person, ...commands: Sent[]) =>
  person.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })
const outcomes = async (person: Person, ...commands: Sent[]) =>
  (await send(person, ...commands)).results.map((r) => [r.result, r.reason])
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })

describe('commands of a phone', () => {
  it('apply in order, tell the visit back, and once: the same batch twice and at once', async () => {
    const { visitId } = await aVisit(business, { crewId })
    const batch = [
      command('en_route', visitId, 50),
      command('start', visitId, 40),
      command('pause', visitId, 30),
      command('resume', visitId, 20),
      command('finish', visitId, 10, { note: 'Sprinkler head broken' }),
    ]
    const both = await Promise.all([send(luis, ...batch), send(luis, ...batch)])
    const results = both.flatMap((b) => b.results.map((r) => r.result)).sort()
    expect(results).toEqual([...Array(5).fill('applied'), ...Array(5).fill('duplicate')])
    expect(await outcomes(luis, ...batch)).toEqual(Array(5).fill(['duplicate', null]))
    expect(await visitOf(visitId)).toMatchObject({
      status: 'completed',
      workedSeconds: 20 * 60,
      note: 'Sprinkler head broken',
      finishedByName: 'Luis Ortega',
    })
  })

  it('tolerate the wrong order and what a colleague has done already', async () => {
    const ana = await business.employee({ name: 'Ana' })
    const crew = await aCrew(business, { members: [luis, ana] })
    const { visitId } = await aVisit(business, { crewId: crew })
    const reply = await send(ana, command('finish', visitId, 5))
    expect(reply.results[0]).toMatchObject({ result: 'applied', visit: { status: 'completed' } })
    const visit = await visitOf(visitId)
    expect(visit.startedAt).toBe(visit.finishedAt)
    expect(await outcomes(luis, command('start', visitId), command('finish', visitId))).toEqual([
      ['applied', 'already'],
      ['applied', 'already'],
    ])
    expect((await visitOf(visitId)).version).toBe(visit.version)
    const both = await aVisit(business, { crewId: crew })
    const finishes = await Promise.all(
      [luis, ana].map(async (person) => (await outcomes(person, command('finish', both.visitId)))[0]?.[1]),
    )
    expect(finishes.sort()).toEqual(['already', null])
  })

  it('leave what is not theirs to the office, and tell nothing of other businesses', async () => {
    const other = await aBusiness()
    const foreign = await aVisit(other)
    const elsewhere = await aVisit(business, { crewId: await aCrew(business) })
    const reply = await send(luis, command('start', foreign.visitId), command('start', elsewhere.visitId))
    expect(reply.results.map((r) => [r.result, r.reason, r.visit])).toEqual([
      ['conflict', 'not_found', null],
      ['conflict', 'not_yours', null],
    ])
    expect((await visitOf(elsewhere.visitId)).status).toBe('scheduled')
    const owner = await outcomes(business.owner, command('start', elsewhere.visitId))
    expect(owner).toEqual([['conflict', 'not_yours']])
    const once = command('clock_in', undefined)
    await send(luis, once)
    const ana = await business.employee()
    expect(await outcomes(ana, once)).toEqual([['refused', 'other_person']])
    await send(luis, command('clock_out', undefined))
  })

  it('keep the time of work on a visit that the office canceled, and tell the office once', async () => {
    const { visitId } = await aVisit(business, { crewId, street: '7 Bay St' })
    await business.api.ok(visitsApi.cancel, { params: { visitId }, body: {} })
    const batch = [command('start', visitId, 30), command('finish', visitId, 5)]
    expect(await outcomes(luis, ...batch)).toEqual([
      ['conflict', 'canceled'],
      ['conflict', 'canceled'],
    ])
    expect(await outcomes(luis, ...batch)).toEqual([
      ['conflict', 'canceled'],
      ['conflict', 'canceled'],
    ])
    const visit = await visitOf(visitId)
    expect(visit).toMatchObject({ status: 'canceled', workedSeconds: 25 * 60 })
    expect(visit.conflicts.map((c) => c.type)).toEqual(['start', 'finish'])
    await runTasks()
    const told = await business.db((db) =>
      db
        .selectFrom('notifications')
        .select('title')
        .where('businessId', '=', business.id)
        .where('userId', '=', business.owner.userId)
        .orderBy('id')
        .execute(),
    )
    expect(told.map((n) => n.title)).toContain('Luis finished 7 Bay St, but the office had canceled it')
    expect(told.filter((n) => n.title.includes('finished 7 Bay St'))).toHaveLength(1)
  })

  it('work on a stop that the office moved meanwhile stands on the day on which it was done; the phone was told', async () => {
    const ana = await business.employee({ name: 'Ana' })
    const crew = await aCrew(business, { members: [ana] })
    const { visitId } = await aVisit(business, { crewId: crew, street: '9 Moved St' })
    await publishDay(business, crew)
    await send(ana, command('en_route', visitId, 20))
    const later = addDays(today(), 3)
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ workDays: [0, 1, 2, 3, 4, 5, 6] })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await business.api.ok(visitsApi.move, { params: { visitId }, body: { day: later, crewId: null } })
    const stop = (await ana.api.ok(crewappApi.day, {})).days[0]?.stops.find((one) => one.id === visitId)
    expect(stop?.movedTo).toBe(later)
    const told = await business.db((db) =>
      db.selectFrom('notifications').select('title').where('userId', '=', ana.userId).execute(),
    )
    expect(told.some(({ title }) => title.startsWith('The office moved 9 Moved St to '))).toBe(true)
    expect(await outcomes(ana, command('start', visitId, 10), command('finish', visitId, 1))).toEqual([
      ['applied', null],
      ['applied', null],
    ])
    const visit = await visitOf(visitId)
    expect(visit).toMatchObject({ status: 'completed', day: today(), crewId: crew })
    expect(visit.history.some(({ text }) => text.startsWith('Stands where it was worked'))).toBe(true)
  })

  it('skip with a reason, take it back, and leave bad ones alone without holding up the others', async () => {
    const { visitId } = await aVisit(business, { crewId })
    expect(
      await outcomes(
        luis,
        command('skip', visitId, 0, {}),
        command('skip', visitId, 0, { reason: 'other' }),
        command('skip', visitId, 0, { reason: 'locked_gate' }),
        command('undo_skip', visitId),
        command('check', visitId, 0, { item: 'Close the gate', done: true }),
        command('note', visitId, 0, { note: 'Back yard tomorrow' }),
      ),
    ).toEqual([
      ['refused', 'invalid'],
      ['refused', 'invalid'],
      ['applied', null],
      ['applied', null],
      ['applied', null],
      ['applied', null],
    ])
    expect(await visitOf(visitId)).toMatchObject({
      status: 'scheduled',
      skipReason: null,
      checked: ['Close the gate'],
      note: 'Back yard tomorrow',
    })
  })

  it('skip what was begun, with the time it took; a skip from before that comes late ends nothing', async () => {
    const { visitId } = await aVisit(business, { crewId })
    expect(
      await outcomes(
        luis,
        command('start', visitId, 30),
        command('skip', visitId, 40, { reason: 'dog' }),
        command('skip', visitId, 10, { reason: 'too_wet' }),
      ),
    ).toEqual([
      ['applied', null],
      ['conflict', 'begun'],
      ['applied', null],
    ])
    expect(await visitOf(visitId)).toMatchObject({ status: 'skipped', skipReason: 'too_wet', workedSeconds: 20 * 60 })
    await outcomes(luis, command('undo_skip', visitId, 9), command('start', visitId, 8), command('finish', visitId, 3))
    expect(await visitOf(visitId)).toMatchObject({ status: 'completed', skipReason: null, workedSeconds: 25 * 60 })
  })

  it('flag a phone whose clock is off, and put its time right', async () => {
    const eve = await business.employee({ name: 'Eve Moss' })
    const at = ago(20)
    const late = new Date(clock.nowMs() - 10 * 60_000).toISOString()
    await eve.api.ok(crewappApi.commands, {
      body: { commands: [{ id: newId(), type: 'clock_in', at, payload: {} }], sentAt: late },
    })
    const entry = await business.db((db) =>
      db
        .selectFrom('timeEntries')
        .selectAll()
        .where('businessId', '=', business.id)
        .where('userId', '=', eve.userId)
        .executeTakeFirstOrThrow(),
    )
    expect(entry.flagged).toBe('skew')
    expect(Math.abs(entry.skewSeconds - 600)).toBeLessThan(5)
    expect(Math.abs(Date.parse(entry.startedAt) - Date.parse(ago(10)))).toBeLessThan(5000)
    await runTasks()
    const told = await business.db((db) =>
      db.selectFrom('notifications').select('title').where('businessId', '=', business.id).execute(),
    )
    expect(told.map((n) => n.title)).toContain('The phone of Eve Moss is 10 min behind')
  })
})

describe("the crew's day", () => {
  it('is what was sent, in order, with what the crew must know', async () => {
    const own = await aBusiness()
    const [a, b] = [await own.employee({ name: 'Ana Diaz' }), await own.employee({ name: 'Bo Hill' })]
    const crew = await aCrew(own, { members: [a, b] })
    const second = await aVisit(own, { crewId: crew, position: 2, street: '2 Oak St' })
    const first = await aVisit(own, {
      crewId: crew,
      position: 1,
      street: '1 Oak St',
      dog: 'Dog in back yard',
      gateCode: '4711#',
      customer: 'Rebecca Odom',
      startMinute: 430,
    })
    await publishDay(own, crew)
    const late = await aVisit(own, { crewId: crew, position: 3, street: '3 Oak St' })
    const tomorrow = await aVisit(own, { crewId: crew, day: addDays(today(), 1) })
    const bundle = await a.api.ok(crewappApi.day, {})
    expect(bundle.days.map((d) => [d.day, d.published, d.stops.map((s) => s.id)])).toEqual([
      [today(), true, [first.visitId, second.visitId]],
      [addDays(today(), 1), false, [tomorrow.visitId]],
      [addDays(today(), 2), false, []],
    ])
    expect(bundle.days[0]?.stops[0]).toMatchObject({
      order: 1,
      customer: 'R. Odom',
      services: ['Mow, edge, blow'],
      people: 2,
      plannedStartMinute: 430,
      hasGateCode: true,
      notes: { dog: 'Dog in back yard' },
      checklist: [{ text: 'Close the gate', required: false }],
    })
    expect(JSON.stringify(bundle)).not.toContain('4711')
    expect(JSON.stringify(bundle)).not.toContain(late.visitId)
    const { jobs } = await a.api.ok(crewappApi.todayJobs, {})
    expect(jobs.map((j) => j.street)).toEqual(['1 Oak St', '2 Oak St'])
    const { route } = await a.api.ok(crewappApi.todayRoute, {})
    expect(route?.crew?.members).toEqual(['Ana', 'Bo'])
  })

  it('works for an owner who is on a crew, and is empty for one who is not', async () => {
    const own = await aBusiness()
    expect((await own.api.ok(crewappApi.todayRoute, {})).route).toBeNull()
    const crew = await aCrew(own, { members: [own.owner] })
    const { visitId } = await aVisit(own, { crewId: crew })
    const reply = await own.api.ok(crewappApi.commands, {
      body: { commands: [command('clock_in', undefined), command('start', visitId)], sentAt: clock.iso() },
    })
    expect(reply.results.map((r) => r.result)).toEqual(['applied', 'applied'])
    expect((await own.api.ok(timeclockApi.clock, {})).state).toBe('working')
  })

  it('holds no money, whatever an employee asks for', async () => {
    const { visitId } = await aVisit(business, { crewId, priceCents: 98_765 })
    const answers = [
      await luis.api.ok(crewappApi.profile, {}),
      await luis.api.ok(crewappApi.setLanguage, { body: { language: 'es' } }),
      await luis.api.ok(crewappApi.day, {}),
      await luis.api.ok(crewappApi.todayJobs, {}),
      await luis.api.ok(crewappApi.todayRoute, {}),
      await luis.api.ok(timeclockApi.clock, {}),
      await luis.api.ok(timeclockApi.entries, { query: { from: today(), to: today() } }),
      await send(luis, command('start', visitId), command('finish', visitId)),
    ]
    const names: string[] = []
    const walk = (value: unknown): void => {
      if (typeof value === 'number') expect(value).not.toBe(98_765)
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.push(key)
        walk(inner)
      }
    }
    walk(answers)
    expect(names).toContain('budgetMinutes')
    expect(names.filter((n) => /cents|price|cost|wage|rate|amount|revenue|invoice/i.test(n))).toEqual([])
    expect(answers[1]).toMatchObject({ employee: { language: 'es' } })
    expect((await luis.api.call(visitsApi.list, {})).status).toBe(403)
    expect((await luis.api.call(visitsApi.get, { params: { visitId } })).status).toBe(403)
  })
})

describe('gate codes', () => {
  it('show only to the crew of the day, and each look is written down', async () => {
    const { visitId, propertyId } = await aVisit(business, { crewId, gateCode: '4711#' })
    const ask = (person: Person, id = visitId) => person.api.call(crewappApi.gateCode, { params: { visitId: id } })
    expect((await ask(luis)).body).toEqual({ code: '4711#' })
    const other = await business.employee()
    expect((await ask(other)).status).toBe(404)
    const foreign = await aBusiness()
    expect((await ask(await foreign.employee())).status).toBe(404)
    const coming = await aVisit(business, { crewId, gateCode: 'SESAME', day: addDays(today(), 1) })
    const early = await ask(luis, coming.visitId)
    expect([early.status, early.text.includes('SESAME')]).toEqual([403, false])
    const seen = await business.db((db) =>
      db
        .selectFrom('gateCodeReveals')
        .select(['userId', 'visitId'])
        .where('businessId', '=', business.id)
        .where('propertyId', '=', propertyId)
        .execute(),
    )
    expect(seen).toEqual([{ userId: luis.userId, visitId }])
  })

  it('that were looked at without a signal are written down once, with their time, also where the stop went to others', async () => {
    const { visitId, propertyId } = await aVisit(business, { crewId, gateCode: '4711#' })
    const elsewhere = await aVisit(await aBusiness(), { gateCode: 'SESAME' })
    const looked = command('gate_seen', visitId, 45)
    const unknown = command('gate_seen', elsewhere.visitId, 45)
    const { results } = await send(luis, looked, unknown)
    expect(results.map(({ result, visit }) => [result, visit?.id])).toEqual([
      ['applied', visitId],
      ['applied', undefined],
    ])
    expect((await send(luis, looked)).results[0]?.result).toBe('duplicate')
    const other = await business.employee()
    expect((await send(other, command('gate_seen', visitId, 5))).results[0]).toMatchObject({ visit: null })
    const seen = await business.db((db) =>
      db
        .selectFrom('gateCodeReveals')
        .select(['userId', 'propertyId', 'at'])
        .where('businessId', '=', business.id)
        .where('propertyId', '=', propertyId)
        .orderBy('at')
        .execute(),
    )
    expect(seen.map((one) => [one.userId, one.propertyId])).toEqual([
      [luis.userId, propertyId],
      [other.userId, propertyId],
    ])
    expect(Math.abs(Date.parse(String(seen[0]?.at)) - Date.parse(looked.at))).toBeLessThan(2_000)
  })
})

describe('photos', () => {
  const photo = (width = 2400, height = 1800) =>
    sharp({ create: { width, height, channels: 3, background: '#3c8f4f' } })
      .withExif({ IFD0: { Make: 'SecretPhone' }, IFD3: { GPSLatitude: '32/1 3/1 0/1' } })
      .jpeg()
      .toBuffer()
  const add = (person: Person, visitId: string, id: string, body: Uint8Array, headers?: Record<string, string>) =>
    person.api.call(crewappApi.addPhoto, { params: { visitId }, query: { id, kind: 'before' }, body }, headers)

  it('are made smaller, lose what they say of the phone, and are kept once', async () => {
    const { visitId } = await aVisit(business, { crewId })
    const [id, bytes] = [newId(), await photo()]
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const [first, second] = await Promise.all([add(luis, visitId, id, bytes), add(luis, visitId, id, bytes)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect((await add(luis, visitId, id, bytes)).body.id).toBe(id)
    const { photos, photoCount } = await visitOf(visitId)
    expect(photoCount).toBe(1)
    const file = await (await import('../../../test/api.ts')).testServer()
    const got = await file.inject(photos[0]?.url ?? '')
    expect(got.statusCode).toBe(200)
    expect(got.headers['content-type']).toBe('image/jpeg')
    expect(got.headers['x-content-type-options']).toBe('nosniff')
    expect(got.headers['content-security-policy']).toContain('sandbox')
    const meta = await sharp(got.rawPayload).metadata()
    expect([meta.width, meta.height, meta.exif, meta.icc]).toEqual([1600, 1200, undefined, undefined])
    expect(got.rawPayload.includes('SecretPhone')).toBe(false)
    const bundle = await luis.api.ok(crewappApi.todayJobs, {})
    expect(bundle.jobs.find((j) => j.id === visitId)?.photos.before).toBe(1)
  })

  it('are only what they say they are', async () => {
    const { visitId } = await aVisit(business, { crewId })
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1')
    const cases: [string, Uint8Array, Record<string, string>][] = [
      ['garbage', Buffer.from('not a photo at all'), { 'content-type': 'image/jpeg' }],
      ['an iPhone original', heic, { 'content-type': 'image/heic' }],
      ['half a photo', (await photo()).subarray(0, 900), { 'content-type': 'image/jpeg' }],
      ['a script', Buffer.from('<svg onload="alert(1)"/>'), { 'content-type': 'image/svg+xml' }],
    ]
    for (const [name, body, headers] of cases) {
      const answer = await add(luis, visitId, newId(), body, headers)
      expect([name, answer.status, answer.error.code]).toEqual([name, 415, 'unsupported_media'])
    }
    expect((await visitOf(visitId)).photoCount).toBe(0)
  })

  it('are on a visit of their own crew only, wait for the office otherwise, and an address that was touched opens nothing', async () => {
    const { visitId } = await aVisit(business, { crewId })
    const bytes = await photo(40, 30)
    const foreign = await aBusiness()
    for (const other of [await business.employee(), await foreign.employee()])
      expect((await add(other, visitId, newId(), bytes)).status).toBe(200)
    expect((await visitOf(visitId)).photoCount).toBe(0)
    const { body } = await add(luis, visitId, newId(), bytes)
    const [path, own] = [body.url, business.id as string]
    expect((await stranger.raw({ method: 'GET', url: path.replace(own, foreign.id) })).status).toBe(404)
    const later = path.replace(/\/(\d{10})\//, (_, s) => `/${Number(s) + 3600}/`)
    expect((await stranger.raw({ method: 'GET', url: later })).status).toBe(404)
  })
})
