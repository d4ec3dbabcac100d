import { describe, expect, it } from 'vitest'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, aVisit, today } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { invoicesApi } from '../../contract.ts'
import { exemptionsApi } from '../contract.ts'

const taxed = async () => {
  const own = await aBusiness()
  await own.api.ok(businessesApi.addTaxRate, {
    body: { name: 'Georgia', ratePercent: 7, taxCategory: 'lawn', state: null },
  })
  return own
}
const put = (own: TestBusiness, customerId: string, changes: object = {}) =>
  own.api.call(exemptionsApi.add, {
    params: { id: customerId },
    body: { certificate: 'GA-77', state: null, validFrom: addDays(today(), -10), validUntil: null, ...changes },
  })
const taxOf = async (own: TestBusiness, customerId: string, propertyId?: string) => {
  const lines = [
    { description: 'Mowing', quantity: 1, unitPriceCents: 10_000, taxCategory: 'lawn', propertyId: propertyId ?? null },
  ]
  return (await own.api.ok(invoicesApi.create, { body: { customerId, lines } })).taxCents
}
const mark = (own: TestBusiness, customerId: string) =>
  own.db((db) =>
    db
      .updateTable('customers')
      .set({ taxExempt: true })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
const list = (own: TestBusiness, id: string) => own.api.ok(exemptionsApi.list, { params: { id } })
const needs = async (own: TestBusiness) =>
  (await own.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'exemption')

describe('tax exemption', () => {
  it('is of the days on the certificate: before and after them tax is charged', async () => {
    const own = await taxed()
    const { customerId } = await aLawn(own)
    expect(await taxOf(own, customerId)).toBe(700)
    const ended = await put(own, customerId, { validUntil: addDays(today(), -1) })
    expect(ended.body).toMatchObject({ taxExempt: [], items: [{ standing: 'expired' }] })
    expect(await taxOf(own, customerId)).toBe(700)
    await put(own, customerId, { validFrom: addDays(today(), 1) })
    expect(await taxOf(own, customerId)).toBe(700)
    await put(own, customerId, { validUntil: today() })
    expect(await taxOf(own, customerId)).toBe(0)
  })

  it('by hand counts until a certificate is on file, and again when none is', async () => {
    const own = await taxed()
    const { customerId } = await aLawn(own)
    await mark(own, customerId)
    expect(await taxOf(own, customerId)).toBe(0)
    const { body } = await put(own, customerId, { validUntil: addDays(today(), -1) })
    expect(await taxOf(own, customerId)).toBe(700)
    await own.api.ok(exemptionsApi.remove, { params: { id: body.items[0]?.id ?? '' } })
    expect(await taxOf(own, customerId)).toBe(0)
    expect((await list(own, customerId)).items).toEqual([])
  })

  it('is of a state: work elsewhere is taxed, by hand and from finished visits, in the preview as on the invoice', async () => {
    const own = await taxed()
    const { customerId } = await aVisit(own, { status: 'completed', priceCents: 10_000 })
    await own.db((db) =>
      db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute(),
    )
    const previewed = async () => (await own.api.ok(invoicesApi.preview, { query: {} })).groups[0]
    expect(await previewed()).toMatchObject({ taxCents: 700, visits: [{ taxExempt: false }] })
    await put(own, customerId, { state: 'SC' })
    expect(await previewed()).toMatchObject({ taxCents: 700, visits: [{ taxExempt: ['SC'] }] })
    const { rows } = await own.db(async (db) => ({
      rows: await db.selectFrom('properties').select('state').where('businessId', '=', own.id).execute(),
    }))
    await put(own, customerId, { state: rows[0]?.state ?? 'GA' })
    expect(await previewed()).toMatchObject({ taxCents: 0, totalCents: 10_000 })
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const [made] = (await own.api.ok(invoicesApi.list, { query: { customerId } })).items
    expect(made?.totalCents).toBe(10_000)
    expect(await taxOf(own, customerId)).toBe(0)
  })

  it('is asked of the day of the work, not of the day of the invoice', async () => {
    const own = await taxed()
    const first = addDays(today(), -3)
    const { customerId } = await aVisit(own, { day: first, status: 'completed', priceCents: 10_000 })
    const later = await aVisit(own, { day: addDays(today(), -1), status: 'completed', priceCents: 5000 })
    await own.db((db) =>
      db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute(),
    )
    const previewed = async () => {
      const { groups } = await own.api.ok(invoicesApi.preview, { query: {} })
      return groups.map(({ taxCents }) => taxCents).sort((a, b) => a - b)
    }
    expect(await previewed()).toEqual([350, 700])
    // it was valid when the first was mown, and has expired since
    for (const id of [customerId, later.customerId]) await put(own, id, { validUntil: first })
    expect(await previewed()).toEqual([0, 350])
    await own.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const [made] = (await own.api.ok(invoicesApi.list, { query: { customerId } })).items
    expect(made?.totalCents).toBe(10_000)
    const typed = async (serviceOn: string | null) => {
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 10_000, taxCategory: 'lawn', serviceOn }]
      return (await own.api.ok(invoicesApi.create, { body: { customerId, lines } })).taxCents
    }
    expect([await typed(first), await typed(addDays(first, 1)), await typed(null)]).toEqual([0, 700, 700])
  })

  it('that ends is a need from 30 days before, until a later one is on file', async () => {
    const own = await aBusiness()
    const { customerId } = await aLawn(own)
    await put(own, customerId, { state: 'GA', validUntil: addDays(today(), 31) })
    expect(await needs(own)).toEqual([])
    await put(own, customerId, { state: 'SC', validUntil: addDays(today(), 30) })
    await put(own, customerId, { state: 'AL', certificate: 'AL-1', validUntil: addDays(today(), -2) })
    expect((await needs(own)).map(({ title }) => title)).toEqual([
      expect.stringContaining('AL-1 has expired'),
      expect.stringContaining('GA-77 expires'),
    ])
    await put(own, customerId, { state: null, validUntil: null })
    expect(await needs(own)).toEqual([])
  })

  it('refuses what cannot be, keeps its file, and is of one business and of who sees money', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const { customerId } = await aLawn(own)
    const wrong = await put(own, customerId, { validUntil: addDays(today(), -20) })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'validUntil'])
    const { body } = await put(own, customerId)
    const id = body.items[0]?.id ?? ''
    const send = (who: Pick<TestBusiness, 'api'>, payload: Buffer, type: string) =>
      who.api.raw({
        method: 'PUT',
        url: `/api/tax-exemptions/${id}/file`,
        payload,
        headers: { 'content-type': type, 'idempotency-key': crypto.randomUUID() },
      })
    expect((await send(own, Buffer.from('%PDF-1.7\nhello'), 'application/pdf')).status).toBe(200)
    const fileUrl = (await list(own, customerId)).items[0]?.fileUrl ?? ''
    const file = await own.api.raw({ method: 'GET', url: fileUrl })
    expect([file.status, file.text]).toEqual([200, '%PDF-1.7\nhello'])
    expect((await send(own, Buffer.from('<html>'), 'application/pdf')).status).toBe(415)
    expect((await send(other, Buffer.from('%PDF-1.7'), 'application/pdf')).status).toBe(404)
    expect((await put(other, customerId)).status).toBe(404)
    expect((await other.api.call(exemptionsApi.remove, { params: { id } })).status).toBe(404)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    expect((await dispatcher.api.call(exemptionsApi.list, { params: { id: customerId } })).status).toBe(403)
  })
})
