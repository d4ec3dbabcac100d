import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, dayOf, instantAt } from '../../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { receiveMail } from '../../../messages/server/inbound/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { creditsApi } from '../../../payments/credits/contract.ts'
import { tasksApi } from '../../../tasks/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { remindBySchedule } from './commands.ts'

/** Signed in at the hour that the clock shows. */
const office = (own: TestBusiness) => apiFor(own.owner)

const zone = 'America/New_York'
const email = 'ann@test.swath.test'
let start = ''
/** A wall clock of the business, so many days after the test began. */
const at = (minute: number, ahead = 0) => setClock(() => new Date(instantAt(addDays(start, ahead), minute, zone)))
beforeEach(() => {
  start = dayOf(clock.now(), zone)
  at(600)
})
afterEach(resetClock)

/** An invoice that is due in two weeks, of a business that reminds on the due day and a week later. */
const anInvoice = async (steps: readonly (0 | 7)[] = [0, 7]) => {
  const own = await aBusiness()
  const { version } = await (await office(own)).ok(businessesApi.get, {})
  await (await office(own)).ok(businessesApi.update, { body: { invoiceReminders: [...steps], version } })
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db.updateTable('customers').set({ email }).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
  const { id } = await (await office(own)).ok(invoicesApi.create, { body: { customerId, termsDays: 14, lines } })
  await (await office(own)).ok(invoicesApi.send, { params: { id } })
  await runTasks()
  return { own, id, customerId }
}
const run = async (own: TestBusiness) => {
  await remindBySchedule(systemActor(own.id))
  await runTasks()
}
const reminders = async (own: TestBusiness) =>
  (await (await office(own)).ok(messagesApi.list, { query: { channel: 'email' } })).items.filter(({ subject }) =>
    subject.startsWith('A reminder'),
  ).length
const invoiceOf = async (own: TestBusiness, id: string) => (await office(own)).ok(invoicesApi.get, { params: { id } })
const set = async (
  own: TestBusiness,
  id: string,
  body: { promisedOn: string | null } | { stop: string } | { start: true },
) => (await office(own)).call(invoicesApi.setReminders, { params: { id }, body })

