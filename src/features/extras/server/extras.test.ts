import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { linkToken } from '../../../platform/links.ts'
import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { conflictsApi } from '../../crewapp/conflicts/contract.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { isMowed } from '../../crewapp/extras/rules.ts'
import type { CommandPayload, CommandType } from '../../crewapp/rules.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { listVisitLines } from '../../invoices/batch/server/finished.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { defaultServices } from '../../services/defaults/rules.ts'
import { type ServiceCategory, serviceCategories } from '../../services/rules.ts'
import { visitsApi } from '../../visits/contract.ts'
import type { VisitStatus } from '../../visits/rules.ts'
import { extrasApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let ana: Person
let visitId: string

const steps = [
  { id: 'tall', en: 'Tall grass', es: 'Pasto alto', percent: 50, cents: null },
  { id: 'jungle', en: 'Jungle', es: '', percent: null, cents: 9000 },
]
const setRule = async (change: object = {}, who: Pick<Person, 'api'> = business) => {
  const { version } = await business.api.ok(extrasApi.settings, {})
  return who.api.call(extrasApi.saveSettings, {
    body: { overgrown: { on: true, asks: false, steps, ...change }, version },
  })
}
const tap = (type: CommandType, payload: CommandPayload = {}, id: string = newId()) => ({
  id,
  type,
  visitId,
  at: clock.iso(),
  payload,
})
const overgrown = (stepId = 'tall', id?: string) =>
  tap('overgrown', { overgrown: { stepId, note: 'Up to the knee', photoIds: [newId()] } }, id)
const send = async (who: Person, ...commands: ReturnType<typeof tap>[]) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results
const visit = () => business.api.ok(visitsApi.get, { params: { visitId } })
const extras = async (who: Pick<Person, 'api'> = business) =>
  (await who.api.ok(extrasApi.ofVisit, { params: { visitId } })).items
const needs = async (who: Pick<Person, 'api'> = business) =>
  (await who.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'extra')
const stopOf = async (who: Person) =>
  (await who.api.ok(crewappApi.day, {})).days[0]?.stops.find(({ id }) => id === visitId)
const set = (fields: { status?: VisitStatus; finishedAt?: string; billable?: boolean }) =>
  business.db((db) => db.updateTable('visits').set(fields).where('id', '=', visitId).execute())
const only = async () => {
  const [extra, ...more] = await extras()
  if (!extra || more.length > 0) throw new Error(`${more.length + 1} extras`)
  return extra
}

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  const crewId = await aCrew(business, { name: 'North', members: [luis, ana] })
  ;({ visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1, priceCents: 5501 }))
  await publishDay(business, crewId)
  expect((await setRule()).status).toBe(200)
  await business.db((db) =>
    db
      .updateTable('services')
      .set({
        timeRule: JSON.stringify(defaultServices[0]?.timeRule),
        priceRule: JSON.stringify({
          ...defaultServices[0]?.priceRule,
          tiers: [{ upToSquareFeet: null, centsPerKsqft: 0 }],
        }),
      })
      .where('businessId', '=', business.id)
      .execute(),
  )
  expect((await send(luis, tap('start')))[0]?.result).toBe('applied')
})

