import { describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../contract.ts'
import { invoiceTotals, placeOfWork } from '../rules.ts'

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
      lines.map((one) => ({ ...one, place: placeOfWork(one.propertyId, known.properties, known) })),
      { taxes: settings.taxRates, taxExempt: known.taxExempt, today: '2026-06-01' },
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

  it('is of a quantity that is kept as it was typed: more than three decimals are refused', async () => {
    const own = await aBusiness()
    const made = await customer(own, 'GA')
    const typed = (quantity: number) =>
      own.api.call(invoicesApi.create, { body: { customerId: made.id, lines: [{ ...line(), quantity }] } })
    const refused = await typed(1.0005)
    expect([refused.status, refused.error.errors?.[0]?.path]).toEqual([422, 'lines.0.quantity'])
    const { body } = await typed(0.335)
    expect([body.lines[0]?.quantity, body.totalCents]).toEqual([0.335, 3350])
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

  it('is the one of the county where the work is, never two counties of a state together', async () => {
    const own = await aBusiness()
    const add = (body: Record<string, unknown>) =>
      own.api.call(businessesApi.addTaxRate, {
        body: { name: 'X', ratePercent: 8, taxCategory: 'lawn', state: 'GA', ...body },
      })
    expect((await add({ name: 'Chatham', places: ['31401', '31404'] })).status).toBe(200)
    expect((await add({ name: 'Bryan', ratePercent: 7.25, places: ['Richmond Hill'] })).status).toBe(200)
    expect((await add({ name: 'Transit', ratePercent: 1, places: ['31401'], onTop: true })).status).toBe(200)
    const second = await add({ name: 'Savannah', places: ['31404'] })
    expect([second.status, second.error.errors?.[0]?.path]).toEqual([422, 'places'])
    expect((await add({ name: 'Whole state', ratePercent: 4 })).status).toBe(200)
    expect((await add({ name: 'Whole state, typed again', ratePercent: 4 })).status).toBe(422)
    expect((await add({ name: 'No state', state: null, places: ['Richmond Hill'] })).error.errors?.[0]?.path).toBe(
      'state',
    )
    const made = await customer(own, 'GA')
    const place = async (body: { street: string; city: string; zip?: string }) =>
      (await own.api.ok(customersApi.addProperty, { params: { id: made.id }, body: { state: 'GA', ...body } })).id
    const hill = await place({ street: '2 Ford Ave', city: 'richmond hill', zip: '31324' })
    const macon = await place({ street: '3 Vine St', city: 'Macon', zip: '31201' })
    const { taxes } = await own.api.ok(invoicesApi.create, {
      body: { customerId: made.id, lines: [line(), line(hill), line(macon)] },
    })
    expect(taxes.map(({ name, baseCents, taxCents }) => [name, baseCents, taxCents])).toEqual([
      ['Bryan', 10_000, 725],
      ['Chatham', 10_000, 800],
      ['Transit', 10_000, 100],
      ['Whole state', 10_000, 400],
    ])
  })

  it('is the one of the day of the work, and two that are added at once are never both charged', async () => {
    const own = await aBusiness()
    const rates = { taxCategory: 'lawn', state: 'GA' }
    await own.api.ok(businessesApi.addTaxRate, {
      body: { ...rates, name: 'Old', ratePercent: 7, validTo: '2026-06-30' },
    })
    const both = await Promise.all(
      ['New', 'Newer'].map((name) =>
        own.api.call(businessesApi.addTaxRate, { body: { ...rates, name, ratePercent: 8, validFrom: '2026-07-01' } }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    const made = await customer(own, 'GA')
    const on = (serviceOn: string) => ({ ...line(), serviceOn })
    const { taxes } = await own.api.ok(invoicesApi.create, {
      body: { customerId: made.id, lines: [on('2026-06-30'), on('2026-07-01')] },
    })
    expect(taxes.map(({ ratePercent, baseCents }) => [ratePercent, baseCents]).sort()).toEqual([
      [7, 10_000],
      [8, 10_000],
    ])
  })

  it('of a draft is looked at again when it is issued: a rate that came since is not left out in silence', async () => {
    const own = await aBusiness()
    const made = await customer(own, 'GA')
    await own.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'ann@test.swath.test' })
        .where('businessId', '=', own.id)
        .where('id', '=', made.id)
        .execute(),
    )
    const draft = await own.api.ok(invoicesApi.create, { body: { customerId: made.id, lines: [line()] } })
    const settings = await rate(own, 'Georgia', 4, 'GA')
    const params = { id: draft.id }
    for (const answer of [
      await own.api.call(invoicesApi.send, { params }),
      await own.api.call(invoicesApi.issue, { params }),
    ])
      expect([answer.status, answer.error.message]).toEqual([
        409,
        expect.stringContaining('was $0.00 when it was saved'),
      ])
    const many = await own.api.ok(invoicesApi.sendMany, { body: { ids: [draft.id] } })
    expect([many.sentCount, many.skipped[0]?.reason]).toEqual([0, expect.stringContaining('is $4.00 by the rates')])
    const lines = draft.lines.map(({ id, description, quantity, unitPriceCents, taxCategory, propertyId }) => ({
      id,
      description,
      quantity,
      unitPriceCents,
      taxCategory,
      propertyId,
    }))
    const saved = await own.api.ok(invoicesApi.change, {
      params,
      body: { lines, termsDays: draft.termsDays, version: draft.version },
    })
    expect(saved.totalCents).toBe(10_400)
    // it ends on a day after the work: what was saved stays right
    const id = settings.taxRates[0]?.id ?? ''
    await own.api.ok(businessesApi.endTaxRate, { params: { id }, body: { validTo: '2099-12-31' } })
    expect((await own.api.call(invoicesApi.send, { params })).status).toBe(200)
  })
})
