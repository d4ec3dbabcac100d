import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lawnsApi } from '../../../../features/analytics/lawns/contract.ts'
import { pricesApi } from '../../../../features/jobs/prices/contract.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson } from '../../../../test/factories.ts'
import {
  aJob,
  at,
  begin,
  fromOn,
  leave,
  list,
  messages,
  minute,
  own,
  preview,
  pricesOf,
  print,
  send,
  today,
  work,
} from '../../../../test/letters.ts'
import { costingApi } from '../../costing/contract.ts'

beforeEach(begin)
afterEach(resetClock)

describe('lawns that earn less than the target', () => {
  it('are listed with the price that reaches it, by the price of now, as the service is rounded', async () => {
    const poor = await aJob(4200, { name: 'Bob Low', street: '9 Elm Ave' }, { visits: 4 })
    await aJob(6000, { name: 'Ann Even' })
    const few = await aJob(4200, { name: 'Cy New' }, { visits: 1 })
    // a clock that was forgotten raises nobody's price
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ workedSeconds: 18_000 })
        .where('businessId', '=', own.id)
        .where('jobId', '=', poor.id)
        .where('day', '=', addDays(today, -28))
        .execute(),
    )
    const { items, count, left, told, earliestOn, noticeDays } = await list()
    expect([count, told, noticeDays, earliestOn]).toEqual([1, 3, 30, fromOn])
    expect(items).toMatchObject([
      {
        lineId: poor.lineId,
        customerName: 'Bob Low',
        street: '9 Elm Ave',
        completions: 3,
        laborMinutes: 60,
        unitPriceCents: 4200,
        earnedCents: 4200,
        suggestedCents: 6000,
      },
    ])
    // four and a third visits a month, $18.00 each
    expect(items[0]?.monthCents).toBe(7826)
    expect(left).toMatchObject([{ lineId: few.lineId, reason: 'fewVisits' }])
    await own.db((db) =>
      db
        .updateTable('services')
        .set({ priceRule: JSON.stringify({ roundToCents: 500 }) })
        .where('businessId', '=', own.id)
        .execute(),
    )
    await own.db((db) =>
      db.updateTable('businesses').set({ targetLaborHourCents: 6100 }).where('businessId', '=', own.id).execute(),
    )
    expect((await list()).items[0]?.suggestedCents).toBe(6500)
  })

  it('are judged by the clock alone: what nobody clocked is no work of no time', async () => {
    const poor = await aJob(4200, { name: 'Bob Low' })
    for (const week of [4, 5, 6])
      await work(poor, poor.customerId, poor.propertyId, addDays(today, -7 * week), { workedSeconds: 0 })
    expect((await list()).items).toMatchObject([
      { lineId: poor.lineId, completions: 3, laborMinutes: 60, earnedCents: 4200, suggestedCents: 6000 },
    ])
  })

  it('are judged by the work that they are now: three yards of before say nothing of the price of one', async () => {
    const job = await aJob(4200, { name: 'Mo Mulch' }, { visits: 2 })
    for (const week of [4, 5, 6])
      await work(job, job.customerId, job.propertyId, addDays(today, -7 * week), { workedSeconds: 5400, quantity: 3 })
    expect((await list()).items).toMatchObject([{ completions: 2, laborMinutes: 60, suggestedCents: 6000 }])
  })

  it('have one price, whichever screen tells it, and the link to their letter finds them', async () => {
    // the lawn that took an afternoon of a storm, and is raised by what it usually takes
    const poor = await aJob(4200, { name: 'Bob Low', street: '9 Elm Ave' }, { visits: 4 })
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ workedSeconds: 12_000 })
        .where('businessId', '=', own.id)
        .where('jobId', '=', poor.id)
        .where('day', '=', addDays(today, -28))
        .execute(),
    )
    const flat = await aJob(4200, { name: 'Flat' }, { billing: 'flat' })
    const other = await aJob(4200, { name: 'Ann' })
    const costs = async () =>
      new Map((await own.api.ok(costingApi.list, { query: {} })).items.map((row) => [row.key, row]))
    const [letter] = (await own.api.ok(lawnsApi.list, { query: { propertyId: poor.propertyId } })).items
    expect(letter).toMatchObject({ lineId: poor.lineId, suggestedCents: 6000 })
    expect((await costs()).get(poor.propertyId)).toMatchObject({
      ...{ targetPriceCents: letter?.suggestedCents, nowPriceCents: 4200, priceReason: null },
    })
    expect((await costs()).get(flat.propertyId)).toMatchObject({
      ...{ targetPriceCents: null, priceReason: 'flat' },
    })
    expect((await own.api.ok(lawnsApi.list, { query: { propertyId: other.propertyId } })).count).toBe(1)
    // a letter is on its way: neither calls it too cheap, and job costing says from when
    await send([{ lineId: poor.lineId, toCents: 6000 }])
    expect((await own.api.ok(lawnsApi.list, { query: { propertyId: poor.propertyId } })).items).toEqual([])
    expect((await costs()).get(poor.propertyId)).toMatchObject({ targetPriceCents: null, priceReason: 'coming' })
  })

  it('leave out what has its price agreed, and say why', async () => {
    const flat = await aJob(4200, { name: 'Flat' }, { billing: 'flat' })
    const planned = await aJob(4200, { name: 'Plan' })
    const once = await aJob(4200, { name: 'Once' })
    await own.db(async (db) => {
      const planId = newId()
      await db
        .insertInto('billingPlans')
        .values({
          ...{ businessId: own.id, id: planId, customerId: planned.customerId, kind: 'budget', name: 'Season' },
          ...{ startsOn: today, endsOn: addDays(today, 120), billDay: 1, listCents: 10_000, seasonCents: 10_000 },
          expectedListCents: 10_000,
        })
        .execute()
      const { propertyId } = await db
        .selectFrom('jobs')
        .select('propertyId')
        .where('businessId', '=', own.id)
        .where('id', '=', planned.id)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('billingPlanLines')
        .values({
          ...{ businessId: own.id, planId, jobLineId: planned.lineId, propertyId, taxCategory: 'service' },
          ...{ listCents: 10_000, visits: 3 },
        })
        .execute()
      await db
        .updateTable('jobLines')
        .set({ recurrence: null, onceOn: addDays(today, 2) })
        .where('businessId', '=', own.id)
        .where('id', '=', once.lineId)
        .execute()
    })
    const { items, left } = await list()
    expect(items).toEqual([])
    expect(left.map(({ customerName, reason, why }) => [customerName, reason, why]).toSorted()).toEqual([
      ['Flat', 'flat', 'is not billed by the visit: its price is agreed for the season'],
      ['Once', 'once', 'is done once or by a program: its price was agreed for that work'],
      ['Plan', 'plan', 'is paid by a billing plan: its price is agreed until the plan ends'],
    ])
    for (const { lineId } of [flat, planned, once]) {
      const answer = await preview([{ lineId, toCents: 6000 }])
      expect([answer.status, answer.error.message]).toEqual([409, expect.stringContaining('Nothing was changed.')])
    }
  })
})

