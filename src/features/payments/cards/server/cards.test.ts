import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localBilling } from '../../../../local/payments/billing.ts'
import { removeLocalMethod, renewLocalCard } from '../../../../local/payments/cards.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import {
  aCardClock,
  aCustomer,
  accountOf,
  anInvoice,
  aTryCutOff,
  bookedIds,
  cardOf,
  cards,
  invoiceOf,
  leaveCard,
  office,
  openPage,
  payPage,
  runCards as run,
  subjects,
  tellOf,
  tries,
  withCard,
} from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { noLateFees } from '../../../businesses/latefees/rules.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { chargeLateFees } from '../../../invoices/latefees/server/commands.ts'
import { remindBySchedule } from '../../../invoices/reminders/server/commands.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { connectApi } from '../../connect/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { cardsApi } from '../contract.ts'
import { mandateVersion } from '../rules.ts'
import { chargeInvoice } from './charges.ts'

const { begin, onDay, day } = aCardClock()
beforeEach(begin)
afterEach(resetClock)

const methodOf = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('paymentMethods')
      .select(['providerMethodId', 'warnedAt'])
      .where('businessId', '=', own.id)
      .where('removedAt', 'is', null)
      .executeTakeFirstOrThrow(),
  )

describe('a card is left when paying', () => {
  it('with what was agreed to, word for word; the office sees it and can remove it', async () => {
    const { own, customerId, first, token } = await withCard()
    expect((await invoiceOf(own, first.id)).status).toBe('paid')
    const card = await cardOf(own, customerId)
    expect(card).toMatchObject({ label: 'Visa ending in 4242', autopay: true, ended: null, livemode: false })
    expect(card?.mandate).toMatchObject({ version: mandateVersion, page: 'invoice' })
    expect(card?.mandate.text).toContain('I let Green Test Lawns keep this card')
    expect(card?.mandate.text).toContain('at least 3 days before')
    expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).autopay).toMatchObject({
      card: 'Visa ending in 4242',
    })
    // words of another version are not agreed to
    expect(
      (await stranger.call(cardsApi.payAndSave, { params: { token }, body: { mandate: 'Other words' } })).status,
    ).toBe(409)
    const api = await office(own)
    expect((await api.ok(cardsApi.removeCard, { params: { id: customerId } })).card).toBeNull()
    expect((await api.call(cardsApi.removeCard, { params: { id: customerId } })).status).toBe(404)
    const provider = await own.db((db) =>
      db.selectFrom('paymentMethods').select('removedAt').where('businessId', '=', own.id).execute(),
    )
    expect(provider.every(({ removedAt }) => removedAt !== null)).toBe(true)
  })

  it('paid without the box nothing is kept', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { token } = await anInvoice(own, customerId)
    await payPage(await openPage(token))
    await runTasks()
    expect(await cardOf(own, customerId)).toBeNull()
  })
})