describe('by the rule of the business', () => {
  it('stands on the visit as a line of its own at once, in cents, for who sees money, and nothing of it on the phone', async () => {
    const said = overgrown()
    const [reply] = await send(luis, said)
    expect(reply).toMatchObject({
      result: 'applied',
      visit: {
        extras: [
          {
            id: said.id,
            kind: 'overgrown',
            state: 'added',
            titleEs: 'Césped crecido: pasto alto',
            by: 'Luis',
            open: true,
          },
        ],
      },
    })
    expect(JSON.stringify([reply, await luis.api.ok(crewappApi.day, {})])).not.toMatch(/cents|price|\+50/i)
    const { lines, priceCents, serviceNames } = await visit()
    expect(lines.map(({ name, totalCents }) => [name, totalCents])).toEqual([
      ['Mow, edge, blow', 5501],
      ['Overgrown lawn: tall grass', 2751],
    ])
    expect([priceCents, serviceNames]).toEqual([8252, ['Mow, edge, blow', 'Overgrown lawn: tall grass']])
    expect(await only()).toMatchObject({
      state: 'added',
      priceCents: 2751,
      rule: '+50%',
      note: 'Up to the knee',
      byName: 'Luis Ortega',
    })
    const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await extras(clerk))[0]).toMatchObject({
      priceCents: null,
      rule: null,
      can: { add: false, reprice: false },
    })
    expect((await clerk.api.call(extrasApi.settings, {})).status).toBe(403)
    expect(await needs()).toEqual([])
  })

  it('is one upcharge by a second tap, by a repeat, and by a second phone; its photos stand beside those of the first', async () => {
    const said = overgrown()
    expect((await send(luis, said, said, overgrown('jungle'))).map(({ result }) => result)).toEqual([
      'applied',
      'duplicate',
      'applied',
    ])
    expect((await send(ana, overgrown('jungle')))[0]).toMatchObject({ result: 'applied', reason: 'already' })
    expect(await only()).toMatchObject({ id: said.id, priceCents: 2751 })
    expect((await only()).photoIds).toHaveLength(3)
    expect((await visit()).priceCents).toBe(8252)
  })

  it('is invoiced once, under its own name', async () => {
    await send(luis, overgrown('jungle'), tap('finish'))
    const lines = await business.db((db) => listVisitLines(db, [visitId]))
    expect(lines.map(({ name, unitPriceCents }) => [name, unitPriceCents])).toEqual([
      ['Mow, edge, blow', 5501],
      ['Overgrown lawn: jungle', 9000],
    ])
  })

  it('is named on the page of the visit, in the language of the customer', async () => {
    await send(luis, overgrown(), tap('finish'))
    const page = async () => {
      const token = await business.db((db) => linkToken(db, 'visit', visitId))
      return (await stranger.raw({ method: 'GET', url: `/visit/${token}` })).text
    }
    expect(await page()).toContain('Overgrown lawn: tall grass')
    await business.db((db) =>
      db.updateTable('customers').set({ language: 'es' }).where('businessId', '=', business.id).execute(),
    )
    expect(await page()).toContain('Césped crecido: pasto alto')
    expect(await page()).not.toMatch(/\$/)
  })

  it('is taken back by its crew with its price, and can be said again; not once the office has decided or billed', async () => {
    const said = overgrown()
    const back = tap('drop_extra', { extraId: said.id })
    expect((await send(luis, said, back, tap('drop_extra', { extraId: said.id }))).map(({ result }) => result)).toEqual(
      ['applied', 'applied', 'applied'],
    )
    expect((await visit()).priceCents).toBe(5501)
    expect((await stopOf(luis))?.extras).toEqual([])
    const again = overgrown('jungle')
    await send(ana, again)
    expect((await visit()).priceCents).toBe(14_501)
    const { id, version } = (await extras()).find((one) => one.id === again.id) ?? { id: '', version: 0 }
    await business.api.ok(extrasApi.reprice, { params: { id }, body: { priceCents: 4000, version } })
    expect((await visit()).priceCents).toBe(9501)
    expect((await send(ana, tap('drop_extra', { extraId: id })))[0]).toMatchObject({
      result: 'refused',
      reason: 'decided',
    })
    expect((await send(luis, tap('drop_extra', { extraId: newId() })))[0]).toMatchObject({
      result: 'refused',
      reason: 'not_found',
    })
    expect((await visit()).priceCents).toBe(9501)
  })
})

