import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks } from '../../../test/api.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import type { TestBusiness } from '../../../test/factories.ts'
import { aBusiness, aPerson } from '../../../test/factories.ts'
import { at, hours, noon, phoneOf } from '../../../test/reviews.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { mergesApi } from '../../merges/contract.ts'
import { suppress } from '../../messages/server/commands.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { automationRunsApi, automationsApi } from '../contract.ts'

let business: TestBusiness
const { api, make, turn, on, done, agree, run, sent, runs, yesTo, approve, setCustomer, setVisit } = automating(
  () => business,
)
const day = hours(24)

beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

describe('a yes of the office', () => {
  const waiting = () => runs({ show: 'waiting' })

  it('is waited for: nothing leaves before, the bell rings, the words are shown as they read and may be changed', async () => {
    await on('visit_done', { approval: 'ask' })
    const { customerId } = await done(3)
    await done(3)
    await Promise.all([run(), run()])
    await runTasks()
    expect(await sent()).toEqual([])
    const { notifications } = await (await api()).ok(notificationsApi.list, { query: {} })
    const rung = notifications.filter(({ title }) => title.includes('wait for your yes'))
    expect(rung.map(({ title }) => title)).toEqual(['2 automatic messages wait for your yes'])
    const mine = (await waiting()).find(({ customer }) => customer.id === customerId)
    expect(mine).toMatchObject({
      status: 'waiting',
      channel: 'email',
      draft: { subject: 'Your visit is done', language: 'en' },
      can: { approve: true, edit: true, drop: true },
    })
    expect(mine?.draft?.text).toContain('Hi Rosa, we were at your place on Friday, June 12.')
    const params = { id: mine?.id ?? '' }
    const edited = await (await api()).ok(automationRunsApi.edit, {
      params,
      body: { text: 'Rosa, the gate is shut again. Thanks!', subject: 'The gate', version: mine?.version ?? 0 },
    })
    const words = { subject: 'The gate', text: 'Rosa, the gate is shut again. Thanks!' }
    expect(edited.draft).toEqual({ ...words, words, language: 'en' })
    const stale = await approve(mine)
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const { body: gone } = await approve(edited)
    expect(gone).toMatchObject({ status: 'sent', decidedByName: business.owner.name, can: { approve: false } })
    expect(await sent()).toMatchObject([{ subject: 'The gate', customerId }])
    expect((await sent())[0]?.bodyText).toContain('the gate is shut again')
    expect((await approve({ ...edited, version: gone.version })).status).toBe(409)
    expect(await sent()).toHaveLength(1)
  })

  it('is given to all that were seen at once, by two people at once, and each leaves once; dropped ones never do', async () => {
    await on('visit_done', { approval: 'ask' })
    for (let n = 0; n < 5; n++) await done(3)
    await run()
    const [drop, ...rest] = await waiting()
    await (await api()).ok(automationRunsApi.drop, {
      params: { id: drop?.id ?? '' },
      body: { version: drop?.version ?? 0 },
    })
    const seen = rest.map(yesTo)
    const press = async () => (await api()).ok(automationRunsApi.approveAll, { body: { runs: seen } })
    const answers = await Promise.all([press(), press()])
    expect(answers.reduce((sum, answer) => sum + answer.sent, 0)).toBe(4)
    expect(await sent()).toHaveLength(4)
    await run()
    expect(await sent()).toHaveLength(4)
    expect((await runs()).map(({ status }) => status).sort()).toEqual(['dropped', 'sent', 'sent', 'sent', 'sent'])
  })

  it.each<[string, (facts: { visitId: string; customerId: string; automationId: string }) => Promise<unknown>, object]>(
    [
      [
        'the visit was opened again',
        ({ visitId }) => setVisit(visitId, { status: 'paused', finishedAt: null }),
        { status: 'canceled', reason: 'What it was about has changed' },
      ],
      [
        'they can no more be reached',
        async ({ customerId }) => {
          await setCustomer(customerId, { phone: null })
          await business.db((db) => suppress(db, 'email', 'rosa@test.swath.test', 'all', 'Bounced'))
        },
        { status: 'skipped', reason: 'No mobile number on file. Bounced' },
      ],
    ],
  )('sends nothing when %s meanwhile, and says so', async (_, change, becomes) => {
    const { id: automationId } = await on('visit_done', { approval: 'ask' })
    const made = await done(3, { email: 'rosa@test.swath.test' })
    await run()
    const [one] = await waiting()
    await change({ ...made, automationId })
    const { body: answer } = await approve(one)
    expect(answer).toMatchObject(becomes)
    expect(await sent()).toEqual([])
  })

  it('comes too late after a week, when its reason is gone, or it is switched off: it waits no longer', async () => {
    const { id } = await on('visit_done', { approval: 'ask' })
    const first = await done(3)
    await done(3)
    await run()
    await setVisit(first.visitId, { status: 'paused', finishedAt: null })
    await run()
    expect((await runs()).map(({ status, reason }) => [status, reason])).toContainEqual([
      'canceled',
      'What it was about has changed',
    ])
    expect(await waiting()).toHaveLength(1)
    at(noon + 8 * day)
    await run()
    expect(await waiting()).toHaveLength(0)
    expect((await runs()).map(({ reason }) => reason)).toContain('Nobody decided within 7 days')
    await done(-8 * 24 + 3)
    await run()
    expect(await waiting()).toHaveLength(1)
    await turn(id, false)
    expect(await waiting()).toHaveLength(0)
    expect((await runs())[0]?.reason).toBe('The automation was switched off')
  })
})

