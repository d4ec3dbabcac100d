import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, type Day, instantAt } from '../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../test/api.ts'
import { aCustomer, anInvoice, leaveCard, runCards } from '../../../test/cards.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { phoneOf } from '../../../test/reviews.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { remindBySchedule } from '../../invoices/reminders/server/commands.ts'
import { suppress } from '../../messages/server/commands.ts'
import { receiveText } from '../../messages/server/inbound/commands.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { automationsApi } from '../contract.ts'

/** The dry run of invoice reminders says what the live run really sent over a month, and why the rest did not leave. */

const zone = 'America/New_York'
const start: Day = '2026-06-01'
const at = (day: number, minute = 600) => setClock(() => new Date(instantAt(addDays(start, day), minute, zone)))
const onDay = (day: number): Day => addDays(start, day)

let own: TestBusiness
const office = () => apiFor(own.owner)
const setSteps = async (...steps: (0 | 7)[]) => {
  const { version } = await (await office()).ok(businessesApi.get, {})
  await (await office()).ok(businessesApi.update, { body: { invoiceReminders: steps, version } })
}
beforeEach(async () => {
  at(0)
  own = await aBusiness({ name: 'Marsh Side Lawns' })
  await setSteps(0, 7)
})
afterEach(resetClock)

let n = 0
/** An invoice of its own customer, sent now and due in ten days. */
const owes = async (changes: object = {}) => {
  n++
  const customerId = await aCustomer(own, `c${n}@test.swath.test`)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ company: null, ...changes })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return { customerId, ...(await anInvoice(own, customerId)) }
}
const pay = async (id: string, amountCents: number, day: number) =>
  (await office()).ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: onDay(day) },
  })
const set = async (id: string, body: { promisedOn: Day | null } | { stop: string } | { start: true }) =>
  (await office()).ok(invoicesApi.setReminders, { params: { id }, body })
const dry = async () => (await office()).ok(automationsApi.othersDryRun, { query: { of: 'invoice_reminder' } })
type Dry = Awaited<ReturnType<typeof dry>>
/** Days on which each was reminded, with the way. */
const whom = ({ sent }: Dry) =>
  sent.map(({ customer, channel, leavesAt }) => `${customer.id} ${channel} ${leavesAt.slice(0, 10)}`).toSorted()
const why = ({ notSent }: Dry, customerId: string) =>
  notSent.filter(({ customer }) => customer.id === customerId).map(({ reason }) => reason)
const live = () =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['customerId', 'channel', 'createdAt', 'bodyText', 'subject', 'segments'])
      .where('businessId', '=', own.id)
      .where('dedupeKey', 'like', 'invoice:%:reminder:%')
      .execute(),
  )
const really = async () =>
  (await live()).map(({ customerId, channel, createdAt }) => `${customerId} ${channel} ${createdAt.slice(0, 10)}`)
const remind = async (day: number, minute: number) => {
  at(day, minute)
  await remindBySchedule(systemActor(own.id))
  await runTasks()
}

