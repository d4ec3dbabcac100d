import { expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { invoicesApi } from '../../contract.ts'

const read = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const again = async (own: TestBusiness, id: string, more: object = {}) => {
  const { customer, lines, discountCents } = await read(own, id)
  return own.api.call(invoicesApi.create, {
    body: {
      customerId: customer.id,
      madeFrom: id,
      discountCents,
      lines: lines.map(({ id: lineId, description, quantity, unitPriceCents, taxCategory, propertyId }) => ({
        id: lineId,
        description,
        quantity,
        unitPriceCents,
        taxCategory,
        propertyId,
      })),
      ...more,
    },
  })
}
const aVoided = async (own: TestBusiness) => {
  const { customerId } = await aVisit(own)
  const { id } = await own.api.ok(invoicesApi.create, {
    body: { customerId, discountCents: 500, lines: [{ description: 'Stump', quantity: 2, unitPriceCents: 4000 }] },
  })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  expect((await read(own, id)).can.makeAgain).toBe(false)
  expect((await again(own, id)).status).toBe(409)
  await own.api.ok(invoicesApi.voidInvoice, { params: { id }, body: { reason: 'Wrong price' } })
  return id
}

it('a voided invoice is made again once, with what stood on it, and both say so', async () => {
  const own = await aBusiness()
  const id = await aVoided(own)
  expect((await read(own, id)).can.makeAgain).toBe(true)
  const both = await Promise.all([again(own, id), again(own, id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const old = await read(own, id)
  const made = await read(own, old.madeAgainAs?.id ?? '')
  expect(made).toMatchObject({ status: 'draft', totalCents: 7500, discountCents: 500, madeFrom: { id } })
  expect(made.madeFrom?.number).toBe(old.number)
  expect(made.number).not.toBe(old.number)
  expect(made.lines).toMatchObject([{ description: 'Stump', quantity: 2, totalCents: 8000 }])
  const refused = await again(own, id)
  expect([old.can.makeAgain, refused.status, refused.error.message]).toEqual([
    false,
    409,
    expect.stringContaining(`INV-${made.number} bills its work now`),
  ])
  // taken back as well, one of the two is made once more, whichever is asked
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: made.id } })
  expect([(await read(own, id)).can.makeAgain, (await read(own, made.id)).can.makeAgain]).toEqual([true, true])
  const forks = await Promise.all([again(own, id), again(own, made.id)])
  expect(forks.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const third = await read(own, (await read(own, id)).madeAgainAs?.id ?? '')
  expect([third.status, third.madeFrom?.id]).toEqual(['draft', id])
  for (const old of [id, made.id]) {
    expect(await read(own, old)).toMatchObject({ can: { makeAgain: false }, madeAgainAs: { id: third.id } })
    expect((await again(own, old)).status).toBe(409)
  }
  // made from the second, it is one of them all the same
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: third.id } })
  expect((await again(own, made.id)).status).toBe(200)
  expect([(await again(own, id)).status, (await again(own, third.id)).status]).toEqual([409, 409])
})

it('not of visits, which wait to be invoiced anew, nor for somebody else', async () => {
  const own = await aBusiness()
  const { customerId } = await aVisit(own, { status: 'completed', priceCents: 6000 })
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const [invoice] = (await own.api.ok(invoicesApi.list, { query: { customerId } })).items
  const id = invoice?.id ?? ''
  await own.api.ok(invoicesApi.voidInvoice, { params: { id } })
  expect((await read(own, id)).can.makeAgain).toBe(false)
  const refused = await again(own, id)
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('visits wait to be invoiced')])
  const typed = await aVoided(own)
  expect((await again(own, typed, { customerId })).error.errors?.[0]?.path).toBe('customerId')
  expect(
    (
      await (
        await aBusiness()
      ).api.call(invoicesApi.create, {
        body: { customerId, madeFrom: typed, lines: [{ description: 'Stump', quantity: 1, unitPriceCents: 1 }] },
      })
    ).status,
  ).toBe(404)
})
