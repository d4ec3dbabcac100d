import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { ageTo, books, charge, charging, feesOf, invoiceOf, late, reminders } from '../../../../test/late-fees.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { type LateFees, noLateFees } from '../../../businesses/latefees/rules.ts'
import { customersApi } from '../../../customers/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { remindBySchedule } from '../../reminders/server/commands.ts'
import { listForFees, readLateFeePlan } from './queries.ts'

const midday = new Date(instantAt(today(), 12 * 60, 'America/New_York'))
// whatever the hour of the run: what was done "just now" is just before the fees are charged
beforeEach(() => setClock(() => midday))
afterEach(resetClock)

describe('late fees', () => {
  it('are off until the business wants them, and never for what was issued before', async () => {
    const own = await aBusiness()
    const { id } = await late(own, 40)
    await charge(own)
    expect(await feesOf(own, id)).toEqual([])
    await charging(own)
    await own.db((db) =>
      db.updateTable('businesses').set({ lateFeesFrom: today() }).where('businessId', '=', own.id).execute(),
    )
    await charge(own)
    expect(await feesOf(own, id)).toEqual([])
  })

  it('are switched on from today, keep that day when they change, and forget it when switched off', async () => {
    const own = await aBusiness()
    const set = async (changes: Partial<LateFees>) => {
      const { version } = await own.api.ok(businessesApi.get, {})
      return own.api.ok(businessesApi.update, {
        body: { lateFees: { ...noLateFees, ...changes }, invoiceTerms: 'Late pays more.', version },
      })
    }
    expect((await set({ kind: 'percent' })).lateFeesFrom).toBe(today())
    await own.db((db) =>
      db.updateTable('businesses').set({ lateFeesFrom: '2026-01-05' }).where('businessId', '=', own.id).execute(),
    )
    expect((await set({ kind: 'fixed' })).lateFeesFrom).toBe('2026-01-05')
    expect((await set({ kind: 'off' })).lateFeesFrom).toBeNull()
  })

  it('have a second one only for what was issued since it was added, and a screen that does not know of it leaves it', async () => {
    const own = await aBusiness()
    const second = { fromDays: 30, kind: 'fixed' as const, percent: 1, fixedCents: 2500 }
    for (const repeats of [false, true]) {
      await charging(own, { graceDays: 10, fixedCents: 1500, capCents: null, repeats })
      const { id } = await late(own, 41)
      await charge(own)
      expect((await feesOf(own, id)).map(({ amountCents }) => amountCents)).toEqual([1500])
      const set = async (lateFees: object) => {
        const { version } = await own.api.ok(businessesApi.get, {})
        return own.api.ok(businessesApi.update, { body: { version, lateFees: lateFees as LateFees } })
      }
      const { second: _, ...older } = { ...noLateFees, kind: 'fixed' as const, capCents: null, repeats }
      expect((await set({ ...older, second })).secondFeeFrom).toBe(today())
      // a later look, another save and an older tab change nothing of that
      await ageTo(own, id, 41)
      await charge(own)
      expect(await feesOf(own, id)).toHaveLength(1)
      const after = await set(older)
      expect([after.lateFees?.second, after.secondFeeFrom]).toEqual([second, today()])
      expect((await set({ ...older, second: null })).secondFeeFrom).toBeNull()
    }
  })

  it('are not switched on while the terms are empty, and the terms are not emptied while they are on', async () => {
    const own = await aBusiness()
    const put = async (changes: object) => {
      const { version } = await own.api.ok(businessesApi.get, {})
      return own.api.call(businessesApi.update, { body: { ...changes, version } })
    }
    const on = { lateFees: { ...noLateFees, kind: 'fixed' } }
    const refused = await put(on)
    expect([refused.status, JSON.stringify(refused.error)]).toEqual([
      422,
      expect.stringContaining('Your terms are empty'),
    ])
    expect((await own.api.ok(businessesApi.get, {})).lateFees?.kind).toBe('off')
    expect((await put({ ...on, invoiceTerms: 'After 10 days $15.' })).status).toBe(200)
    expect((await put({ invoiceTerms: ' ' })).status).toBe(422)
    expect((await put({ lateFees: noLateFees })).status).toBe(200)
    expect((await put({ invoiceTerms: '' })).status).toBe(200)
  })

  it('are never charged to a customer who has none by their record', async () => {
    const own = await aBusiness()
    await charging(own)
    const [spared, other] = [await late(own, 11), await late(own, 11)]
    const record = await own.api.ok(customersApi.get, { params: { id: spared.customerId } })
    await own.api.ok(customersApi.update, {
      params: { id: spared.customerId },
      body: { noLateFees: true, version: record.version },
    })
    await charge(own)
    expect(await feesOf(own, spared.id)).toEqual([])
    expect(await feesOf(own, other.id)).toHaveLength(1)
  })

  it('are an invoice of their own, once, told with a reminder; the late one stays as it was issued', async () => {
    const own = await aBusiness()
    await charging(own)
    const { id } = await late(own, 11)
    const before = await invoiceOf(own, id)
    await charge(own)
    await Promise.all([charge(own), charge(own)])
    const after = await invoiceOf(own, id)
    expect([after.totalCents, after.lines, after.balanceCents]).toEqual([10_000, before.lines, 10_000])
    expect(after.lateFees).toEqual([expect.objectContaining({ amountCents: 1500, openCents: 1500 })])
    const fee = await invoiceOf(own, after.lateFees[0]?.id ?? '')
    expect(fee).toMatchObject({
      status: 'issued',
      dueOn: today(),
      totalCents: 1500,
      taxCents: 0,
      lateFeeFor: { id, number: after.number },
      reminders: { stopped: `It is reminded of with INV-${after.number}` },
    })
    expect(fee.lines[0]?.description).toMatch(/^Late fee: INV-\d+ was due/)
    await runTasks()
    const mails = (await own.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('reminder')])
    const { rows } = await own.db(async (db) => ({
      rows: await db.selectFrom('messages').select('bodyText').where('businessId', '=', own.id).execute(),
    }))
    expect(rows[0]?.bodyText).toMatch(/a late fee was added: \$15\.00\. With it, \$115\.00 is open/)
    expect(rows[0]?.bodyText).toContain(`INV-${fee.number}`)
    expect(await books(own)).toEqual([])
  })

  it('have a second one later where the business wants it, each once, and one that is not later is refused', async () => {
    const own = await aBusiness()
    const second = { fromDays: 30, kind: 'fixed' as const, percent: 1, fixedCents: 2500 }
    await charging(own, { kind: 'percent', percent: 5, graceDays: 14, capCents: null, second })
    const { id } = await late(own, 15)
    const on = async (days: number) => {
      await ageTo(own, id, days)
      await charge(own)
      await charge(own)
      return (await feesOf(own, id)).map(({ amountCents }) => amountCents)
    }
    expect(await on(14)).toEqual([])
    expect(await on(15)).toEqual([500])
    expect(await on(29)).toEqual([500])
    expect(await on(30)).toEqual([500, 2500])
    expect(await on(95)).toEqual([500, 2500])
    expect(await books(own)).toEqual([])
    const { version, lateFees } = await own.api.ok(businessesApi.get, {})
    const refused = await own.api.call(businessesApi.update, {
      body: { version, lateFees: { ...(lateFees as LateFees), second: { ...second, fromDays: 15 } } },
    })
    expect([refused.status, JSON.stringify(refused.error)]).toEqual([422, expect.stringContaining('charged later')])
  })

  it('come again every 30 days where the business wants it, up to the cap, and never on a fee', async () => {
    const own = await aBusiness()
    await charging(own, { graceDays: 0, repeats: true, capCents: 2500 })
    const { id } = await late(own, 5)
    await charge(own)
    const later = (days: number) => ageTo(own, id, days)
    for (const days of [35, 65, 95]) {
      await later(days)
      await charge(own)
    }
    expect((await feesOf(own, id)).map(({ amountCents }) => amountCents)).toEqual([1500, 1000])
    // what reached the cap stands in the way of nobody newer
    expect(await own.db(async (db) => listForFees(db, await readLateFeePlan(db)))).toEqual([])
    for (const fee of await feesOf(own, id)) expect(await feesOf(own, fee.id)).toEqual([])
  })

  describe('of what was paid and is owed again', () => {
    const begin = today()
    const dayOf = (ahead: number) => addDays(begin, ahead)
    const office = (own: TestBusiness) => apiFor(own.owner)
    const on = (ahead: number) => {
      const at = new Date(instantAt(dayOf(ahead), 12 * 60, 'America/New_York'))
      setClock(() => at)
    }
    const feeDays = async (own: TestBusiness, id: string) =>
      (await (await office(own)).ok(invoicesApi.get, { params: { id } })).lateFees.map((fee) => fee.onDay)
    const pay = async (own: TestBusiness, id: string, amountCents = 10_000) => {
      const body = { method: 'check' as const, amountCents, receivedOn: today() }
      return (await (await office(own)).ok(paymentsApi.recordPayment, { params: { id }, body })).id
    }
    const bounce = async (own: TestBusiness, id: string) =>
      (await office(own)).ok(correctionsApi.reversePayment, { params: { id }, body: { reason: 'It bounced' } })

    it('count their days of grace from then on, while its age counts from the due day', async () => {
      const own = await aBusiness()
      await charging(own)
      const { id } = await late(own, 40)
      await bounce(own, await pay(own, id))
      await charge(own)
      expect(await invoiceOf(own, id)).toMatchObject({ status: 'issued', overdue: true, lateFees: [] })
      on(10)
      await charge(own)
      expect(await feeDays(own, id)).toEqual([])
      on(11)
      await charge(own)
      expect(await feeDays(own, id)).toEqual([dayOf(11)])
      on(60)
      await charge(own)
      expect(await feeDays(own, id)).toEqual([dayOf(11)])
    })

    it('that repeat come again 30 days apart, each once, after those of before', async () => {
      const own = await aBusiness()
      await charging(own, { graceDays: 0, repeats: true, capCents: null })
      const { id } = await late(own, 35)
      await charge(own)
      const check = await pay(own, id)
      on(20)
      await bounce(own, check)
      for (const day of [20, 21, 22, 50, 51]) {
        on(day)
        await charge(own)
      }
      expect(await feeDays(own, id)).toEqual([begin, dayOf(21), dayOf(51)])
    })

    it('after a write-off wait, too', async () => {
      const own = await aBusiness()
      await charging(own)
      const { id } = await late(own, 40)
      await own.api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Moved away' } })
      await own.api.ok(invoicesApi.reinstate, { params: { id } })
      await charge(own)
      expect(await feeDays(own, id)).toEqual([])
      on(11)
      await charge(own)
      expect(await feeDays(own, id)).toEqual([dayOf(11)])
    })
  })

  it('are not charged in grace, for what is promised, disputed, held, being paid or just reminded of', async () => {
    const own = await aBusiness()
    await charging(own)
    const grace = await late(own, 10)
    const promised = await late(own, 40)
    await reminders(own, promised.id, { promisedOn: addDays(today(), 2) })
    const disputed = await late(own, 40)
    await reminders(own, disputed.id, { stop: 'They dispute the price' })
    const held = await late(own, 40)
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ holdInvoices: true })
        .where('businessId', '=', own.id)
        .where('id', '=', held.customerId)
        .execute(),
    )
    const paying = await late(own, 40)
    const token = ((await invoiceOf(own, paying.id)).publicPath ?? '').split('/').at(-1) ?? ''
    await own.api.ok(paymentsApi.pay, { params: { token } })
    const reminded = await late(own, 40)
    await own.api.ok(invoicesApi.remind, { params: { id: reminded.id } })
    const paid = await late(own, 40)
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id: paid.id },
      body: { method: 'cash', amountCents: 10_000, receivedOn: today() },
    })
    await charge(own)
    for (const { id } of [grace, promised, disputed, held, paying, reminded, paid])
      expect(await feesOf(own, id)).toEqual([])
  })

  it('are charged by day, and the office hears of who has no e-mail', async () => {
    const own = await aBusiness()
    await charging(own, { kind: 'percent', percent: 1.5, minimumCents: 500 })
    const { id } = await late(own, 11, 10_000, null)
    const early = new Date(instantAt(today(), 8 * 60 + 59, 'America/New_York'))
    setClock(() => early)
    await charge(own)
    expect(await feesOf(own, id)).toEqual([])
    setClock(() => midday)
    await charge(own)
    expect((await feesOf(own, id))[0]?.amountCents).toBe(500)
    const { notifications } = await own.api.ok(notificationsApi.list, {})
    expect(notifications.map(({ title }) => title)).toEqual([expect.stringContaining('late fee of $5.00')])
  })

  it('are reminded of with the late invoice, and by themselves once that is paid; a reason of the office stays', async () => {
    const own = await aBusiness()
    await charging(own)
    const [paid, open, told] = [await late(own, 11), await late(own, 11), await late(own, 11)]
    await charge(own)
    const stoppedOf = async ({ id }: { id: string }) => {
      const fee = (await feesOf(own, id))[0]?.id ?? ''
      return { fee, stopped: (await invoiceOf(own, fee)).reminders.stopped }
    }
    for (const one of [paid, open]) expect((await stoppedOf(one)).stopped).toMatch(/^It is reminded of with INV-/)
    const { fee } = await stoppedOf(told)
    await reminders(own, fee, { start: true })
    await reminders(own, fee, { stop: 'They call on Friday' })
    for (const { id } of [paid, told])
      await own.api.ok(paymentsApi.recordPayment, {
        params: { id },
        body: { method: 'check', amountCents: 10_000, receivedOn: today() },
      })
    await remindBySchedule(systemActor(own.id))
    expect((await stoppedOf(paid)).stopped).toBeNull()
    expect((await stoppedOf(open)).stopped).toMatch(/^It is reminded of with INV-/)
    expect((await stoppedOf(told)).stopped).toBe('They call on Friday')
  })

  it('are waived with a reason, once, and not charged again for the same time', async () => {
    const own = await aBusiness()
    await charging(own)
    const { id } = await late(own, 11)
    await charge(own)
    const feeId = (await feesOf(own, id))[0]?.id ?? ''
    expect(await invoiceOf(own, feeId)).toMatchObject({ can: { waiveFee: true } })
    const waive = (which: string) =>
      own.api.call(invoicesApi.waiveFee, { params: { id: which }, body: { reason: 'Goodwill' } })
    expect((await waive(id)).error.message).toMatch(/is no late fee/)
    const both = await Promise.all([waive(feeId), waive(feeId)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await feesOf(own, id)).toMatchObject([{ waivedReason: 'Goodwill', openCents: 0 }])
    expect((await invoiceOf(own, feeId)).status).toBe('void')
    await own.db((db) =>
      db.updateTable('invoices').set({ lastRemindedAt: null }).where('businessId', '=', own.id).execute(),
    )
    await charge(own)
    expect(await feesOf(own, id)).toHaveLength(1)
    expect(await books(own)).toEqual([])
  })

  it('that are voided are waived all the same: they fill no cap and never read as settled', async () => {
    const own = await aBusiness()
    await charging(own, { repeats: true, graceDays: 0, fixedCents: 2000, capCents: 2500 })
    const { id } = await late(own, 5)
    await charge(own)
    await own.api.ok(invoicesApi.voidInvoice, { params: { id: (await feesOf(own, id))[0]?.id ?? '' } })
    expect(await feesOf(own, id)).toMatchObject([{ waivedReason: 'Voided', openCents: 0 }])
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ dueOn: addDays(today(), -40), lastRemindedAt: null })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute(),
    )
    await charge(own)
    expect((await feesOf(own, id)).map(({ amountCents }) => amountCents)).toEqual([2000, 2000])
    expect(await books(own)).toEqual([])
  })

  it('that are paid are not waived but credited, and go with the invoice that is voided as far as they are open', async () => {
    const own = await aBusiness()
    await charging(own, { repeats: true, graceDays: 0, capCents: null })
    const { id } = await late(own, 5)
    await charge(own)
    const paidId = (await feesOf(own, id))[0]?.id ?? ''
    await own.api.ok(paymentsApi.recordPayment, {
      params: { id: paidId },
      body: { method: 'cash', amountCents: 500, receivedOn: today() },
    })
    const refused = await own.api.call(invoicesApi.waiveFee, { params: { id: paidId }, body: { reason: 'Goodwill' } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('credit note')])
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ dueOn: addDays(today(), -40), lastRemindedAt: null })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute(),
    )
    await charge(own)
    const openId = (await feesOf(own, id))[1]?.id ?? ''
    await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
    expect((await invoiceOf(own, openId)).status).toBe('void')
    expect((await invoiceOf(own, paidId)).status).toBe('partially_paid')
    expect((await feesOf(own, id)).map(({ waivedReason }) => waivedReason)).toEqual([
      null,
      expect.stringContaining('was voided'),
    ])
    // of the one that stays the office is told, and nobody is reminded of it
    const { number } = await invoiceOf(own, paidId)
    const { notifications } = await own.api.ok(notificationsApi.list, {})
    expect(notifications.map(({ title }) => title)).toContain(`The late fee INV-${number} is still open`)
    await remindBySchedule(systemActor(own.id))
    expect((await invoiceOf(own, paidId)).reminders.stopped).toMatch(/^It is reminded of with/)
    expect(await books(own)).toEqual([])
  })
})

it('goes with its late invoice when that is written off, and comes back with it: nobody is reminded of it alone', async () => {
  const own = await aBusiness()
  await charging(own)
  const { id } = await late(own, 20)
  await charge(own)
  const fee = (await feesOf(own, id))[0]?.id ?? ''
  await own.api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Moved away' } })
  expect((await invoiceOf(own, fee)).status).toBe('written_off')
  await own.api.ok(invoicesApi.reinstate, { params: { id } })
  expect((await invoiceOf(own, fee)).status).toBe('issued')
  expect(await books(own)).toEqual([])
})