describe('a dry run', () => {
  const dry = async (id: string) => (await api()).ok(automationsApi.dryRun, { params: { id } })

  it('says who would have got it and when, and who would not and why; what then leaves is the same', async () => {
    const automation = await make('visit_done', { channels: ['sms', 'email'], delay: 2 })
    const mailed = await done(24 * 20)
    const texted = await done(15, { phone: phoneOf(1) })
    const nobody = await done(24 * 5, { email: null })
    const stopped = await done(24 * 6, { phone: phoneOf(2), email: null })
    await business.db((db) => suppress(db, 'sms', phoneOf(2), 'all', 'Replied STOP'))
    const twice = await done(24 * 3)
    const second = await done(24 * 2)
    await setVisit(second.visitId, { customerId: twice.customerId, propertyId: twice.propertyId })
    await done(24 * 40)
    const off = await done(24 * 4)
    await (await api()).ok(automationRunsApi.want, {
      params: { id: off.customerId },
      body: { automationId: automation.id, wanted: false },
    })
    const before = await dry(automation.id)
    expect(before.sent.map(({ customer, channel }) => [customer.id, channel])).toEqual([
      [texted.customerId, 'sms'],
      [twice.customerId, 'email'],
      [mailed.customerId, 'email'],
    ])
    expect([before.texts, before.mails, before.segments, before.tooMany]).toEqual([1, 2, 1, false])
    expect(before.sent.map(({ subject }) => subject)).toEqual([null, 'Your visit is done', 'Your visit is done'])
    // done at 9 PM, due at 11 PM: quiet hours hold it until 8 AM
    expect(before.sent[0]?.leavesAt).toBe('2026-06-12T12:00:00.000Z')
    expect(before.sent[0]?.text).toContain('Hi Rosa, we were at your place on Thursday, June 11.')
    const reasons = new Map(before.notSent.map(({ customer, reason }) => [customer.id, reason]))
    expect(reasons.get(nobody.customerId)).toBe('No mobile number or e-mail on file')
    expect(reasons.get(stopped.customerId)).toBe('Replied STOP. No e-mail on file')
    expect(reasons.get(twice.customerId)).toBe('They had it less than 14 days ago')
    expect(reasons.get(off.customerId)).toBe('Switched off for this customer')
    expect(before.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(before.notSent.length)
    expect(await sent()).toEqual([])
    expect(await runs()).toEqual([])

    // live over the same days, an hour at a time
    at(noon - 30 * day)
    await turn(automation.id)
    for (let hour = -30 * 24; hour <= 0; hour += 6) {
      at(noon + hours(hour))
      await run()
    }
    expect((await sent()).map(({ customerId }) => customerId).sort()).toEqual(
      before.sent.map(({ customer }) => customer.id).sort(),
    )
    // the same afterwards: what it really sent does not count against itself
    const after = await dry(automation.id)
    expect(after.sent.map(({ customer }) => customer.id)).toEqual(before.sent.map(({ customer }) => customer.id))
  })

  it('knows what was ahead then and is past now: treatments that were done, offers without consent', async () => {
    const coming = await make('treatment_coming', { delay: 3 })
    const visit = await done(24 * 10)
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
        .where('id', '=', visit.jobId)
        .execute()
    })
    const told = await dry(coming.id)
    expect(told.sent).toMatchObject([{ customer: { id: visit.customerId }, leavesAt: '2026-05-30T16:00:00.000Z' }])
    expect(told.sent[0]?.text).toContain('Tuesday, June 2')
    const offer = await make('dormant', { delay: 30 })
    const silent = await done(24 * 40)
    const agreed = await done(24 * 41, { email: 'yes@test.swath.test' })
    await agree('email', 'yes@test.swath.test')
    const would = await dry(offer.id)
    expect(would.sent.map(({ customer }) => customer.id)).toEqual([agreed.customerId])
    expect(would.notSent.map(({ customer }) => customer.id)).toEqual([silent.customerId])
  })
})

