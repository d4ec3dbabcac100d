import { beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { businessesApi } from '../contract.ts'

let business: TestBusiness
beforeAll(async () => {
  business = await aBusiness()
})

describe('settings', () => {
  it('changes what is sent and nothing else; a stale version is refused', async () => {
    const before = await business.api.ok(businessesApi.get, {})
    const after = await business.api.ok(businessesApi.update, {
      body: { version: before.version, termsDays: 30, holidays: ['2026-07-04'] },
    })
    expect(after).toEqual({ ...before, termsDays: 30, holidays: ['2026-07-04'], version: before.version + 1 })
    const stale = await business.api.call(businessesApi.update, { body: { version: before.version, termsDays: 7 } })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
  })

  it.each([
    [{ timeZone: 'Mars/Base' }, 'timeZone'],
    [{ seasonStart: '02-30' }, 'seasonStart'],
    [{ holidays: ['2026-02-29'] }, 'holidays.0'],
    [{ termsDays: -1 }, 'termsDays'],
    [{ brandColour: 'green' }, 'brandColour'],
  ])('refuses %j and changes nothing', async (change, path) => {
    const before = await business.api.ok(businessesApi.get, {})
    const answer = await business.api.call(businessesApi.update, { body: { version: before.version, ...change } })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, path])
    expect(await business.api.ok(businessesApi.get, {})).toEqual(before)
  })

  it('takes 29 February as the edge of a season', async () => {
    const { version } = await business.api.ok(businessesApi.get, {})
    expect((await business.api.ok(businessesApi.update, { body: { version, seasonStart: '02-29' } })).seasonStart).toBe(
      '02-29',
    )
  })

  it('keeps a tax table; a foreign rate is 404; an employee may do nothing of it', async () => {
    const added = await business.api.ok(businessesApi.addTaxRate, {
      body: { name: 'County', ratePercent: 7.25, taxCategory: 'lawn' },
    })
    const rate = added.taxRates.find((r) => r.name === 'County')
    expect(rate?.ratePercent).toBe(7.25)
    const other = await aBusiness()
    expect((await other.api.call(businessesApi.removeTaxRate, { params: { id: rate?.id ?? '' } })).status).toBe(404)
    expect((await (await business.employee()).api.call(businessesApi.get, {})).status).toBe(403)
    expect((await business.api.ok(businessesApi.removeTaxRate, { params: { id: rate?.id ?? '' } })).taxRates).toEqual(
      [],
    )
  })
})
