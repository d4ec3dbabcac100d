import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { linkToken } from '../../../../platform/links.ts'
import { addDays, weekdayOf } from '../../../../shared/dates.ts'
import { stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../../test/field.ts'
import { conflictsApi } from '../../../crewapp/conflicts/contract.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { defaultServices } from '../../../services/defaults/rules.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { extrasApi } from '../../contract.ts'
import type { CrewSale } from '../rules.ts'

let business: TestBusiness
let luis: Person
let visitId: string
let customerId: string
let hedgeId: string

const same = { weekly: 100, biweekly: 100, monthly: 100, once: 100 }
const rule = {
  ...defaultServices[0]?.priceRule,
  frequencyPercent: same,
  minCents: 4000,
  tiers: [{ upToSquareFeet: null, centsPerKsqft: 0 }],
}
const setRule = (priceRule: object) =>
  business.db((db) =>
    db
      .updateTable('services')
      .set({ priceRule: JSON.stringify(priceRule) })
      .where('id', '=', hedgeId)
      .execute(),
  )
const sale = (more: Partial<CrewSale> = {}): CrewSale => ({
  serviceId: hedgeId,
  quantity: 2,
  note: 'Along the fence',
  photoIds: [],
  planned: 'today',
  way: 'signature',
  unitCents: 4000,
  signer: 'Rebecca Odom',
  strokes: [{ id: 's1', color: 'red', points: [0.1, 0.5, 0.9, 0.4] }],
  position: { latitude: 32.06, longitude: -81.11, accuracyMeters: 12 },
  ...more,
})
const sell = (more: Partial<CrewSale> = {}, id: string = newId()) => ({
  id,
  type: 'sell' as const,
  visitId,
  at: clock.iso(),
  payload: { sale: sale(more) },
})
const send = async (...commands: object[]) =>
  (await luis.api.ok(crewappApi.commands, { body: { commands: commands as never, sentAt: clock.iso() } })).results
const visit = () => business.api.ok(visitsApi.get, { params: { visitId } })
const extras = async (who: Pick<Person, 'api'> = business) =>
  (await who.api.ok(extrasApi.ofVisit, { params: { visitId } })).items
const only = async () => {
  const [extra, ...more] = await extras()
  if (!extra || more.length > 0) throw new Error(`${more.length} more extras`)
  return extra
}
const needs = async () => (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'extra')

beforeEach(async () => {
  business = await aBusiness({ name: 'Whitfield Lawn' })
  luis = await business.employee({ name: 'Luis Ortega' })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  ;({ visitId, customerId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1, priceCents: 5500 }))
  await publishDay(business, crewId)
  hedgeId = newId()
  await business.db((db) =>
    db
      .insertInto('services')
      .values({
        businessId: business.id,
        id: hedgeId,
        code: 'HEDGE',
        name: 'Hedge trimming',
        category: 'other',
        unit: 'hour',
        soldAtDoor: true,
        priceRule: JSON.stringify(rule),
        timeRule: JSON.stringify({
          ...defaultServices[0]?.timeRule,
          fixedMinutes: 0,
          minutesPerKsqft: 0,
          minutesPerUnit: 60,
        }),
        checklist: JSON.stringify([]),
      })
      .execute(),
  )
  await send({ id: newId(), type: 'start', visitId, at: clock.iso() })
})

it('is told in the history of the visit by its name', async () => {
  await send(sell())
  expect((await visit()).history.map(({ text }) => text)).toContain('Sold Hedge trimming at the door')
})