describe('a price letter', () => {
  it('changes the price from its day on and tells each customer once, in their language, whoever presses twice', async () => {
    const text = await aJob(4200, { name: 'Tex Ting', phone: '912-555-0143', street: '9 Elm Ave' })
    const mail = await aJob(4200, { name: 'Rosa Ruiz', email: 'rosa@example.com', language: 'es', street: '2 Oak St' })
    const paper = await aJob(4200, { name: 'Pat Paper', street: '3 Oak St' })
    const lines = [text, mail, paper].map(({ lineId }) => ({ lineId, toCents: 6000 }))
    const { body: seen } = await preview(lines)
    expect(seen.letters.map(({ customerName, channel, language }) => [customerName, channel, language])).toEqual([
      ['Pat Paper', null, 'en'],
      ['Rosa Ruiz', 'email', 'es'],
      ['Tex Ting', 'sms', 'en'],
    ])
    expect(seen.reached).toBe(2)
    expect(seen.letters[2]?.text).toContain('Mow, edge, trim and blow at 9 Elm Ave: $60.00 (was $42.00)')
    expect(seen.letters[1]?.text).toContain(
      'Hola Rosa Ruiz:\nDesde el 8 de julio de 2026 cambia el precio de cada visita:',
    )
    expect(seen.letters[0]?.reason).toBe('No mobile number or e-mail on file')
    const key = newId()
    const press = () =>
      own.api.call(lawnsApi.send, { body: { fromOn, lines, seal: seen.seal } }, { 'idempotency-key': key })
    const [first, second] = await Promise.all([press(), press()])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    // with another key it is another press: these lawns get a price on that day already
    const third = await own.api.call(lawnsApi.send, {
      body: { fromOn, lines, seal: seen.seal },
    })
    expect([third.status, third.error.message]).toEqual([409, expect.stringContaining('gets a new price on')])
    for (const job of [text, mail, paper]) expect(await pricesOf(job)).toEqual({ before: [4200], after: [6000] })
    await runTasks()
    await leave()
    const sent = await messages()
    expect(sent.map(({ channel, status, customerId }) => [channel, status, customerId]).toSorted()).toEqual(
      [
        ['email', 'sent', mail.customerId],
        ['sms', 'sent', text.customerId],
      ].toSorted(),
    )
    const { items, left, letters } = await list()
    expect(items).toEqual([])
    expect(left.map(({ reason }) => reason)).toEqual([])
    expect(letters).toMatchObject([
      { kind: 'letter', toldCount: 2, lineCount: 3, paper: [{ name: 'Pat Paper' }], printedCount: 0, canUndo: true },
    ])
    expect(await print(first.body.id)).toEqual([200, '%PDF-'])
  })

  it('is taken back: prices are as before, and what has not left is recalled', async () => {
    const job = await aJob(4200, { phone: '912-555-0143' })
    const { body } = await send([{ lineId: job.lineId, toCents: 6000 }])
    await runTasks()
    expect((await messages()).map(({ status }) => status)).toEqual(['pending'])
    await own.api.ok(pricesApi.undo, { params: { id: body.id } })
    at(10 * minute)
    await runTasks()
    expect((await messages()).map(({ status }) => status)).toEqual(['suppressed'])
    expect(await pricesOf(job)).toEqual({ before: [4200], after: [4200] })
    expect((await list()).items.map(({ lineId }) => lineId)).toEqual([job.lineId])
    const paper = await own.api.call(lawnsApi.paper, { params: { id: body.id } })
    expect(paper.status).toBe(409)
  })

  it('is never a cut, never sooner than the notice, and never other than what was seen', async () => {
    const job = await aJob(4200, { phone: '912-555-0143' })
    const line = { lineId: job.lineId, toCents: 6000 }
    const cut = await preview([{ ...line, toCents: 4200 }])
    expect([cut.status, cut.error.errors?.[0]?.message]).toEqual([
      422,
      'More than $42.00: a letter only raises prices.',
    ])
    const soon = await preview([line], addDays(today, 29))
    expect([soon.status, soon.error.errors?.[0]?.path]).toEqual([422, 'fromOn'])
    expect((await preview([line, line])).status).toBe(422)
    expect((await preview([{ ...line, lineId: newId() }])).status).toBe(404)
    const other = await own.api.call(lawnsApi.send, {
      body: { fromOn, lines: [line], seal: 'of other letters' },
    })
    expect([other.status, await pricesOf(job)]).toEqual([409, { before: [4200], after: [4200] }])
    await own.db((db) =>
      db.updateTable('businesses').set({ letterNoticeDays: 10 }).where('businessId', '=', own.id).execute(),
    )
    expect((await preview([line], addDays(today, 10))).status).toBe(200)
  })

  it('is for who works with money, of their own business alone', async () => {
    const job = await aJob(4200)
    const stranger = await aBusiness()
    const lines = [{ lineId: job.lineId, toCents: 6000 }]
    expect((await stranger.api.ok(lawnsApi.list, { query: {} })).told).toBe(0)
    expect((await stranger.api.call(lawnsApi.preview, { body: { fromOn, lines } })).status).toBe(404)
    const planner = await aPerson(own.id, 'Admin', { permissions: ['schedule', 'payroll'] })
    expect((await planner.api.call(lawnsApi.list, { query: {} })).status).toBe(403)
    const { body } = await send(lines)
    expect((await stranger.api.call(lawnsApi.paper, { params: { id: body.id } })).status).toBe(404)
  })
})