describe('what the crew says of', () => {
  it('a lawn without a photo is refused, and so is one where nobody has begun', async () => {
    const bare = tap('overgrown', { overgrown: { stepId: 'tall', note: '', photoIds: [] } })
    expect((await luis.api.call(crewappApi.commands, { body: { commands: [bare] } })).status).toBe(422)
    await set({ status: 'scheduled' })
    expect((await send(luis, overgrown()))[0]).toMatchObject({ result: 'refused', reason: 'not_started' })
    expect(await extras()).toEqual([])
  })

  it('a visit that is canceled, skipped or billed meanwhile waits for a decision by itself, and stands there once it counts', async () => {
    await set({ status: 'canceled' })
    const said = overgrown()
    expect((await send(luis, said))[0]).toMatchObject({ result: 'conflict', reason: 'canceled' })
    const need = (await business.api.ok(dashboardApi.get, {})).needs.find(({ kind }) => kind === 'conflict')
    expect(need).toMatchObject({
      title: 'Luis found an overgrown lawn at 7 Bay St, but the office had canceled it',
      action: { kind: 'decide', about: 'extra', commandId: said.id },
    })
    const decide = () =>
      business.api.call(conflictsApi.decide, { params: { id: said.id }, body: { decision: 'counts', note: '' } })
    expect((await decide()).error.message).toBe('This visit is canceled. Bring it back first, then decide again.')
    await set({ status: 'in_progress' })
    expect((await decide()).status).toBe(200)
    expect(await only()).toMatchObject({ id: said.id, state: 'added', byName: 'Luis Ortega' })
    await set({ status: 'completed', finishedAt: clock.iso() })
    await business.api.ok(invoicesApi.createBatch, { body: { send: false, grouping: 'visit' } })
    await send(luis, tap('drop_extra', { extraId: said.id }))
    expect((await only()).state).toBe('added')
    expect((await extras())[0]?.can).toEqual({ add: false, reprice: false, decline: false, book: false })
  })

  it("another crew's lawn waits for the office", async () => {
    const other = await business.employee({ name: 'Tom' })
    await aCrew(business, { name: 'South', members: [other] })
    expect((await send(other, overgrown()))[0]).toMatchObject({ result: 'conflict', reason: 'not_yours' })
  })

  it('a visit that nobody is billed for waits, and becomes a job of its own by one press', async () => {
    await set({ billable: false })
    await send(luis, overgrown())
    const { id, version, can } = await only()
    expect(can).toEqual({ add: false, reprice: false, decline: true, book: true })
    const booked = await business.api.ok(extrasApi.book, { params: { id }, body: { version } })
    expect(booked.state).toBe('booked')
    const job = await business.api.ok(jobsApi.get, { params: { id: booked.jobId ?? '' } })
    expect(job).toMatchObject({
      title: 'Overgrown lawn: tall grass',
      lines: [{ unitPriceCents: 2751, undated: { kind: 'waiting' } }],
    })
    expect((await visit()).priceCents).toBe(5501)
  })
})

describe('where the office is asked first', () => {
  beforeEach(async () => {
    await setRule({ asks: true })
  })

  it('it waits in Needs you with its photos, stands on the visit when the office says so, at its price, and leaves it again', async () => {
    expect((await luis.api.ok(crewappApi.day, {})).extras).toEqual({
      overgrown: { asks: true, steps: steps.map(({ id, en, es }) => ({ id, en, es })) },
    })
    const said = overgrown()
    await send(luis, said)
    expect((await visit()).priceCents).toBe(5501)
    expect(await needs()).toMatchObject([
      {
        title: 'Luis at 7 Bay St: Overgrown lawn: tall grass',
        amountCents: 2751,
        visitId,
        detail: '1 photo. “Up to the knee” Put it on the visit, or decline it',
      },
    ])
    await set({ status: 'skipped' })
    expect((await needs())[0]?.detail).toContain('The visit was not done: make it a job of its own, or decline it')
    await set({ status: 'scheduled' })
    const { id, version } = await only()
    const added = await business.api.ok(extrasApi.add, { params: { id }, body: { priceCents: 3000, version } })
    expect([added.state, (await visit()).priceCents]).toEqual(['added', 8501])
    expect(await needs()).toEqual([])
    const stale = await business.api.call(extrasApi.decline, { params: { id }, body: { note: 'No', version } })
    expect(stale.status).toBe(409)
    await business.api.ok(extrasApi.decline, { params: { id }, body: { note: 'They told us', version: added.version } })
    expect((await visit()).priceCents).toBe(5501)
    expect((await stopOf(luis))?.extras).toMatchObject([{ state: 'declined', why: 'They told us', open: false }])
  })

  it('a step of an older rule is never lost: it waits for its price', async () => {
    await send(luis, overgrown('gone'))
    const { id, version, title, priceCents } = await only()
    expect([title, priceCents]).toEqual(['Overgrown lawn', null])
    const unpriced = await business.api.call(extrasApi.add, { params: { id }, body: { version } })
    expect(unpriced.error.errors?.[0]?.message).toBe('Nobody has priced this yet. Type what it costs.')
    await business.api.ok(extrasApi.add, { params: { id }, body: { version, priceCents: 1000 } })
    expect((await visit()).priceCents).toBe(6501)
  })
})

