import { expect, it } from 'vitest'
import { stranger } from '../../../../test/api.ts'
import { aCustomer, anIssuedInvoice } from '../../../../test/cards.ts'
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
  const byBank = await stranger.call(paymentsApi.payByBank, { params: { token } })
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
