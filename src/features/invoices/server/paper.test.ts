import { expect, it } from 'vitest'
import { aBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { invoicesApi } from '../contract.ts'

it('an invoice is drawn once for what stands on it, and again when that changes', async () => {
  const own = await aBusiness()
  await aVisit(own, { status: 'completed', priceCents: 5500 })
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const id = (await own.api.ok(invoicesApi.list, {})).items[0]?.id ?? ''
  const pdf = async () => (await own.api.raw({ method: 'GET', url: `/api/invoices/${id}/pdf` })).text
  const [first, beside] = await Promise.all([pdf(), pdf()])
  expect(first.slice(0, 5)).toBe('%PDF-')
  // A PDF holds the moment it was drawn: the same bytes are the same drawing.
  expect(beside === first).toBe(true)
  expect((await pdf()) === first).toBe(true)
  await own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { amountCents: 500, method: 'check', receivedOn: (await own.api.ok(invoicesApi.preview, {})).to },
  })
  expect((await pdf()) === first).toBe(false)
})