describe('autopay', () => {
  it('announces the charge, then charges once on the due day, however often it runs', async () => {
    const { own, id, customerId } = await withCard()
    onDay(6)
    await run(own)
    expect((await subjects(own)).filter((s) => s.includes('charges $50.00'))).toEqual([])
    onDay(7)
    await run(own)
    await run(own)
    expect((await subjects(own)).filter((s) => s.includes('charges $50.00'))).toHaveLength(1)
    expect((await cardOf(own, customerId))?.next).toMatchObject({ amountCents: 5000, chargeOn: day(10) })
    expect((await invoiceOf(own, id)).status).toBe('issued')
    onDay(10, 480)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    onDay(10)
    await Promise.all([run(own), run(own), run(own)])
    await run(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000, payments: [{ method: 'card' }] })
    expect(await tries(own)).toEqual([{ status: 'succeeded', tryNumber: 1 }])
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('an invoice that is due at once is charged no sooner than was promised', async () => {
    const { own, customerId } = await withCard()
    const { id } = await anInvoice(own, customerId, 0)
    // who pays by autopay is not asked to pay
    expect((await subjects(own)).filter((subject) => subject.includes('paid by autopay on'))).toHaveLength(2)
    await run(own)
    onDay(2)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    onDay(3)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
  })

  it('never charges more than was announced: credit taken back is announced first', async () => {
    const { own, id } = await withCard()
    const api = await office(own)
    const body = { method: 'check' as const, amountCents: 2000, receivedOn: day() }
    const part = await api.ok(paymentsApi.recordPayment, { params: { id }, body })
    onDay(7)
    await run(own)
    const later = await office(own)
    await later.ok(correctionsApi.reversePayment, { params: { id: part.id }, body: { reason: 'Check came back' } })
    onDay(10)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    expect((await subjects(own)).filter((s) => s.includes('charges $'))).toEqual([
      expect.stringContaining('$50.00'),
      expect.stringContaining('$30.00'),
    ])
    onDay(13)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
  })

  it('a declined card is tried after 3, 5 and 7 days, then autopay is off and the office is told', async () => {
    const { own, id, customerId } = await withCard(cards.poor)
    onDay(7)
    await run(own)
    for (const ahead of [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]) {
      onDay(ahead)
      await run(own)
      await run(own)
    }
    expect(await tries(own)).toEqual([1, 2, 3, 4].map((tryNumber) => ({ status: 'failed', tryNumber })))
    expect((await subjects(own)).filter((s) => s.startsWith('Your card was declined'))).toHaveLength(3)
    expect((await subjects(own)).filter((s) => s.includes('is off: your card was declined'))).toHaveLength(1)
    expect(await cardOf(own, customerId)).toMatchObject({
      autopay: false,
      ended: expect.stringContaining('There was not enough money on the card.'),
      can: { turnOn: true, turnOff: false },
    })
    expect((await invoiceOf(own, id)).status).toBe('issued')
    const { needs } = await (await office(own)).ok(dashboardApi.get, {})
    expect(needs.find(({ badge }) => badge === 'Autopay')?.title).toMatch(/^Autopay of .* is off$/)
    // turned on again: announced anew, then tried anew
    await (await office(own)).ok(cardsApi.setAutopay, { params: { id: customerId }, body: { on: true } })
    await run(own)
    expect((await tries(own)).length).toBe(4)
    onDay(22)
    await run(own)
    expect((await tries(own)).length).toBe(5)
  })

  it('an expired card is not tried again; another card left on the page goes on', async () => {
    const { own, id, token, customerId } = await withCard(cards.gone)
    onDay(7)
    await run(own)
    onDay(10)
    await run(own)
    onDay(13)
    await run(own)
    expect((await tries(own)).length).toBe(1)
    expect((await cardOf(own, customerId))?.ended).toContain('The card has expired.')
    await leaveCard(token)
    expect((await invoiceOf(own, id)).status).toBe('paid')
    const next = await anInvoice(own, customerId, 0)
    await run(own)
    onDay(16)
    await run(own)
    expect((await invoiceOf(own, next.id)).status).toBe('paid')
  })

  it('the customer turns it off on the page of an invoice, and nothing is charged', async () => {
    const { own, id, token, customerId } = await withCard()
    onDay(7)
    await run(own)
    expect((await stranger.ok(cardsApi.stopAutopay, { params: { token } })).autopay).toBeNull()
    await stranger.ok(cardsApi.stopAutopay, { params: { token } })
    onDay(10)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    expect(await cardOf(own, customerId)).toMatchObject({ autopay: false, ended: null })
    expect((await subjects(own)).filter((s) => s === 'Autopay with Green Test Lawns is off')).toHaveLength(1)
  })

  it('waits while the payment page is open, and charges nothing that was paid at the door or voided', async () => {
    const { own, id, token, customerId } = await withCard()
    const voided = await anInvoice(own, customerId)
    const cash = await anInvoice(own, customerId)
    onDay(7)
    await run(own)
    onDay(10)
    await openPage(token)
    const api = await office(own)
    await api.ok(invoicesApi.voidInvoice, { params: { id: voided.id } })
    const body = { method: 'cash' as const, amountCents: 5000, receivedOn: day(10) }
    await api.ok(paymentsApi.recordPayment, { params: { id: cash.id }, body })
    await run(own)
    expect(await tries(own)).toEqual([])
    onDay(10, 700)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
    expect(await tries(own)).toHaveLength(1)
  })

  it('nothing is tried while the business takes no cards, and a card of an account that was left is not used', async () => {
    const { own, id } = await withCard()
    onDay(7)
    await run(own)
    onDay(10)
    await (await office(own)).ok(connectApi.disconnectAccount, {})
    await run(own)
    expect([await tries(own), (await invoiceOf(own, id)).status]).toEqual([[], 'issued'])
    await (await office(own)).ok(connectApi.connectAccount, {})
    // what was let go meanwhile is announced anew before it is charged
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    onDay(13)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('paid')
  })

  it('after a disconnect nobody is told of a charge: what was announced is let go, and reminders and late fees go on', async () => {
    const { own, id, customerId } = await withCard()
    const api = await office(own)
    const { version } = await api.ok(businessesApi.get, {})
    const lateFees = { ...noLateFees, kind: 'fixed' as const, fixedCents: 1500, graceDays: 3 }
    const invoiceTerms = 'Late pays more.'
    await api.ok(businessesApi.update, { body: { lateFees, invoiceTerms, invoiceReminders: [3], version } })
    onDay(7)
    await run(own)
    await (await office(own)).ok(connectApi.disconnectAccount, {})
    const other = await anInvoice(own, customerId, 0)
    await run(own)
    await run(own)
    expect((await subjects(own)).filter((s) => s.includes('charges $50.00'))).toHaveLength(1)
    // who was told of the charge is told that it is not made, once, and who was told nothing hears nothing
    expect((await subjects(own)).filter((s) => s.includes('does not charge'))).toEqual([
      expect.stringMatching(/^Green Test Lawns does not charge INV-\d+ on /),
    ])
    expect((await cardOf(own, customerId))?.next).toBeNull()
    for (const one of [id, other.id]) expect((await invoiceOf(own, one)).reminders.autopay).toBeNull()
    const { notifications } = await (await office(own)).ok(notificationsApi.list, {})
    expect(notifications.filter(({ title }) => title.startsWith('Autopay stands still'))).toMatchObject([
      { title: 'Autopay stands still: a charge that was announced will not be made' },
    ])
    onDay(13)
    await remindBySchedule(systemActor(own.id))
    onDay(14, 700)
    await chargeLateFees(systemActor(own.id))
    const { lastRemindedAt, lateFees: fees } = await invoiceOf(own, id)
    expect([lastRemindedAt !== null, fees.length]).toEqual([true, 1])
  })

  it.each(['its own key', 'the webhook'])(
    'a try that was cut off after the charge is booked once, by %s',
    async (by) => {
      const { own, id } = await withCard()
      onDay(7)
      await run(own)
      onDay(10)
      const { request, account } = await aTryCutOff(own, id)
      const charge = await localBilling.chargeMethod(request, account)
      const voided = await (await office(own)).call(invoicesApi.voidInvoice, { params: { id } })
      expect(voided.status).toBe(409)
      // before its event is worked off
      if (by === 'its own key') await chargeInvoice(systemActor(own.id), id)
      await runTasks()
      await run(own)
      const booked = await bookedIds(own)
      expect(booked.filter((one) => one === charge.id)).toHaveLength(1)
      expect(booked).toHaveLength(2)
      expect(await tries(own)).toEqual([{ status: 'succeeded', tryNumber: 1 }])
      // late and forged words about it change nothing
      for (const type of ['payment_intent.payment_failed', 'payment_intent.succeeded'])
        await tellOf(type, { id: charge.id }, account)
      expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', paidCents: 5000 })
      expect(await own.db(compareBooks)).toEqual([])
    },
  )

  it('a card that ends soon is told of once', async () => {
    const { own } = await withCard()
    const year = Number(day().slice(0, 4))
    await own.db((db) =>
      db
        .updateTable('paymentMethods')
        .set({ expYear: year, expMonth: Number(day().slice(5, 7)) })
        .where('businessId', '=', own.id)
        .execute(),
    )
    await run(own)
    await run(own)
    expect((await subjects(own)).filter((s) => s.includes('expires soon'))).toHaveLength(1)
  })

  it.each(['payment_method.automatically_updated', 'payment_method.updated', 'setup_intent.succeeded'])(
    'a card that its bank renewed is the new one here, by %s, and is not called expiring any more',
    async (type) => {
      const { own, customerId } = await withCard()
      const [year, month] = [Number(day().slice(0, 4)), Number(day().slice(5, 7))]
      await own.db((db) =>
        db
          .updateTable('paymentMethods')
          .set({ expYear: year, expMonth: month })
          .where('businessId', '=', own.id)
          .execute(),
      )
      await run(own)
      expect(await cardOf(own, customerId)).toMatchObject({ expiresSoon: true })
      const { providerMethodId: id } = await methodOf(own)
      await renewLocalCard(id, { last4: '9995', expMonth: 4, expYear: year + 4 })
      const account = await accountOf(own)
      const object = type.startsWith('setup_intent') ? { id: 'seti_1', payment_method: id } : { id }
      // of another account it is nobody's, and again it changes nothing
      await tellOf(type, object, 'acct_other')
      expect((await cardOf(own, customerId))?.label).toBe('Visa ending in 4242')
      for (let n = 0; n < 2; n++) await tellOf(type, object, account)
      expect(await cardOf(own, customerId)).toMatchObject({
        label: 'Visa ending in 9995',
        expires: `04/${year + 4}`,
        expiresSoon: false,
        autopay: true,
      })
      expect((await methodOf(own)).warnedAt).toBeNull()
    },
  )

  it('a card that was removed at the provider pays nothing more, and the office is told', async () => {
    const { own, customerId } = await withCard()
    const { providerMethodId: id } = await methodOf(own)
    await removeLocalMethod(id)
    await tellOf('payment_method.detached', { id }, await accountOf(own))
    const card = await cardOf(own, customerId)
    // what is not there is on file no more: nobody turns it on again
    expect(card).toBeNull()
    const { notifications } = await (await office(own)).ok(notificationsApi.list, {})
    expect(notifications.filter(({ title }) => /^Autopay of .* is off$/.test(title))).toHaveLength(1)
  })

  it('a customer without an e-mail address is not charged unannounced', async () => {
    const { own, id, customerId } = await withCard()
    await own.db((db) => db.updateTable('customers').set({ email: null }).where('businessId', '=', own.id).execute())
    onDay(10)
    await run(own)
    expect((await invoiceOf(own, id)).status).toBe('issued')
    expect((await cardOf(own, customerId))?.ended).toContain('has no e-mail on file')
  })
})