it('tall grass is told of only where something is mowed, and the phone knows that of each stop', async () => {
  const all = (category: ServiceCategory) =>
    business.db((db) => db.updateTable('services').set({ category }).where('businessId', '=', business.id).execute())
  for (const category of serviceCategories) {
    await all(category)
    const stop = await stopOf(luis)
    expect([category, stop?.mows, stop && isMowed(stop)]).toEqual([category, category === 'mow', category === 'mow'])
  }
  await all('treat')
  await business.db(async (db) => {
    const line = await db.selectFrom('visitLines').selectAll().where('visitId', '=', visitId).executeTakeFirstOrThrow()
    const service = await db
      .selectFrom('services')
      .selectAll()
      .where('id', '=', line.serviceId)
      .executeTakeFirstOrThrow()
    const own = { id: newId(), name: 'Mowing too', code: 'MT', category: 'mow' as const }
    await db
      .insertInto('services')
      .values({
        ...service,
        ...own,
        priceRule: JSON.stringify(service.priceRule),
        checklist: JSON.stringify(service.checklist),
      } as never)
      .execute()
    await db
      .insertInto('visitLines')
      .values({ ...line, id: newId(), jobLineId: null, serviceId: own.id, position: 2 })
      .execute()
  })
  const both = await stopOf(luis)
  expect([both?.treatment?.treats, both && isMowed(both)]).toEqual([true, true])
  const [reply] = await send(luis, tap('note', { note: 'Tall' }))
  expect(reply?.visit?.mows).toBe(true)
})

it('switched off it is nothing that crews see, and a business begins that way', async () => {
  const fresh = await aBusiness()
  expect((await fresh.api.ok(extrasApi.settings, {})).overgrown).toMatchObject({
    on: false,
    steps: [{ percent: 50 }, { percent: 100 }],
  })
  await setRule({ on: false })
  expect((await luis.api.ok(crewappApi.day, {})).extras).toBeUndefined()
  const wrong = await setRule({ steps: [{ ...steps[0], cents: 100 }] })
  expect(wrong.error.errors?.[0]?.message).toBe('Say how much it adds: in percent or in dollars, not both.')
})

it('a skip and what is booked in its place cost what the job says, without what the crew found that day', async () => {
  await send(luis, overgrown(), tap('skip', { reason: 'too_wet' }))
  const next = await business.api.ok(visitsApi.rebook, { params: { visitId }, body: { day: aMonday() } })
  expect([next.priceCents, next.lines.map(({ name }) => name)]).toEqual([5501, ['Mow, edge, blow']])
})

const aMonday = () => {
  let day = addDays(today(), 1)
  while (weekdayOf(day) !== 1) day = addDays(day, 1)
  return day
}

it('its photo follows it and stands with it in the panel', async () => {
  const photoId = newId()
  await send(luis, tap('overgrown', { overgrown: { stepId: 'tall', note: '', photoIds: [photoId] } }))
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#7c9444' } })
    .jpeg()
    .toBuffer()
  await luis.api.ok(
    crewappApi.addPhoto,
    { params: { visitId }, query: { id: photoId, kind: 'before' }, body: bytes },
    { 'content-type': 'image/jpeg' },
  )
  expect((await visit()).photos.map(({ id }) => id)).toEqual([photoId])
  expect((await only()).photoIds).toEqual([photoId])
})
