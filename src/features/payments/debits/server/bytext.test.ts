import { beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import type { PaperWay } from '../../../../shared/paper-ways.ts'
import { stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payByBank, publicPage } from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  anInvoice,
  anIssuedInvoice,
  cardOf,
  invoiceOf,
  leaveCard,
  office,
  openSaving,
  runCards,
} from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { cardLinksApi } from '../../cardlinks/contract.ts'
import { cardsApi } from '../../cards/contract.ts'

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const phone = '+19125550177'
/** A customer with a mobile number alone, whose invoices are texted. */
const aTexted = async (own: TestBusiness, change: { paperWay?: PaperWay } = {}) => {
  const customerId = await aCustomer(own, null)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ phone, paperWay: 'text', ...change })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return customerId
}
const texts = async (own: TestBusiness): Promise<string[]> => {
  const { items } = await (await office(own)).ok(messagesApi.list, { query: { limit: 50 } })
  return items.flatMap(({ channel, text }) => (channel === 'sms' ? [text] : [])).reverse()
}
const mails = async (own: TestBusiness) =>
  (await (await office(own)).ok(messagesApi.list, { query: { channel: 'email' } })).items.length

it('who is texted hears by text that a bank was asked, and that it did not pay', async () => {
  const own = await aBankBusiness()
  const { token } = await anInvoice(own, await aTexted(own))
  await payByBank(token, accounts.poor)
  expect((await texts(own)).at(-1)).toMatch(/your bank was asked for \$50\.00 for INV-\d+.+http/)
  expect(await publicPage(token)).toMatchObject({ told: 'text' })
  at.onDay(5)
  await passDays(own)
  expect((await texts(own)).at(-1)).toMatch(/did not pay \$50\.00 for INV-\d+\. There was not enough money.+http/)
  const told = (await (await office(own)).ok(notificationsApi.list, { query: {} })).notifications
  expect(told.find(({ title }) => title.includes('failed'))?.content).toContain('was told by text.')
  expect(await mails(own)).toBe(0)
})

it('autopay of who is texted is announced by text, and charges on the day', async () => {
  const own = await aBusiness()
  const customerId = await aTexted(own)
  await leaveCard((await anInvoice(own, customerId)).token)
  expect((await cardOf(own, customerId))?.mandate.text).toContain('a mail or a text at least 3 days before')
  const { id } = await anInvoice(own, customerId)
  at.onDay(7)
  await runCards(own)
  expect((await texts(own)).at(-1)).toMatch(/we charge your Visa ending in 4242 with \$50\.00 for INV-\d+.+http/)
  at.onDay(10)
  await runCards(own)
  expect((await invoiceOf(own, id)).status).toBe('paid')
  expect(await mails(own)).toBe(0)
})

it('who agreed to mails alone has one as long as there is an address', async () => {
  const own = await aBusiness()
  const customerId = await aTexted(own)
  await leaveCard((await anInvoice(own, customerId)).token)
  await own.db(async (db) => {
    await db.updateTable('paymentMethods').set({ mandateVersion: 2 }).where('businessId', '=', own.id).execute()
    await db.updateTable('customers').set({ email: 'ann@test.swath.test' }).where('id', '=', customerId).execute()
  })
  await anInvoice(own, customerId)
  at.onDay(7)
  await runCards(own)
  expect([(await texts(own)).at(-1)?.includes('we charge'), await mails(own)]).toEqual([true, 1])
})

it('whom neither mail nor text reaches is offered no autopay, and none is begun for them', async () => {
  const own = await aBusiness()
  const customerId = await aTexted(own, { paperWay: 'email' })
  const { token } = await anIssuedInvoice(own, customerId, 5000)
  const { told, mandate } = await publicPage(token)
  expect(told).toBeNull()
  const refused = await stranger.call(cardsApi.payAndSave, { params: { token }, body: { mandate: mandate.text } })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('neither a mail nor a text')])
  const link = await (await office(own)).call(cardLinksApi.send, { params: { id: customerId }, body: { by: 'hand' } })
  expect([link.status, link.text]).toEqual([409, expect.stringContaining('no e-mail on file')])
})

it('autopay ends with its reason where nothing reaches the customer any more', async () => {
  const own = await aBusiness()
  const customerId = await aTexted(own)
  const { token } = await anInvoice(own, customerId)
  await openSaving(token)
  await leaveCard(token)
  await anInvoice(own, customerId)
  await own.db((db) => db.updateTable('customers').set({ phone: null }).where('id', '=', customerId).execute())
  at.onDay(7)
  await runCards(own)
  expect(await cardOf(own, customerId)).toMatchObject({
    autopay: false,
    ended: expect.stringContaining('has no e-mail on file, and gets no texts (No mobile number on file)'),
    can: { turnOn: false },
  })
})
