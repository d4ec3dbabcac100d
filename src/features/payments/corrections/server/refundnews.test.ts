import { beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payByBank } from '../../../../test/bank.ts'
import { aCardClock, aCustomer, anInvoice, invoiceOf, office, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'

/** What a customer hears when money goes back to their card: how much, to what, how long it takes. */

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const change = (own: TestBusiness, id: string, to: { language?: 'es'; paperWay?: 'text'; phone?: string }) =>
  own.db((db) => db.updateTable('customers').set(to).where('businessId', '=', own.id).where('id', '=', id).execute())
const paid = async (own: TestBusiness, customerId: string) => {
  const { id, token } = await anInvoice(own, customerId)
  await payPage(await openPage(token))
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await runTasks()
  return id
}
const refund = async (own: TestBusiness, id: string, amountCents: number, more: { creditInvoices?: boolean } = {}) => {
  const payment = (await invoiceOf(own, id)).payments[0]?.id ?? ''
  const body = { amountCents, method: 'card' as const, onDay: at.day(), reason: 'Too much', ...more }
  const api = await office(own)
  await api.ok(correctionsApi.refundPayment, { params: { id: payment }, body })
  await runTasks()
  await runTasks()
}
const said = async (own: TestBusiness) =>
  (await (await office(own)).ok(messagesApi.list, { query: { limit: 50 } })).items
    .filter(({ subject, text }) => /refund|reembolso|devolvimos|gave/i.test(`${subject} ${text}`))
    .map(({ channel, subject, text }) => ({ channel, subject, text }))

it('who paid by card hears once how much went to which card, how long it takes and what is open now', async () => {
  const own = await aBusiness()
  const id = await paid(own, await aCustomer(own))
  await refund(own, id, 2000)
  const mails = await said(own)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toMatch(/^Your refund of \$20\.00 from /)
  expect(mails[0]?.text).toMatch(/We gave \$20\.00 back to your Visa ending in 4242, for INV-\d+\./)
  expect(mails[0]?.text).toContain('5 to 10 business days')
  expect(mails[0]?.text).toMatch(/With that, \$20\.00 is open on INV-\d+\./)
  expect((await invoiceOf(own, id)).mails.map(({ kind }) => kind)).toContain('refund')
})

it('what was credited in the place of the money is not said to be open', async () => {
  const own = await aBusiness()
  await refund(own, await paid(own, await aCustomer(own)), 2000, { creditInvoices: true })
  const [mail] = await said(own)
  expect(mail?.text).toContain('your Visa ending in 4242')
  expect(mail?.text).not.toContain('open on')
})

it('is written in Spanish to who reads Spanish, and by text to who has texts', async () => {
  const own = await aBusiness()
  const ana = await aCustomer(own)
  await change(own, ana, { language: 'es' })
  await refund(own, await paid(own, ana), 2000)
  const [mail] = await said(own)
  expect(mail?.subject).toMatch(/^Su reembolso de \$20\.00 de /)
  expect(mail?.text).toMatch(/Le devolvimos \$20\.00 a su tarjeta Visa terminada en 4242, por INV-\d+\./)
  expect(mail?.text).toContain('de 5 a 10 días hábiles')
  expect(mail?.text).not.toMatch(/\b(the|your|refund|open|days|see)\b/i)
  await change(own, ana, { paperWay: 'text', phone: '+19125550177' })
  await refund(own, await paid(own, ana), 5000)
  const text = (await said(own)).find(({ channel }) => channel === 'sms')?.text
  expect(text).toMatch(/le devolvimos \$50\.00 a su tarjeta Visa terminada en 4242, por INV-\d+\./)
  expect(text).toMatch(/5 a 10 dias habiles.+http/)
})

it('a bank payment goes back to the account, which takes days of its own', async () => {
  const own = await aBankBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payByBank(token, accounts.good)
  at.onDay(8)
  await passDays(own)
  const payment = (await invoiceOf(own, id)).payments[0]?.id ?? ''
  const body = { amountCents: 2000, method: 'card' as const, onDay: at.day(8), reason: 'Too much' }
  await (await office(own)).ok(correctionsApi.refundPayment, { params: { id: payment }, body })
  await runTasks()
  const [mail] = await said(own)
  expect(mail?.text).toContain('your Test Bank account ending in 6789')
  expect(mail?.text).toContain('3 to 5 business days')
})