describe('around', () => {
  it('a test goes to who asks at once, at night too, with invented values', async () => {
    const { id } = await make('dormant')
    at(Date.parse('2026-06-13T05:00:00Z'))
    const { to } = await (await api()).ok(automationsApi.test, {
      params: { id },
      body: { channel: 'email', language: 'es' },
    })
    expect(to).toBe(business.owner.email)
    const noPhone = await (await api()).call(automationsApi.test, {
      params: { id },
      body: { channel: 'sms', language: 'en' },
    })
    expect([noPhone.status, noPhone.error.message]).toEqual([409, expect.stringContaining('no mobile number')])
    await runTasks()
    const [mail] = await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['subject', 'bodyText', 'status'])
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'automation_test')
        .execute(),
    )
    expect(mail?.subject).toBe('Test: ¿Ya toca otra vez?')
    expect(mail?.status).toMatch(/sent|delivered/)
    expect(mail?.bodyText).toContain('Hola Rebecca, estuvimos en su casa el martes, 2 de junio.')
    expect(await runs()).toEqual([])
  })

  it('refuses what does not fit, in words, and changes nothing', async () => {
    const { id, version } = await make('visit_done')
    const params = { id }
    const tries = [
      { textEn: 'Hi {nombre}' },
      { textEn: '' },
      { delay: 5000 },
      { delay: 500 },
      { atMinute: 600 },
      { startsOn: '08-01' },
      { channels: [] },
      { channels: ['sms', 'sms'] },
      { everyDays: 0 },
      { name: ' ' },
    ]
    for (const body of tries) {
      const answer = await (await api()).call(automationsApi.update, { params, body: { ...body, version } as never })
      expect([answer.status, JSON.stringify(body)]).toEqual([422, JSON.stringify(body)])
    }
    expect((await (await api()).ok(automationsApi.get, { params })).version).toBe(version)
    const stale = await (await api()).call(automationsApi.update, { params, body: { delay: 5, version: version - 1 } })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const offer = await make('win_back', { subjectEn: '' })
    const noSubject = await (await api()).call(automationsApi.turn, {
      params: { id: offer.id },
      body: { on: true, version: offer.version },
    })
    expect([noSubject.status, noSubject.error.message]).toEqual([409, expect.stringContaining('write a subject')])
    const removed = await (await api()).ok(automationsApi.archive, { params, body: { version } })
    expect(removed).toMatchObject({ archived: true, enabled: false })
    const back = await (await api()).call(automationsApi.turn, { params, body: { on: true, version: removed.version } })
    expect(back.status).toBe(409)
    expect((await (await api()).ok(automationsApi.list, {})).items.map((one) => one.id)).toEqual([offer.id])
  })

  it('is set by who may change settings, decided by who may write to customers, and wants a plan', async () => {
    const { id, version } = await make('visit_done')
    const writes = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
    const none = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    const crew = await business.employee()
    expect((await writes.api.call(automationsApi.list, {})).status).toBe(200)
    expect((await writes.api.call(automationsApi.turn, { params: { id }, body: { on: true, version } })).status).toBe(
      403,
    )
    expect((await none.api.call(automationsApi.list, {})).status).toBe(403)
    expect((await crew.api.call(automationsApi.list, {})).status).toBe(403)
    const lapsed = await aBusiness({ status: 'canceled' })
    expect((await lapsed.api.call(automationsApi.list, {})).status).toBe(200)
    expect((await lapsed.api.call(automationsApi.create, { body: { kind: 'visit_done' } })).status).toBe(402)
    // what is on can be stopped without one, and not begun
    await turn(id)
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ subscriptionStatus: 'canceled' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    expect((await turn(id, false)).enabled).toBe(false)
    const again = await (await api()).call(automationsApi.turn, {
      params: { id },
      body: { on: true, version: version + 2 },
    })
    expect(again.status).toBe(402)
  })

  it('what has no value says so while it waits, and is not sent', async () => {
    await on('visit_done', { approval: 'ask', textEn: 'You owe {balance}.' })
    const { customerId } = await done(3)
    await run()
    expect((await runs())[0]).toMatchObject({ status: 'waiting', problem: 'They owe nothing that is asked for' })
    const one = (await runs())[0]
    const { body: answer } = await approve(one)
    expect(answer).toMatchObject({ status: 'skipped', reason: 'They owe nothing that is asked for' })
    expect(customerId).toBe(answer.customer.id)
  })

  it('one list of all that leaves by itself: what other parts send with their switch and count', async () => {
    const list = async () =>
      new Map((await (await api()).ok(automationsApi.others, {})).items.map((one) => [one.key, one] as const))
    const before = await list()
    expect(before.get('on_way')?.on).toBe(true)
    expect(before.get('receipt')).toEqual({ key: 'receipt', on: null, sentCount: 0 })
    expect(before.get('crew_clock')?.sentCount).toBeNull()
    const { version } = await (await api()).ok(businessesApi.get, {})
    await (await api()).ok(businessesApi.update, { body: { tellOnWay: false, reminders: 'off', version } })
    const { customerId } = await done(3)
    const base = {
      businessId: business.id,
      channel: 'sms',
      address: phoneOf(1),
      customerId,
      bodyText: 'x',
      status: 'sent',
    }
    const keys = [
      `reminder:2026-06-12:${newId()}`,
      `on_way:${newId()}`,
      `on_way:${newId()}`,
      `quote:${newId()}:follow:1:own`,
    ]
    await business.db(async (db) => {
      for (const dedupeKey of keys)
        await db
          .insertInto('messages')
          .values({ ...base, id: newId(), dedupeKey, createdAt: new Date(noon - day).toISOString() } as never)
          .execute()
    })
    const after = await list()
    expect(after.get('on_way')).toMatchObject({ on: false, sentCount: 2 })
    expect(after.get('reminder')).toMatchObject({ on: false, sentCount: 1 })
    expect(after.get('follow_up')).toMatchObject({ on: null, sentCount: 1 })
  })

  it('offers the tags and cities of the customers there are', async () => {
    await done(3, { tags: ['vip', 'gate'] })
    await done(3, { tags: ['vip'] })
    expect(await (await api()).ok(automationsApi.choices, {})).toEqual({ tags: ['vip', 'gate'], cities: ['Savannah'] })
  })

  it('two records that become one keep what they got, and what either did not want', async () => {
    const automation = await on('visit_done')
    const [kept, gone] = [await done(3), await done(3)]
    await run()
    await (await api()).ok(automationRunsApi.want, {
      params: { id: gone.customerId },
      body: { automationId: automation.id, wanted: false },
    })
    await (await api()).ok(mergesApi.merge, {
      params: { id: kept.customerId },
      body: { goneId: gone.customerId, version: 1, goneVersion: 1 },
    })
    expect(await runs({ customerId: kept.customerId })).toHaveLength(2)
    const { items } = await (await api()).ok(automationRunsApi.customer, { params: { id: kept.customerId } })
    expect(items.map(({ wanted }) => wanted)).toEqual([false])
  })
})