describe('reminders by schedule', () => {
  it('leave on their day, in the day, once however often the schedule runs', async () => {
    const { own, id } = await anInvoice()
    expect((await invoiceOf(own, id)).reminders).toEqual({
      byRule: true,
      nextOn: addDays(start, 14),
      autopay: null,
      stopped: null,
      restingFeeCents: null,
      promisedOn: null,
      anew: null,
    })
    at(600, 13)
    await run(own)
    at(480, 14)
    await run(own)
    expect(await reminders(own)).toBe(0)
    at(600, 14)
    await Promise.all([remindBySchedule(systemActor(own.id)), remindBySchedule(systemActor(own.id))])
    await run(own)
    at(900, 14)
    await run(own)
    expect(await reminders(own)).toBe(1)
    expect((await invoiceOf(own, id)).reminders.nextOn).toBe(addDays(start, 21))
    // the day itself was without power
    at(600, 23)
    await run(own)
    expect(await reminders(own)).toBe(2)
    expect((await invoiceOf(own, id)).reminders.nextOn).toBeNull()
  })

  it('are none for a business that wants none, nor for old debts when it begins to want them', async () => {
    const { own } = await anInvoice([])
    at(600, 14)
    await run(own)
    const { version } = await (await office(own)).ok(businessesApi.get, {})
    at(600, 60)
    await (await office(own)).ok(businessesApi.update, { body: { invoiceReminders: [0, 7, 30], version } })
    await run(own)
    expect(await reminders(own)).toBe(0)
  })

  it('stop when the customer writes, and the office hears why; started again they go on', async () => {
    const { own, id } = await anInvoice()
    at(600, 14)
    await run(own)
    at(700, 15)
    const text = 'The price is not what we said.'
    const [mail] = (await (await office(own)).ok(messagesApi.list, { query: { channel: 'email' } })).items
    const answer = { from: email, fromName: 'Ann', subject: 'Re: reminder', text, report: null }
    await receiveMail(own.id, mail?.id ?? '', { ...answer, messageId: 'a', automatic: true })
    await receiveMail(own.id, mail?.id ?? '', { ...answer, messageId: 'b', automatic: false })
    at(600, 21)
    await run(own)
    expect(await reminders(own)).toBe(1)
    const { reminders: now, can } = await invoiceOf(own, id)
    expect([now.stopped, now.nextOn, can.startReminders]).toEqual([expect.stringContaining('wrote since'), null, true])
    const { notifications } = await (await office(own)).ok(notificationsApi.list, {})
    expect(notifications.filter(({ title }) => title.startsWith('No more reminders'))).toHaveLength(1)
    expect((await set(own, id, { start: true })).status).toBe(200)
    await run(own)
    expect(await reminders(own)).toBe(2)
  })

  it.each([
    ['in which they were talked to', { direction: 'out', outcome: 'talked' }, true],
    ['of theirs that nobody took', { direction: 'in', outcome: 'no_answer' }, true],
    ['that reached nobody', { direction: 'out', outcome: 'no_answer' }, false],
  ] as const)('hear a call %s', async (_, call, stops) => {
    const { own, id, customerId } = await anInvoice()
    at(600, 14)
    await run(own)
    at(700, 15)
    await (await office(own)).ok(tasksApi.logCall, { params: { id: customerId }, body: { ...call, note: '' } })
    at(600, 21)
    await run(own)
    expect(await reminders(own)).toBe(stops ? 1 : 2)
    const { stopped } = (await invoiceOf(own, id)).reminders
    if (stops) expect(stopped).toMatch(/^There was a call with .+ since /)
    else expect(stopped).toBeNull()
  })

  it('stop when a part is paid, and are not sent for what is paid', async () => {
    const { own, id } = await anInvoice()
    at(600, 14)
    await run(own)
    at(600, 16)
    const body = { method: 'cash' as const, amountCents: 1000, receivedOn: dayOf(clock.now(), zone) }
    await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })
    at(600, 21)
    await run(own)
    expect((await invoiceOf(own, id)).reminders.stopped).toMatch(/Part of it was paid/)
    expect(await reminders(own)).toBe(1)
  })

  it('count from the day on which what was paid is owed again', async () => {
    const { own, id } = await anInvoice()
    at(600, 40)
    const body = { method: 'check' as const, amountCents: 5000, receivedOn: dayOf(clock.now(), zone) }
    const { id: check } = await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })
    at(600, 45)
    await (await office(own)).ok(correctionsApi.reversePayment, {
      params: { id: check },
      body: { reason: 'It bounced' },
    })
    expect((await invoiceOf(own, id)).reminders).toMatchObject({
      anew: { on: addDays(start, 45), why: 'open_again' },
      nextOn: addDays(start, 52),
    })
    for (const day of [45, 51]) {
      at(600, day)
      await run(own)
    }
    expect(await reminders(own)).toBe(0)
    at(600, 52)
    await run(own)
    await run(own)
    expect(await reminders(own)).toBe(1)
  })

  it('stop before the first one when the customer answers the invoice itself', async () => {
    const { own, id } = await anInvoice()
    const [mail] = (await (await office(own)).ok(messagesApi.list, { query: { channel: 'email' } })).items
    at(700, 3)
    const text = 'You were not here that day.'
    const answer = { from: email, fromName: 'Ann', subject: 'Re: invoice', text, report: null }
    await receiveMail(own.id, mail?.id ?? '', { ...answer, messageId: 'first', automatic: false })
    at(600, 14)
    await run(own)
    expect(await reminders(own)).toBe(0)
    expect((await invoiceOf(own, id)).reminders.stopped).toMatch(/wrote since it was sent/)
  })

  it('stop before the first one when a part was paid after the invoice was sent', async () => {
    const { own, id } = await anInvoice()
    at(600, 2)
    const body = { method: 'cash' as const, amountCents: 1000, receivedOn: dayOf(clock.now(), zone) }
    await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })
    at(600, 14)
    await run(own)
    expect(await reminders(own)).toBe(0)
    expect((await invoiceOf(own, id)).reminders.stopped).toMatch(/Part of it was paid since it was sent/)
  })

  it.each(['what they had paid before', 'what the business credited'])(
    'go on where %s is put on the invoice: nobody answered',
    async (what) => {
      const { own, id, customerId } = await anInvoice()
      if (what === 'what they had paid before') {
        // it came an hour before the invoice went out, for work whose own invoice was voided since
        at(540)
        const body = { method: 'check' as const, amountCents: 1000, receivedOn: start }
        await (await office(own)).ok(creditsApi.recordDeposit, { params: { id: customerId }, body })
        at(600, 2)
        const spent = { params: { id }, body: { amountCents: 1000 } }
        await (await office(own)).ok(correctionsApi.useCredit, spent)
      } else {
        at(600, 2)
        const body = { amountCents: 1000, reason: 'A bad edge', tell: false }
        await (await office(own)).ok(correctionsApi.creditInvoice, { params: { id }, body })
      }
      expect(await invoiceOf(own, id)).toMatchObject({ status: 'partially_paid', balanceCents: 4000 })
      at(600, 14)
      await run(own)
      expect(await reminders(own)).toBe(1)
      expect((await invoiceOf(own, id)).reminders.stopped).toBeNull()
    },
  )

  it('wait for a promised day, and the office hears when it was not kept', async () => {
    const { own, id } = await anInvoice()
    expect((await set(own, id, { promisedOn: addDays(start, -1) })).error.errors?.[0]?.path).toBe('promisedOn')
    expect((await set(own, id, { promisedOn: addDays(start, 16) })).body.reminders).toMatchObject({
      promisedOn: addDays(start, 16),
      nextOn: addDays(start, 21),
    })
    for (const day of [14, 15, 16]) {
      at(600, day)
      await run(own)
    }
    expect(await reminders(own)).toBe(0)
    const lapsed = async () =>
      (await (await office(own)).ok(notificationsApi.list, {})).notifications.filter(({ title }) =>
        title.includes('promised'),
      )
    expect(await lapsed()).toHaveLength(0)
    at(600, 17)
    await run(own)
    at(700, 17)
    await run(own)
    expect(await lapsed()).toHaveLength(1)
    expect(await reminders(own)).toBe(1)
  })

  it('leave for who is behind many that are passed over', async () => {
    const { own, id, customerId } = await anInvoice()
    const { customerId: unreached } = await aLawn(own)
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5000 }]
    const more = []
    // nobody can be told of these, and they stand before the others
    for (const of of [unreached, unreached, unreached, customerId]) {
      const body = { customerId: of, termsDays: 14, lines }
      const made = await (await office(own)).ok(invoicesApi.create, { body })
      await (await office(own)).ok(invoicesApi.issue, { params: { id: made.id } })
      more.push(made.id)
    }
    at(600, 14)
    await remindBySchedule(systemActor(own.id), 2)
    await runTasks()
    for (const one of [id, more.at(-1) ?? ''])
      expect((await invoiceOf(own, one)).reminders.nextOn).toBe(addDays(start, 21))
    expect(await reminders(own)).toBe(2)
  })

  it('never go out for an invoice that was paid between the plan and the mail', async () => {
    const { own, id } = await anInvoice()
    at(600, 14)
    await remindBySchedule(systemActor(own.id))
    const body = { method: 'cash' as const, amountCents: 5000, receivedOn: dayOf(clock.now(), zone) }
    await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })
    await runTasks()
    expect(await reminders(own)).toBe(0)
  })
})
