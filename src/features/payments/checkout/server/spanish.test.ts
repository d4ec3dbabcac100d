import { expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { stranger } from '../../../../test/api.ts'
import { aCustomer, anIssuedInvoice, openPage } from '../../../../test/cards.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { paymentsApi } from '../../contract.ts'

it('who reads Spanish hears in Spanish why a payment page does not open', async () => {
  const own = await aBusiness()
  const customerId = await aCustomer(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ language: 'es' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const { id, token } = await anIssuedInvoice(own, customerId, 5000)
  const byBank = await stranger.call(paymentsApi.payByBank, { params: { token }, body: {} })
  const pay = async () => {
    const { status, text } = await stranger.call(paymentsApi.pay, { params: { token } })
    return [status, text]
  }
  expect([byBank.status, byBank.text]).toEqual([
    409,
    expect.stringContaining('El descuento por pagar desde una cuenta'),
  ])
  const body = { method: 'check' as const, amountCents: 4980, receivedOn: today() }
  await own.api.ok(paymentsApi.recordPayment, { params: { id }, body })
  expect(await pay()).toEqual([409, expect.stringContaining('Es muy poco para una tarjeta.')])
  await own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { ...body, amountCents: 20 } })
  expect(await pay()).toEqual([409, expect.stringContaining('Esta factura está pagada. ¡Gracias!')])
})

it('who reads Spanish reads the page of the test provider in it, also its no', async () => {
  const own = await aBusiness()
  const customerId = await aCustomer(own)
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ language: 'es' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const { token } = await anIssuedInvoice(own, customerId, 5000)
  const url = await openPage(token)
  const params = { sessionId: url.split('/').at(-1) ?? '' }
  expect((await stranger.ok(localPaymentsApi.checkout, { params })).language).toBe('es')
  const say = async (cardNumber: string) => {
    const { status, body, error } = await stranger.call(localPaymentsApi.pay, { params, body: { cardNumber } })
    return status === 200 ? body.message : error.errors?.[0]?.message
  }
  expect(await say('4000 0000 0000 0002')).toBe('Su tarjeta fue rechazada. No se cobró nada; intente con otra tarjeta.')
  expect(await say('1')).toBe('Use una tarjeta de prueba: 4242 4242 4242 4242')
  expect(await say('4242 4242 4242 4242')).toBe('Se pagó con una tarjeta de prueba. No se movió dinero real.')
})

it.each(['/s/nobody', '/card/nobody'])('a link that opens nothing says so in both languages: %s', async (url) => {
  const { status, text } = await stranger.raw({ method: 'GET', url })
  expect([status, text.includes('lang="es"'), /Este enlace no/.test(text)]).toEqual([404, true, true])
})
