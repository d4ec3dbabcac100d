import { expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aCustomer, anIssuedInvoice, cards, openPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { paymentsApi } from '../../contract.ts'

/** A card payment that goes through while a check for the same invoice is recorded. */
const payTwice = async (own: TestBusiness, change: Record<string, string | null>) => {
  const customerId = await aCustomer(own)
  await own.db((db) =>
    db.updateTable('customers').set(change).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  const { id, token } = await anIssuedInvoice(own, customerId, 5000)
  const params = { sessionId: (await openPage(token)).split('/').at(-1) ?? '' }
  await stranger.ok(localPaymentsApi.pay, { params, body: { cardNumber: cards.good } })
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: 5000, receivedOn: today() },
  })
  await runTasks()
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await runTasks()
  const { items } = await own.api.ok(messagesApi.list, { query: { limit: 50 } })
  return items.filter(({ subject, text }) =>
    /too much|de más|de mas|mas de lo|more than was open/.test(`${subject} ${text}`),
  )
}

it('who paid too much and is texted hears by text, in Spanish where they read it, once', async () => {
  const own = await aBusiness()
  const told = await payTwice(own, { email: null, phone: '+19125550177', paperWay: 'text', language: 'es' })
  expect(told.map(({ channel }) => channel)).toEqual(['sms'])
  expect(told[0]?.text).toMatch(/pago \$50\.00 mas de lo pendiente \(INV-\d+\)\. Es suyo/)
})

it('who paid too much and has papers by mail reads it in their language', async () => {
  const own = await aBusiness()
  const spanish = await payTwice(own, { language: 'es' })
  expect(spanish.map(({ channel, subject }) => [channel, subject])).toEqual([
    ['email', expect.stringMatching(/^Le pagó \$50\.00 de más a /)],
  ])
  expect(spanish[0]?.text).toContain('lo guardamos como crédito a su favor')
  const english = await payTwice(await aBusiness(), { language: 'en' })
  expect(english.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^You paid .* \$50\.00 too much$/)])
})

it('a check over more than was open is thanked for whole, and what is kept as credit is said', async () => {
  const own = await aBusiness()
  const customerId = await aCustomer(own)
  const change = { email: null, phone: '+19125550178', paperWay: 'text' as const }
  await own.db((db) =>
    db.updateTable('customers').set(change).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  const { id } = await anIssuedInvoice(own, customerId, 20_900)
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: 30_000, receivedOn: today() },
  })
  await runTasks()
  const { items } = await own.api.ok(messagesApi.list, { query: { limit: 50 } })
  expect(items.map(({ text }) => text).join()).toMatch(
    /thank you for \$300\.00\. INV-\d+ is paid; \$91\.00 is kept as your credit\. Your receipt:/,
  )
})
