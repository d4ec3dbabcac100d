import { describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../contract.ts'
import { invoiceTotals, stateOfWork } from '../rules.ts'

const rate = (own: TestBusiness, name: string, ratePercent: number, state: string | null) =>
  own.api.ok(businessesApi.addTaxRate, { body: { name, ratePercent, taxCategory: 'lawn', state } })

const customer = (own: TestBusiness, state: string) =>
  own.api.ok(customersApi.create, {
    body: { name: 'Ann Ames', property: { street: `1 ${state} St`, city: 'Savannah', state, zip: '31401' } },
  })

const line = (propertyId: string | null = null) => ({
  description: 'Mow',
  quantity: 1,
  unitPriceCents: 10_000,
  taxCategory: 'lawn',
  propertyId,
})

describe('sales tax', () => {
  it('is on a typed invoice of a customer without a billing address, as the form says before', async () => {
    const own = await aBusiness()
    await rate(own, 'Georgia', 4, 'Georgia')
    await rate(own, 'South Carolina', 6, 'SC')
    const made = await customer(own, 'ga')
    const settings = await own.api.ok(businessesApi.get, {})
    expect(settings.taxRates.map((tax) => tax.state).sort()).toEqual(['GA', 'SC'])
    expect(made.properties[0]?.state).toBe('GA')
    const second = await own.api.ok(customersApi.addProperty, {
      params: { id: made.id },
      body: { street: '2 River Rd', city: 'Bluffton', state: 'South Carolina' },
    })
    expect(second.state).toBe('SC')
    const lines = [line(), line(second.id)]
    const known = await own.api.ok(customersApi.get, { params: { id: made.id } })
    const shown = invoiceTotals(
      lines.map((one) => ({ ...one, state: stateOfWork(one.propertyId, known.properties, known) })),
      { taxes: settings.taxRates, taxExempt: known.taxExempt },
    )
    const invoice = await own.api.ok(invoicesApi.create, { body: { customerId: made.id, lines } })
    expect(invoice.taxes).toEqual([
      { name: 'Georgia', ratePercent: 4, baseCents: 10_000, taxCents: 400 },
      { name: 'South Carolina', ratePercent: 6, baseCents: 10_000, taxCents: 600 },
    ])
    expect([invoice.taxCents, invoice.totalCents]).toEqual([shown.taxCents, shown.totalCents])
    expect(invoice.billTo).toEqual({
      name: 'Ann Ames',
      company: null,
      street: '1 ga St',
      city: 'Savannah',
      state: 'GA',
      zip: '31401',
    })
  })

  it('follows each place in a batch, and leaves out what the person leaves out', async () => {
    const own = await aBusiness()
    await rate(own, 'Georgia', 4, 'GA')
    await rate(own, 'South Carolina', 6, 'SC')
    const one = await aVisit(own, { status: 'completed', priceCents: 10_000 })
    const two = await aVisit(own, { status: 'completed', priceCents: 20_000 })
    await own.db(async (db) => {
      await db
        .updateTable('visits')
        .set({ customerId: one.customerId })
        .where('businessId', '=', own.id)
        .where('id', '=', two.visitId)
        .execute()
      for (const [id, state] of [
        [one.propertyId, 'GA'],
        [two.propertyId, 'SC'],
      ] as const)
        await db
          .updateTable('properties')
          .set({ state })
          .where('businessId', '=', own.id)
          .where('id', '=', id)
          .execute()
      await db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute()
    })
    const shown = await own.api.ok(invoicesApi.preview, { query: { grouping: 'customer' } })
    expect([shown.invoiceCount, shown.groups[0]?.taxCents]).toEqual([1, 400 + 1200])
    await own.api.ok(invoicesApi.createBatch, { body: { send: false, grouping: 'customer' } })
    const [made] = (await own.api.ok(invoicesApi.list, {})).items
    const invoice = await own.api.ok(invoicesApi.get, { params: { id: made?.id ?? '' } })
    expect(invoice.taxes.map((tax) => [tax.name, tax.baseCents, tax.taxCents])).toEqual([
      ['Georgia', 10_000, 400],
      ['South Carolina', 20_000, 1200],
    ])
  })

  it("takes no state that is none, nor another customer's place", async () => {
    const own = await aBusiness()
    const wrong = await own.api.call(businessesApi.addTaxRate, {
      body: { name: 'X', ratePercent: 4, taxCategory: 'lawn', state: 'Ontario' },
    })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'state'])
    const [ann, other] = [await customer(own, 'GA'), await customer(own, 'SC')]
    const foreign = await own.api.call(invoicesApi.create, {
      body: { customerId: ann.id, lines: [line(other.properties[0]?.id)] },
    })
    expect([foreign.status, foreign.error.errors?.[0]?.path]).toEqual([422, 'lines.0.propertyId'])
  })
})
