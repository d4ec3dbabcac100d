import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { clock, resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import type { TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { at, hours, noon, phoneOf } from '../../../test/reviews.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { suppress } from '../../messages/server/commands.ts'
import { businessOutbox } from '../../messages/server/delivery/commands.ts'
import { sendFromOutbox } from '../../messages/server/outbox/commands.ts'
import { automationRunsApi, automationsApi } from '../contract.ts'
import { runAutomations } from './runs.ts'

let business: TestBusiness
const { api, make, turn, on, done, agree, run, sent, runs, setCustomer, setVisit } = automating(() => business)
const day = hours(24)

beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

describe('what leaves', () => {
  it('nothing until it is switched on, and then only for what happens after', async () => {
    const { id, enabled } = await make('visit_done')
    expect(enabled).toBe(false)
    await done(3)
    await run()
    expect(await sent()).toEqual([])
    await turn(id)
    await run()
    expect(await sent()).toEqual([])
    at(noon + hours(3))
    await done(-0.5)
    await run()
    expect(await sent()).toHaveLength(1)
    await turn(id, false)
    await done(-1)
    await run()
    expect(await sent()).toHaveLength(1)
  })

  it('comes once after its hours, not sooner, and not twice by three processes, after a second look, or when its delay changes', async () => {
    const automation = await on('visit_done', { delay: 4 })
    const { customerId } = await done(3)
    await run()
    expect(await sent()).toEqual([])
    at(noon + hours(2))
    await Promise.all([run(), run(), run()])
    await run()
    const [mail, ...others] = await sent()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      channel: 'email',
      subject: 'Your visit is done',
      customerId,
      purpose: 'transactional',
    })
    expect(mail?.bodyText).toContain('Hi Rosa, we were at your place on Friday, June 12.')
    const { version } = await (await api()).ok(automationsApi.get, { params: { id: automation.id } })
    await (await api()).ok(automationsApi.update, {
      params: { id: automation.id },
      body: { delay: 1, everyDays: 1, version },
    })
    at(noon + hours(5))
    await run()
    expect(await sent()).toHaveLength(1)
    await runTasks()
    const [one] = await runs()
    expect(one).toMatchObject({ status: 'sent', channel: 'email', customer: { id: customerId } })
    expect(one?.message?.status).toMatch(/sent|delivered/)
  })

  it('a process that dies in the middle leaves nothing half: the next one goes on', async () => {
    await on('visit_done')
    for (let n = 0; n < 6; n++) await done(3 + n / 10)
    const real = clock.iso
    let calls = 0
    Object.assign(clock, {
      iso: () => {
        if (calls++ > 12) throw new Error('killed')
        return real()
      },
    })
    await runAutomations(systemActor(business.id)).catch(() => undefined)
    Object.assign(clock, { iso: real })
    const before = (await sent()).length
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(6)
    await Promise.all([run(), run()])
    const all = await sent()
    expect(all).toHaveLength(6)
    expect(new Set(all.map(({ customerId }) => customerId)).size).toBe(6)
    expect(await runs()).toHaveLength(6)
  })

  it('goes by the first way that is open, in their language, with how to get no more', async () => {
    await on('visit_done', { channels: ['sms', 'email'] })
    await done(3, { phone: phoneOf(1), language: 'es' })
    const shut = await done(3, { phone: phoneOf(2) })
    await business.db((db) => suppress(db, 'sms', phoneOf(2), 'all', 'Replied STOP'))
    await run()
    const messages = await sent()
    const text = messages.find(({ channel }) => channel === 'sms')
    expect(text).toMatchObject({ address: phoneOf(1) })
    expect(text?.bodyText).toBe(
      'Hola Rosa, estuvimos en su casa el viernes, 12 de junio. Si algo no esta como usted quiere, responda aqui. Marsh Side Lawns Responda STOP para no recibir mas.',
    )
    expect(messages.find(({ customerId }) => customerId === shut.customerId)?.channel).toBe('email')
    const { id, version } = (await (await api()).ok(automationsApi.list, {})).items[0] ?? { id: '', version: 0 }
    await (await api()).ok(automationsApi.update, { params: { id }, body: { channels: ['email', 'sms'], version } })
    const next = await done(3, { phone: phoneOf(3) })
    await run()
    expect((await sent()).find(({ customerId }) => customerId === next.customerId)?.channel).toBe('email')
  })

  it('only to whom it is for: service, tag, city, stage, balance; others have no run', async () => {
    const fits = await done(3, { tags: ['vip'], stage: 'active' })
    await done(3, { tags: ['other'], stage: 'active' })
    await done(3, { tags: ['vip'], stage: 'past' })
    const elsewhere = await done(3, { tags: ['vip'], stage: 'active' })
    const owing = await done(3, { tags: ['vip'], stage: 'active' })
    const { serviceId } = await business.db(async (db) => {
      await db
        .updateTable('properties')
        .set({ city: 'Pooler' })
        .where('businessId', '=', business.id)
        .where('customerId', '=', elsewhere.customerId)
        .execute()
      await db
        .insertInto('customerBalances')
        .values({ businessId: business.id, customerId: owing.customerId, balanceCents: 5000 })
        .onConflict((c) => c.columns(['businessId', 'customerId']).doUpdateSet({ balanceCents: 5000 }))
        .execute()
      return db
        .selectFrom('visitLines')
        .select('serviceId')
        .where('businessId', '=', business.id)
        .where('visitId', '=', fits.visitId)
        .executeTakeFirstOrThrow()
    })
    const conditions = { tags: ['vip'], cities: ['savannah'], stages: ['active'], balance: 'none' }
    await on('visit_done', { conditions: { ...conditions, serviceIds: [serviceId] } })
    await run()
    expect((await sent()).map(({ customerId }) => customerId)).toEqual([fits.customerId])
    expect(await runs()).toHaveLength(1)
    const other = await (await api()).call(automationsApi.update, {
      params: { id: (await (await api()).ok(automationsApi.list, {})).items[0]?.id ?? '' },
      body: { conditions: { serviceIds: [newId()] }, version: 3 },
    })
    expect(other.status).toBe(404)
  })

  it('an offer goes only to who agreed, by the address they agreed for, with an address and a way out', async () => {
    await on('dormant', { approval: 'self', delay: 30 })
    const silent = await done(24 * 30 + 1)
    const agreed = await done(24 * 30 + 1, { email: 'yes@test.swath.test', phone: phoneOf(4) })
    await agree('email', 'yes@test.swath.test')
    const off = await done(24 * 30 + 1, { email: 'off@test.swath.test', gets: ['visits'] })
    await agree('email', 'off@test.swath.test')
    await run()
    const messages = await sent()
    expect(messages.map(({ customerId }) => customerId)).toEqual([agreed.customerId])
    expect(messages[0]).toMatchObject({ purpose: 'marketing', channel: 'email' })
    expect(messages[0]?.bodyText).toContain('1 Marsh Rd')
    expect(messages[0]?.bodyText).toMatch(/Get no more offers: http\S+\/u\//)
    const reasons = new Map((await runs()).map(({ customer, reason }) => [customer.id, reason]))
    expect(reasons.get(silent.customerId)).toContain('Never agreed to offers by e-mail')
    expect(reasons.get(off.customerId)).toBe('Gets no offers and news')
  })

  it('nobody gets one too often, of one automation or of all together, and an opt-out holds', async () => {
    await on('visit_done', { everyDays: 10, name: 'Done' })
    const { customerId, propertyId, visitId } = await done(3)
    await run()
    at(noon + 3 * day)
    const again = await done(-69)
    await setVisit(again.visitId, { customerId, propertyId })
    await run()
    expect(await sent()).toHaveLength(1)
    expect((await runs()).find(({ status }) => status === 'skipped')?.reason).toBe('They had it less than 10 days ago')
    // all together
    const { version } = (await (await api()).ok(automationsApi.list, {})).settings
    await (await api()).ok(automationsApi.saveSettings, { body: { mostWeekly: 1, version } })
    await on('visit_skipped')
    await setVisit(visitId, {
      status: 'skipped',
      finishedAt: new Date(clock.nowMs() - hours(2)).toISOString(),
      day: '2026-06-15',
    })
    await run()
    expect(await sent()).toHaveLength(1)
    expect((await runs())[0]?.reason).toBe('They had 1 automatic messages in 7 days, and 1 is the most')
    // one of them off for one customer
    const other = await done(-69)
    const list = await (await api()).ok(automationRunsApi.customer, { params: { id: other.customerId } })
    expect(list.items.map(({ name, wanted }) => [name, wanted])).toEqual([
      ['Done', true],
      ['A visit was skipped', true],
    ])
    const params = { id: other.customerId }
    const [first] = list.items
    await (await api()).ok(automationRunsApi.want, { params, body: { automationId: first?.id ?? '', wanted: false } })
    await run()
    expect((await runs())[0]).toMatchObject({ status: 'skipped', reason: 'Switched off for this customer' })
    const now = await (await api()).ok(automationRunsApi.want, {
      params,
      body: { automationId: first?.id ?? '', wanted: true },
    })
    expect(now.items[0]?.wanted).toBe(true)
  })

  it('what has no value for a variable is not sent, and said', async () => {
    await on('visit_done', { textEn: 'We come again {next visit day}.' })
    await done(3)
    await run()
    expect(await sent()).toEqual([])
    expect((await runs())[0]).toMatchObject({ status: 'skipped', reason: 'No visit is planned' })
  })
})

describe('a last look', () => {
  const night = Date.parse('2026-06-13T03:00:00Z')
  /** A text that quiet hours hold until the morning. */
  const held = async () => {
    const automation = await on('visit_done', { channels: ['sms'] })
    const made = await done(-8, { phone: phoneOf(7) })
    at(night)
    await run()
    await runTasks()
    expect((await sent())[0]).toMatchObject({ status: 'held' })
    return { ...made, automation }
  }
  const morning = async () => {
    at(Date.parse('2026-06-13T13:00:00Z'))
    const [message] = await sent()
    await sendFromOutbox(businessOutbox(business.id), message?.id ?? '')
    return (await sent())[0]
  }

  it('lets it leave in the morning', async () => {
    await held()
    expect((await morning())?.status).toMatch(/sent|delivered/)
  })

  it.each<[string, (facts: Awaited<ReturnType<typeof held>>) => Promise<unknown>, RegExp]>([
    [
      'the visit was opened again',
      ({ visitId }) => setVisit(visitId, { status: 'paused', finishedAt: null }),
      /has changed/,
    ],
    ['it was switched off', ({ automation }) => turn(automation.id, false), /switched off before it left/],
    [
      'the customer was left out',
      async ({ automation, customerId }) =>
        (await api()).ok(automationRunsApi.want, {
          params: { id: customerId },
          body: { automationId: automation.id, wanted: false },
        }),
      /Switched off for this customer/,
    ],
    [
      'they said STOP',
      () => business.db((db) => suppress(db, 'sms', phoneOf(7), 'all', 'Replied STOP')),
      /Replied STOP/,
    ],
    ['they were archived', ({ customerId }) => setCustomer(customerId, { archivedAt: clock.iso() }), /has changed/],
  ])('keeps it back when %s meanwhile', async (_, change, why) => {
    const facts = await held()
    await change(facts)
    const message = await morning()
    expect(message?.status).toBe('suppressed')
    expect(message?.reason).toMatch(why)
  })
})

describe('what begins each kind', () => {
  const customerIds = async () => (await sent()).map(({ customerId }) => customerId)

  it('a visit that a crew skipped', async () => {
    await on('visit_skipped')
    const { customerId } = await done(2, {}, 'skipped')
    await done(2)
    await run()
    expect(await customerIds()).toEqual([customerId])
  })

  it('new work with a first visit, not work that was imported', async () => {
    await on('visit_booked')
    const booked = await aVisit(business, { day: '2026-06-16' })
    const imported = await aVisit(business, { day: '2026-06-16' })
    for (const { customerId } of [booked, imported])
      await setCustomer(customerId, { email: `${customerId}@test.swath.test` })
    await business.db(async (db) => {
      await db
        .updateTable('jobs')
        .set({ createdAt: new Date(noon - hours(2)).toISOString() })
        .where('businessId', '=', business.id)
        .execute()
      const importId = newId()
      await db
        .insertInto('imports')
        .values({ businessId: business.id, id: importId, fileName: 'a.csv', status: 'done' } as never)
        .execute()
      await db
        .updateTable('jobs')
        .set({ importId })
        .where('businessId', '=', business.id)
        .where('id', '=', imported.jobId)
        .execute()
    })
    await run()
    expect(await customerIds()).toEqual([booked.customerId])
    expect((await sent())[0]?.bodyText).toContain('We come first on Tuesday, June 16.')
  })

  it('a treatment some days ahead, named by its own day; moved, it is told of anew', async () => {
    await on('treatment_coming')
    const treated = await aVisit(business, { day: '2026-06-15' })
    await setCustomer(treated.customerId, { email: 'treated@test.swath.test' })
    await business.db(async (db) => {
      const programId = newId()
      await db
        .insertInto('programs')
        .values({ businessId: business.id, id: programId, name: 'Five rounds', steps: '[]' })
        .execute()
      await db
        .updateTable('jobs')
        .set({ programId, programYear: 2026 })
        .where('businessId', '=', business.id)
        .where('id', '=', treated.jobId)
        .execute()
    })
    const mow = await aVisit(business, { day: '2026-06-13' })
    await setVisit(mow.visitId, { customerId: treated.customerId })
    await run()
    await run()
    const [mail, ...others] = await sent()
    expect(others).toEqual([])
    expect(mail?.bodyText).toContain('your next treatment is on Monday, June 15.')
    await setVisit(treated.visitId, { day: '2026-06-20' })
    at(noon + 5 * day)
    await run()
    expect((await sent()).map(({ bodyText }) => /June \d+/.exec(bodyText)?.[0])).toEqual(['June 15', 'June 20'])
  })

  it('a quote that was approved', async () => {
    await on('quote_approved')
    const { customerId, propertyId } = await aVisit(business)
    await setCustomer(customerId, { email: 'quoted@test.swath.test' })
    const quoteId = newId()
    await business.db((db) =>
      db
        .insertInto('quotes')
        .values({
          businessId: business.id,
          id: quoteId,
          number: 77,
          customerId,
          propertyId,
          title: 'Mulch',
          content: '{}',
          status: 'approved',
          approvedAt: new Date(noon - hours(2)).toISOString(),
        } as never)
        .execute(),
    )
    await run()
    expect(await customerIds()).toEqual([customerId])
  })

  it('a job that was canceled, days ago, where nothing else goes on; who comes back gets none', async () => {
    await on('win_back', { approval: 'self', delay: 45 })
    const gone = await done(24 * 60, { email: 'gone@test.swath.test' })
    const back = await done(24 * 60, { email: 'back@test.swath.test' })
    for (const address of ['gone@test.swath.test', 'back@test.swath.test']) await agree('email', address)
    at(noon - 45 * day)
    for (const { jobId } of [gone, back]) {
      const answer = await (await api()).call(jobsApi.act, {
        params: { id: jobId, verb: 'cancel' } as never,
        body: {} as never,
      })
      expect(answer.status).toBe(200)
    }
    at(noon)
    await (await api()).ok(jobsApi.act, { params: { id: back.jobId, verb: 'reactivate' } as never, body: {} as never })
    await run()
    expect(await customerIds()).toEqual([gone.customerId])
  })

  it('the last visit, days ago, with nothing planned since', async () => {
    await on('dormant', { approval: 'self', delay: 120 })
    const last = await done(24 * 120 + 2, { email: 'last@test.swath.test' })
    const planned = await done(24 * 120 + 2, { email: 'planned@test.swath.test' })
    for (const address of ['last@test.swath.test', 'planned@test.swath.test']) await agree('email', address)
    const next = await aVisit(business, { day: '2026-07-01' })
    await setVisit(next.visitId, { customerId: planned.customerId })
    await run()
    expect(await customerIds()).toEqual([last.customerId])
    expect((await sent())[0]?.bodyText).toContain('on Thursday, February 12')
  })

  it('a day of the year, for who has none of the services in it and a lawn that is large enough; once a year', async () => {
    const seeded = await done(24 * 20, { email: 'has@test.swath.test' })
    const { serviceId } = await business.db((db) =>
      db
        .selectFrom('visitLines')
        .select('serviceId')
        .where('businessId', '=', business.id)
        .where('visitId', '=', seeded.visitId)
        .executeTakeFirstOrThrow(),
    )
    const [large, small, before] = [
      await aVisit(business, { day: null }),
      await aVisit(business, { day: null }),
      await done(24 * 300, { email: 'before@test.swath.test' }),
    ]
    await business.db(async (db) => {
      for (const { visitId } of [large, small]) {
        await db.deleteFrom('visitLines').where('businessId', '=', business.id).where('visitId', '=', visitId).execute()
      }
      await db.updateTable('properties').set({ lawnSquareFeet: 5000 }).where('businessId', '=', business.id).execute()
      await db
        .updateTable('properties')
        .set({ lawnSquareFeet: 2000 })
        .where('businessId', '=', business.id)
        .where('id', '=', small.propertyId)
        .execute()
      await db
        .updateTable('customers')
        .set({ createdAt: '2025-01-01T00:00:00Z' })
        .where('businessId', '=', business.id)
        .execute()
    })
    await setCustomer(large.customerId, { email: 'large@test.swath.test' })
    await setCustomer(small.customerId, { email: 'small@test.swath.test' })
    for (const name of ['has', 'large', 'small', 'before']) await agree('email', `${name}@test.swath.test`)
    const unnamed = await make('upsell', { approval: 'self', startsOn: '06-12' })
    const refused = await (await api()).call(automationsApi.turn, {
      params: { id: unnamed.id },
      body: { on: true, version: unnamed.version },
    })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('Choose the service')])
    await on('upsell', { approval: 'self', startsOn: '06-12', conditions: { serviceIds: [serviceId] } })
    await run()
    await run()
    expect((await customerIds()).sort()).toEqual([before.customerId, large.customerId].sort())
    at(Date.parse('2027-06-12T16:00:00Z'))
    await run()
    expect((await sent()).length).toBeGreaterThan(2)
  })
})