describe('signed at the door', () => {
  it('stands on the visit at the price that was shown, and what was agreed to is kept word for word', async () => {
    const { sales } = await luis.api.ok(crewappApi.day, {})
    expect(sales).toMatchObject({
      business: 'Whitfield Lawn',
      services: [{ id: hedgeId, name: 'Hedge trimming', unit: 'hour' }],
      stops: [{ visitId, units: { [hedgeId]: 4000 } }],
    })
    const before = (await visit()).budgetMinutes
    const said = sell()
    expect((await send(said, said)).map(({ result }) => result)).toEqual(['applied', 'duplicate'])
    const { lines, priceCents } = await visit()
    expect((await visit()).budgetMinutes).toBe(before + 120)
    expect(lines.map(({ name, totalCents }) => [name, totalCents])).toEqual([
      ['Mow, edge, blow', 5500],
      ['Hedge trimming, 2 hours', 8000],
    ])
    expect(priceCents).toBe(13_500)
    expect(await only()).toMatchObject({
      kind: 'sold',
      state: 'added',
      consent: {
        way: 'signature',
        answer: 'yes',
        signer: 'Rebecca Odom',
        byName: 'Luis Ortega',
        latitude: 32.06,
        words:
          'I agree that Whitfield Lawn does this work at 7 Bay St today: Hedge trimming, 2 hours, for $80.00 plus sales tax where it applies. It is invoiced with the visit.',
        strokes: [{ points: [0.1, 0.5, 0.9, 0.4] }],
      },
    })
    const clerk = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await extras(clerk))[0]).toMatchObject({ priceCents: null, consent: { words: null } })
    for (const change of [
      sql`update extra_consents set words = 'else' where extra_id = ${said.id}`,
      sql`delete from extra_consents where extra_id = ${said.id}`,
    ])
      await expect(business.db((db) => change.execute(db))).rejects.toThrow()
  })

  it('a skip that is booked on another day takes neither the price nor the time of what was sold that day', async () => {
    const { budgetMinutes } = await visit()
    await send(sell(), { id: newId(), type: 'skip', visitId, at: clock.iso(), payload: { reason: 'too_wet' } })
    expect((await visit()).budgetMinutes).toBe(budgetMinutes + 120)
    let day = addDays(today(), 1)
    while (weekdayOf(day) !== 1) day = addDays(day, 1)
    const next = await business.api.ok(visitsApi.rebook, { params: { visitId }, body: { day } })
    expect(next).toMatchObject({ budgetMinutes, priceCents: 5500, lines: [{ name: 'Mow, edge, blow' }] })
  })

  it('waits for the office where the rule says another price by now, and where another day was agreed on: one press makes its job', async () => {
    await send(sell({ unitCents: 3000 }), sell({ planned: 'later' }))
    expect((await visit()).priceCents).toBe(5500)
    const [cheaper, later] = await extras()
    expect([cheaper, later]).toMatchObject([
      { state: 'waiting', priceCents: 6000, rule: '$80.00 by the price book' },
      { state: 'waiting', planned: 'later' },
    ])
    expect(await needs()).toHaveLength(2)
    const { id = '', version = 0 } = later ?? {}
    const booked = await business.api.ok(extrasApi.book, { params: { id }, body: { version } })
    const job = await business.api.ok(jobsApi.get, { params: { id: booked.jobId ?? '' } })
    expect(job).toMatchObject({ title: 'Hedge trimming, 2 hours', lines: [{ totalCents: 8000 }] })
  })

  it('without a price by the rules nobody is asked, and the office prices it', async () => {
    await setRule({ ...rule, tiers: [{ upToSquareFeet: null, centsPerKsqft: 100 }] })
    expect((await luis.api.ok(crewappApi.day, {})).sales?.stops[0]?.units).toEqual({ [hedgeId]: null })
    await send(sell({ way: 'none', unitCents: null, signer: '', strokes: [] }))
    const { id, version, state, priceCents, consent } = await only()
    expect([state, priceCents, consent]).toEqual(['waiting', null, null])
    await business.api.ok(extrasApi.add, { params: { id }, body: { version, priceCents: 7000 } })
    expect((await visit()).priceCents).toBe(12_500)
  })
})