describe('a dry run of invoice reminders', () => {
  it('names whom the live run reminded over a month, on which day and by which way, and why the others were not', async () => {
    const unpaid = await owes()
    const spanish = await owes({ phone: phoneOf(1), paperWay: 'text', language: 'es' })
    const both = await owes({ phone: phoneOf(2), paperWay: 'both' })
    const before = await owes()
    const between = await owes()
    const part = await owes()
    const wrote = await owes({ phone: phoneOf(3) })
    const called = await owes()
    const promised = await owes()
    const kept = await owes()
    const stopped = await owes()
    const voided = await owes()
    const unreached = await owes()
    const silent = await owes({ phone: phoneOf(4), paperWay: 'text' })
    const bounced = await owes()
    const byHand = await owes()
    const card = await aCustomer(own, 'card@test.swath.test')
    await leaveCard((await anInvoice(own, card)).token)
    await anInvoice(own, card)
    await pay(bounced.id, 5000, 0)
    await own.db(async (db) => {
      await db
        .updateTable('customers')
        .set({ email: null })
        .where('businessId', '=', own.id)
        .where('id', 'in', [unreached.customerId, silent.customerId])
        .execute()
      await suppress(db, 'sms', phoneOf(4), 'all', 'They replied STOP')
      // a month in which nothing takes the card
      await db
        .updateTable('autopayCharges')
        .set({ chargeOn: onDay(60) })
        .where('businessId', '=', own.id)
        .execute()
    })
    for (let day = 1; day <= 25; day++) {
      await remind(day, 545)
      at(day, 720)
      if (day === 4) {
        await pay(before.id, 5000, 4)
        await (await office()).ok(invoicesApi.voidInvoice, { params: { id: voided.id } })
        await set(promised.id, { promisedOn: onDay(19) })
        // the first step is made up for the day after
        await set(kept.id, { promisedOn: onDay(11) })
      }
      if (day === 5)
        await receiveText(own.id, { from: phoneOf(3), body: 'Who?', providerId: newId(), provider: 'local' })
      if (day === 7) {
        await runCards(own)
        // a month in which nothing takes the card
        await own.db((db) =>
          db
            .updateTable('autopayCharges')
            .set({ chargeOn: onDay(60) })
            .where('businessId', '=', own.id)
            .execute(),
        )
      }
      if (day === 9) await (await office()).ok(invoicesApi.remind, { params: { id: byHand.id } })
      if (day === 12) {
        await pay(between.id, 5000, 12)
        await pay(part.id, 1000, 12)
        await set(stopped.id, { stop: 'The gate is being repaired' })
        await (await office()).ok(tasksApi.logCall, {
          params: { id: called.customerId },
          body: { direction: 'out', outcome: 'talked', note: '' },
        })
        const { payments } = await (await office()).ok(invoicesApi.get, { params: { id: bounced.id } })
        await (await office()).ok(correctionsApi.reversePayment, {
          params: { id: payments[0]?.id ?? '' },
          body: { reason: 'It bounced' },
        })
      }
      if (day === 18) await set(wrote.id, { start: true })
      if (day === 20) await pay(unpaid.id, 5000, 20)
      await runTasks()
      await remind(day, 905)
    }
    at(26)
    const found = await dry()
    const sent = await really()
    // what a person sent is nothing that leaves by itself
    const hand = `${byHand.customerId} email ${onDay(9)}`
    expect(whom(found)).toEqual(sent.filter((one) => one !== hand).toSorted())
    expect(found.assumes).toBeNull()
    const daysOf = ({ customerId }: { customerId: string }) =>
      sent
        .filter((one) => one.startsWith(customerId))
        .map((one) => one.slice(customerId.length + 1))
        .toSorted()
    expect(daysOf(unpaid)).toEqual([`email ${onDay(10)}`, `email ${onDay(17)}`])
    expect(daysOf(both).toSorted()).toEqual(
      ['email', 'sms'].flatMap((way) => [`${way} ${onDay(10)}`, `${way} ${onDay(17)}`]),
    )
    expect(daysOf(between)).toEqual([`email ${onDay(10)}`])
    expect(daysOf(kept)).toEqual([`email ${onDay(12)}`, `email ${onDay(17)}`])
    expect(daysOf(promised)).toEqual([`email ${onDay(20)}`])
    expect(daysOf(wrote)).toEqual([`email ${onDay(18)}`])
    expect(daysOf(bounced)).toEqual([`email ${onDay(19)}`])
    expect(daysOf(byHand)).toEqual([`email ${onDay(9)}`, `email ${onDay(10)}`, `email ${onDay(17)}`])
    expect(daysOf(before)).toEqual([])
    for (const gone of [before, voided]) expect(why(found, gone.customerId)).toEqual([])
    expect(why(found, part.customerId)).toEqual(['They paid part of it since they were last asked'])
    expect(why(found, called.customerId)).toEqual(['There was a call since they were last asked'])
    expect(why(found, wrote.customerId)).toEqual(['They wrote since they were last asked'])
    expect(why(found, promised.customerId)).toEqual(['They had promised to pay by a later day'])
    expect(why(found, stopped.customerId)).toEqual(['Its reminders were stopped: The gate is being repaired'])
    expect(why(found, unreached.customerId)).toEqual(['No e-mail on file', 'No e-mail on file'])
    expect(why(found, silent.customerId)).toEqual(Array(2).fill('They replied STOP, and no e-mail'))
    expect(why(found, card)).toEqual(['Autopay was to charge it', 'Autopay was to charge it'])
    // the words that left, but for the link
    const real = (await live()).filter(({ customerId }) => customerId === spanish.customerId)
    const said = found.sent.filter(({ customer }) => customer.id === spanish.customerId)
    expect(said.map(({ text }) => text).toSorted()).toEqual(
      real.map(({ bodyText }) => bodyText.replace(/https?:\S+/, '(su enlace)')).toSorted(),
    )
    const texts = (await live()).filter(({ channel }) => channel === 'sms')
    expect(found.segments).toBeGreaterThan(0)
    expect(found.segments).toBe(texts.reduce((sum, { segments }) => sum + (segments ?? 0), 0))
    const mails = (await live()).filter((one) => one.channel === 'email' && one.createdAt.slice(0, 10) !== onDay(9))
    expect(found.sent.flatMap(({ subject }) => subject ?? []).toSorted()).toEqual(
      mails.map((one) => one.subject).toSorted(),
    )
    for (const { customer, channel, text } of found.sent)
      if (channel === 'email')
        for (const part of text.split('\n\n').slice(0, 2))
          expect(mails.some((one) => one.customerId === customer.id && one.bodyText.includes(part))).toBe(true)
  }, 120_000)

  it('says what the usual steps would send while there are none, and makes up for nothing of before', async () => {
    await setSteps()
    const due = await owes()
    for (const day of [9, 12, 25]) {
      at(day)
      const found = await dry()
      expect(whom(found)).toEqual(
        [10, 17].filter((one) => one <= day).map((one) => `${due.customerId} email ${onDay(one)}`),
      )
      expect(found.assumes).toBe(
        'Invoice reminders are off. This is how it would be with the usual ones: on the due day, 7 days late and 30 days late.',
      )
    }
    // two days after it left the month that is looked at
    at(42)
    expect(whom(await dry())).toEqual([`${due.customerId} email ${onDay(17)}`, `${due.customerId} email ${onDay(40)}`])
    expect(await live()).toEqual([])
  })

  it('holds back a step of who answered before the month that is looked at, and forgets it after', async () => {
    const { id, customerId } = await owes({ phone: phoneOf(5) })
    await remind(10, 545)
    at(11)
    await receiveText(own.id, { from: phoneOf(5), body: 'Who?', providerId: newId(), provider: 'local' })
    await remind(17, 545)
    at(45)
    expect([whom(await dry()), why(await dry(), customerId)]).toEqual([[], ['They wrote since they were last asked']])
    at(50)
    expect((await dry()).notSentCount).toBe(0)
    expect((await (await office()).ok(invoicesApi.get, { params: { id } })).reminders.stopped).toMatch(/wrote since/)
  })

  it('is for who may see money, and of one business', async () => {
    await owes()
    at(11)
    expect((await dry()).mails).toBe(1)
    const other = await aBusiness()
    const query = { of: 'invoice_reminder' as const }
    expect((await other.api.ok(automationsApi.othersDryRun, { query })).mails).toBe(0)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    const refused = await clerk.api.call(automationsApi.othersDryRun, { query })
    expect([refused.status, refused.error.message]).toEqual([403, expect.stringContaining('do not include money')])
    expect((await clerk.api.call(automationsApi.othersDryRun, { query: { of: 'review' } })).status).toBe(200)
    const bookkeeper = await aPerson(own.id, 'Admin', { permissions: ['customers', 'money'] })
    expect((await bookkeeper.api.ok(automationsApi.othersDryRun, { query })).mails).toBe(1)
  })
})
