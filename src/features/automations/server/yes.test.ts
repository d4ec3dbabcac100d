import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import { aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { at, hours, noon, phoneOf } from '../../../test/reviews.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { automationRunsApi, automationsApi } from '../contract.ts'

/** Whoever says yes says it to what leaves; and a dry run says what live will do. */

let business: TestBusiness
const { api, make, turn, on, done, agree, run, sent, runs, yesTo, approve, setCustomer, setVisit } = automating(
  () => business,
)
const day = hours(24)
const waiting = () => runs({ show: 'waiting' })
const versionOf = async (id: string) => (await (await api()).ok(automationsApi.get, { params: { id } })).version
const reword = async (id: string, textEn: string) =>
  (await api()).ok(automationsApi.update, { params: { id }, body: { textEn, version: await versionOf(id) } })

beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

const owes = (customerId: string, cents: number) =>
  business.db(async (db) => {
    await db
      .insertInto('invoices')
      .values({
        businessId: business.id,
        id: newId(),
        number: 7001,
        customerId,
        status: 'issued',
        totalCents: cents,
        issueOn: '2026-06-01',
        dueOn: '2026-06-15',
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .execute()
    await db
      .insertInto('customerBalances')
      .values({ businessId: business.id, customerId, balanceCents: cents })
      .execute()
  })

describe('words of one alone', () => {
  it('keep their variables, are checked like a template, and are filled in as they leave, the subject too', async () => {
    await on('visit_done', { approval: 'ask' })
    const { customerId } = await done(3)
    await owes(customerId, 4500)
    await run()
    const writes = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
    const [one] = (await writes.api.ok(automationRunsApi.list, { query: { show: 'waiting' } })).items
    expect(one?.draft?.words.text).toContain('Hi {customer first name}, we were at your place on {last visit day}.')
    const params = { id: one?.id ?? '' }
    const put = (body: { text: string; subject?: string }) =>
      writes.api.call(automationRunsApi.edit, { params, body: { ...body, version: one?.version ?? 0 } })
    const bad = [
      { text: 'Hi {nombre}' },
      { text: 'Hi', subject: 'Open {' },
      { text: 'Hi', subject: ' ' },
      { text: ' ' },
    ]
    for (const body of bad) expect([(await put(body)).status, body]).toEqual([422, body])
    const edited = await put({ text: 'You owe { Balance }: {pay link}', subject: 'For {customer first name}' })
    expect(edited.body.draft).toMatchObject({
      subject: 'For Rosa',
      // who may not see money does not
      text: 'You owe ($): (their link to pay)',
      words: { subject: 'For {customer first name}', text: 'You owe {balance}: {pay link}' },
    })
    const { body } = await writes.api.call(automationRunsApi.approve, { params, body: yesTo(edited.body) })
    expect(body.status).toBe('sent')
    const [mail] = await sent()
    expect(mail?.subject).toBe('For Rosa')
    expect(mail?.bodyText).toMatch(/You owe \$45\.00: http\S+/)
    expect(mail?.bodyText).not.toMatch(/their link|\(\$\)|[{}]/)
  })
})

describe('a yes', () => {
  it('to words that read otherwise by now sends nothing, and shows the new ones', async () => {
    const { id } = await on('visit_done', { approval: 'ask' })
    await done(3)
    await done(3)
    await run()
    const seen = await waiting()
    await reword(id, 'Buy more, {customer first name}!')
    const refused = await approve(seen[0])
    expect([refused.status, refused.error.code]).toEqual([409, 'state_conflict'])
    expect(refused.error.message).toContain('Nothing was sent')
    const many = await (await api()).ok(automationRunsApi.approveAll, { body: { runs: seen.map(yesTo) } })
    expect(many).toEqual({ sent: 0, notSent: 0, changed: 2 })
    expect(await sent()).toEqual([])
    const now = await waiting()
    expect(now.map(({ draft }) => draft?.text)).toEqual(['Buy more, Rosa!', 'Buy more, Rosa!'])
    const sentNow = await (await api()).ok(automationRunsApi.approveAll, { body: { runs: now.map(yesTo) } })
    expect(sentNow).toEqual({ sent: 2, notSent: 0, changed: 0 })
  })

  it('to a text that would leave as a mail by now waits for another one', async () => {
    await on('visit_done', { approval: 'ask' })
    const { customerId } = await done(3, { phone: phoneOf(1) })
    await run()
    const [one] = await waiting()
    expect(one?.channel).toBe('sms')
    await setCustomer(customerId, { phone: null })
    expect((await approve(one)).body).toMatchObject({ channel: 'email', status: 'waiting' })
    expect(await sent()).toEqual([])
    const [now] = await waiting()
    expect(now).toMatchObject({ channel: 'email', status: 'waiting' })
    expect((await approve(now)).body.status).toBe('sent')
  })

  it('is asked for by the bell until none waits; dropping needs no plan, and without one nothing begins', async () => {
    await on('visit_done', { approval: 'ask' })
    await done(3)
    await run()
    await runTasks()
    const rings = async () =>
      (await (await api()).ok(notificationsApi.list, { query: {} })).notifications
        .filter(({ title }) => title.includes('your yes'))
        .map(({ read }) => read)
    expect(await rings()).toEqual([false])
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ subscriptionStatus: 'canceled' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await done(2.5)
    await run()
    const [one, ...others] = await waiting()
    expect(others).toEqual([])
    expect((await approve(one)).status).toBe(402)
    await (await api()).ok(automationRunsApi.drop, {
      params: { id: one?.id ?? '' },
      body: { version: one?.version ?? 0 },
    })
    expect(await rings()).toEqual([true])
  })
})

describe('one that fails', () => {
  it('stops no other, and comes with the next run', async () => {
    await on('visit_done')
    for (let n = 0; n < 6; n++) await done(3 + n / 10)
    const real = clock.iso
    let calls = 0
    Object.assign(clock, {
      iso: () => {
        if (calls++ === 12) throw new Error('once')
        return real()
      },
    })
    await expect(run()).rejects.toThrow()
    Object.assign(clock, { iso: real })
    expect(await sent()).toHaveLength(5)
    await run()
    expect(await sent()).toHaveLength(6)
  })
})

describe('a dry run', () => {
  const dry = async (id: string) => (await api()).ok(automationsApi.dryRun, { params: { id } })

  it('leaves out who has no value for a variable, counts what was sent before its days, and the words of a text as it leaves', async () => {
    const hole = await make('visit_done', { textEn: 'We come again {next visit day}.' })
    await done(24 * 3)
    expect(await dry(hole.id)).toMatchObject({ sent: [], reasons: [{ reason: 'No visit is planned', count: 1 }] })

    // what left 31 days ago keeps a visit of 25 days ago from being told
    at(noon - 31 * day)
    const { id } = await on('visit_done')
    const early = await done(31 * 24 + 2)
    await run()
    expect(await sent()).toHaveLength(1)
    at(noon)
    const later = await done(24 * 25)
    await setVisit(later.visitId, { customerId: early.customerId, propertyId: early.propertyId })
    const long = 'x'.repeat(150)
    await reword(id, long)
    await done(24 * 2, { phone: phoneOf(1) })
    const would = await dry(id)
    const own = would.notSent.filter(({ customer }) => customer.id === early.customerId)
    expect(own.map(({ reason }) => reason)).toEqual(['They had it less than 14 days ago'])
    // with how to get no more, which the first text says, it is two segments
    expect([would.texts, would.segments]).toEqual([1, 2])
    expect(would.sent.find(({ channel }) => channel === 'sms')?.text).toBe(`${long} Reply STOP to opt out.`)
  })
})

describe('once', () => {
  it('a year, on whatever day of it the offer is made', async () => {
    const { customerId } = await aVisit(business, { day: null })
    await business.db(async (db) => {
      await db.deleteFrom('visitLines').where('businessId', '=', business.id).execute()
      await db.updateTable('properties').set({ lawnSquareFeet: 5000 }).where('businessId', '=', business.id).execute()
    })
    await setCustomer(customerId, { email: 'large@test.swath.test', createdAt: '2025-01-01T00:00:00Z' })
    await agree('email', 'large@test.swath.test')
    const services = await business.db((db) =>
      db.selectFrom('services').select('id').where('businessId', '=', business.id).execute(),
    )
    const conditions = { serviceIds: services.map(({ id }) => id) }
    const { id } = await on('upsell', { approval: 'self', startsOn: '06-12', everyDays: 1, conditions })
    await run()
    expect(await sent()).toHaveLength(1)
    await (await api()).ok(automationsApi.update, {
      params: { id },
      body: { startsOn: '06-20', version: await versionOf(id) },
    })
    at(noon + 8 * day)
    await run()
    expect(await runs()).toHaveLength(1)
  })

  it('not seen for a while is nobody whose work waits for a day', async () => {
    await on('dormant', { approval: 'self' })
    const last = await done(24 * 120 + 2, { email: 'last@test.swath.test' })
    await agree('email', 'last@test.swath.test')
    const next = await aVisit(business, { day: null })
    await setVisit(next.visitId, { customerId: last.customerId })
    await run()
    expect(await runs()).toEqual([])
  })

  it('what was over two years ago is forgotten, what waits is not', async () => {
    const { id } = await on('visit_done')
    await done(3)
    await run()
    expect(await runs()).toHaveLength(1)
    await turn(id, false)
    at(Date.now() + 801 * day)
    await run()
    expect(await runs()).toEqual([])
  })
})
