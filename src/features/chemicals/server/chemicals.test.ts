import { beforeEach, expect, it } from 'vitest'
import { aMix, aProduct } from '../../../test/chemicals.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { chemicalsApi } from '../contract.ts'

let business: TestBusiness

beforeEach(async () => {
  business = await aBusiness()
})

it('the most of a label does not fall below what a mix in use puts down: the mixes are named', async () => {
  const product = await aProduct(business.api)
  const mix = await aMix(business.api, product.id)
  await aMix(business.api, product.id, { name: 'Spots', products: [{ productId: product.id, rate: 1.2 }] })
  const set = (labelHigh: number | null, version: number) =>
    business.api.call(chemicalsApi.updateProduct, { params: { id: product.id }, body: { labelHigh, version } })
  const refused = await set(1.4, product.version)
  expect([refused.status, refused.error.message]).toEqual([
    409,
    'More than that is in the mix “Weed control” (1.5 fl oz). Lower the rate there first. Nothing was changed.',
  ])
  const both = await set(1, product.version)
  expect(both.error.message).toContain('the mixes “Spots” (1.2 fl oz), “Weed control” (1.5 fl oz)')
  expect((await set(1.5, product.version)).status).toBe(200)
  await business.api.ok(chemicalsApi.updateMix, {
    params: { id: mix.id },
    body: { archived: true, version: mix.version },
  })
  expect((await set(1.2, product.version + 1)).status).toBe(200)
})

it('a label rate finer than four decimals is refused in words', async () => {
  const fine = await business.api.call(chemicalsApi.addProduct, {
    body: { name: 'Certainty', unit: 'oz', labelHigh: 0.00001 } as never,
  })
  expect([fine.status, fine.error.errors?.[0]]).toEqual([422, { path: 'labelHigh', message: 'At most four decimals.' }])
  expect((await aProduct(business.api, { labelLow: 0.0287, labelHigh: 0.0574 })).labelHigh).toBe(0.0574)
})