describe('asked by a link', () => {
  const reach = () =>
    business.db((db) =>
      db.updateTable('customers').set({ email: 'rebecca@example.com' }).where('id', '=', customerId).execute(),
    )
  const press = async (id: string, answer: string) => {
    const token = await business.db((db) => linkToken(db, 'extra', id))
    return stranger.raw({
      method: 'POST',
      url: `/extra/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ answer, name: 'Rebecca' }).toString(),
    })
  }

  it('the customer says yes on a page of its own, once; then it stands on the visit', async () => {
    await reach()
    const said = sell({ way: 'link', signer: '', strokes: [], position: null })
    expect((await send(said))[0]?.visit?.extras).toMatchObject([{ state: 'asked' }])
    expect((await visit()).messages).toMatchObject([{ text: expect.stringContaining('Hedge trimming, 2 hours') }])
    const token = await business.db((db) => linkToken(db, 'extra', said.id))
    const page = await stranger.raw({ method: 'GET', url: `/extra/${token}` })
    expect(page.text).toContain('for $80.00 plus sales tax where it applies')
    expect((await press(said.id, 'yes')).text).toContain('We have your OK')
    expect((await press(said.id, 'no')).text).toContain('We have your OK')
    expect(await only()).toMatchObject({ state: 'added', consent: { way: 'link', answer: 'yes', signer: 'Rebecca' } })
    expect((await visit()).priceCents).toBe(13_500)
    expect((await stranger.raw({ method: 'GET', url: '/extra/nothing' })).status).toBe(404)
  })

  it('a no is kept as one, and costs nothing', async () => {
    await reach()
    const said = sell({ way: 'link', signer: '', strokes: [] })
    await send(said)
    expect((await press(said.id, 'no')).text).toContain('We leave it out')
    expect(await only()).toMatchObject({
      state: 'refused',
      consent: { answer: 'no' },
      can: { add: false, book: false },
    })
    expect((await visit()).priceCents).toBe(5500)
  })

  it('a yes after the crew has left puts nothing on the visit: nobody did the work, and the office gives it a day', async () => {
    await reach()
    const said = sell({ way: 'link', signer: '', strokes: [] })
    await send(said, { id: newId(), type: 'finish', visitId, at: clock.iso() })
    expect((await press(said.id, 'yes')).text).toContain('We have your OK')
    expect(await only()).toMatchObject({ state: 'waiting', consent: { answer: 'yes' }, can: { book: true } })
    expect([(await visit()).status, (await visit()).priceCents]).toEqual(['completed', 5500])
    expect(await needs()).toHaveLength(1)
  })

  it('a yes to a price that no rule of ours says, as an old phone or a forged one asks, waits for the office', async () => {
    await reach()
    const said = sell({ way: 'link', signer: '', strokes: [], unitCents: 100 })
    await send(said)
    expect((await press(said.id, 'yes')).text).toContain('We have your OK')
    expect(await only()).toMatchObject({ state: 'waiting', priceCents: 200, rule: '$80.00 by the price book' })
    expect((await visit()).priceCents).toBe(5500)
  })

  it('a page that the office was faster than says so, and takes nobody at a word that they never gave', async () => {
    await reach()
    const said = sell({ way: 'link', signer: '', strokes: [] })
    await send(said)
    const { id, version } = await only()
    await business.api.ok(extrasApi.add, { params: { id }, body: { version } })
    const { text } = await press(said.id, 'no')
    expect(text).toContain('This question is closed')
    expect(text).not.toContain('We have your OK')
    expect((await only()).consent).toBeNull()
  })

  it('a question that came from a phone that was away is open for a week from when it was sent', async () => {
    await reach()
    const at = new Date(clock.nowMs() - 9 * 86_400_000).toISOString()
    const said = { ...sell({ way: 'link', planned: 'later', signer: '', strokes: [] }), at }
    await send(said)
    expect((await press(said.id, 'yes')).text).toContain('We have your OK')
    expect(await only()).toMatchObject({ state: 'waiting', consent: { answer: 'yes' } })
  })

  it('whom nothing reaches is not asked: it waits for the office', async () => {
    const said = sell({ way: 'link', signer: '', strokes: [] })
    await send(said)
    expect(await only()).toMatchObject({ state: 'waiting', consent: null })
    expect(await needs()).toHaveLength(1)
  })
})

it('a crew sells nothing that the office has not ticked, and on the stop of another crew it waits for the office', async () => {
  await business.db((db) => db.updateTable('services').set({ soldAtDoor: false }).where('id', '=', hedgeId).execute())
  expect((await luis.api.ok(crewappApi.day, {})).sales).toBeUndefined()
  await send(sell())
  expect(await only()).toMatchObject({ state: 'waiting', consent: { answer: 'yes' } })
  expect((await visit()).priceCents).toBe(5500)
  await business.db((db) => db.updateTable('services').set({ soldAtDoor: true }).where('id', '=', hedgeId).execute())
  const tom = await business.employee({ name: 'Tom' })
  await aCrew(business, { name: 'South', members: [tom] })
  const [reply] = (await tom.api.ok(crewappApi.commands, { body: { commands: [sell()] } })).results
  expect(reply).toMatchObject({ result: 'conflict', reason: 'not_yours' })
  expect(await extras()).toHaveLength(1)
  await business.api.ok(conflictsApi.decide, {
    params: { id: reply?.id ?? '' },
    body: { decision: 'counts', note: '' },
  })
  expect((await extras()).find(({ byName }) => byName === 'Tom')).toMatchObject({
    state: 'added',
    consent: { signer: 'Rebecca Odom', byName: 'Tom' },
  })
})

it('what was signed at a visit that the office deleted meanwhile waits under Needs you with price and signature, and bills nothing', async () => {
  await business.db((db) => db.deleteFrom('visitLines').where('visitId', '=', visitId).execute())
  await business.db((db) => db.deleteFrom('visits').where('id', '=', visitId).execute())
  const said = { ...sell(), label: '7 Bay St' }
  expect((await send(said, said)).map(({ result, reason }) => [result, reason])).toEqual([
    ['conflict', 'not_found'],
    ['conflict', 'not_found'],
  ])
  const waits = async (who: Pick<Person, 'api'> = business) =>
    (await who.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'conflict')
  expect(await waits()).toMatchObject([
    {
      title: 'Luis sold extra work at 7 Bay St, but the visit was deleted',
      detail: expect.stringContaining(
        'Hedge trimming, 2 hours, signed by Rebecca Odom (Along the fence). Nothing is billed',
      ),
      amountCents: 8000,
      action: {
        kind: 'decide',
        about: 'goneSale',
        commandId: said.id,
        signature: { signer: 'Rebecca Odom', strokes: sale().strokes },
      },
    },
  ])
  const planner = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
  const [shown] = await waits(planner)
  expect([shown?.amountCents, JSON.stringify(shown).includes('80.00')]).toEqual([null, false])
  const billed = async () =>
    (
      await business.db((db) =>
        Promise.all([
          db.selectFrom('invoices').select('id').where('businessId', '=', business.id).execute(),
          db.selectFrom('visitLines').select('id').where('businessId', '=', business.id).execute(),
        ]),
      )
    ).map(({ length }) => length)
  expect(await billed()).toEqual([0, 0])
  await business.api.ok(conflictsApi.decide, {
    params: { id: said.id },
    body: { decision: 'counts', note: 'Booked for Friday' },
  })
  expect(await waits()).toEqual([])
  expect(await billed()).toEqual([0, 0])
  expect((await luis.api.ok(crewappApi.day, {})).answers).toMatchObject([
    { commandId: said.id, decision: 'counts', note: 'Booked for Friday' },
  ])
  // what was agreed to stays on file, word for word
  const kept = await business.db((db) =>
    db
      .selectFrom('crewCommands')
      .select('payload')
      .where('businessId', '=', business.id)
      .where('id', '=', said.id)
      .executeTakeFirstOrThrow(),
  )
  expect(kept.payload).toMatchObject({ sale: { unitCents: 4000, signer: 'Rebecca Odom', strokes: sale().strokes } })
})

it('what a customer signed reaches the office where the server broke over it, and counts once they say so', async () => {
  const said = sell({ note: 'BREAK' })
  await ownerPool().query(`
    create function break_sales() returns trigger language plpgsql as $$ begin raise exception 'broken for a test'; end $$;
    create trigger break_sales before insert on visit_extras for each row when (new.note like '%BREAK%') execute function break_sales();`)
  try {
    expect(await send(said)).toMatchObject([{ result: 'conflict', reason: 'failed' }])
  } finally {
    await ownerPool().query('drop trigger break_sales on visit_extras; drop function break_sales')
  }
  const { needs: all } = await business.api.ok(dashboardApi.get, {})
  expect(all.filter(({ kind }) => kind === 'conflict')).toMatchObject([
    { amountCents: 8000, action: { kind: 'decide', commandId: said.id, signature: { signer: 'Rebecca Odom' } } },
  ])
  expect(await extras()).toEqual([])
  await business.api.ok(conflictsApi.decide, { params: { id: said.id }, body: { decision: 'counts', note: '' } })
  expect((await only()).note).toBe('BREAK')
})
