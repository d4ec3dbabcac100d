import { expect, it } from 'vitest'
import { aCustomer, anInvoice, invoiceOf, office } from '../../../test/cards.ts'
import { aBusiness } from '../../../test/factories.ts'
import { invoicesApi } from '../contract.ts'

it('a voided invoice keeps who voided it and why', async () => {
  const own = await aBusiness()
  const { id } = await anInvoice(own, await aCustomer(own))
  const api = await office(own)
  await api.ok(invoicesApi.voidInvoice, { params: { id }, body: { reason: 'Made twice' } })
  const { corrections } = await invoiceOf(own, id)
  expect(corrections).toMatchObject([{ kind: 'void', amountCents: 5000, reason: 'Made twice' }])
  expect(corrections[0]?.by).toBeTruthy()
  // without a body as before
  const other = await anInvoice(own, await aCustomer(own))
  await api.ok(invoicesApi.voidInvoice, { params: { id: other.id } })
  expect((await invoiceOf(own, other.id)).corrections).toMatchObject([{ kind: 'void', reason: '' }])
})
