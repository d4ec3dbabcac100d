import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { nextNumber } from '../../../platform/db/counters.ts'
import { stranger } from '../../../test/api.ts'
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
    [{ brandColor: 'green' }, 'brandColor'],
    [{ zip: '374' }, 'zip'],
  ])('refuses %j and changes nothing', async (change, path) => {
    const before = await business.api.ok(businessesApi.get, {})
    const answer = await business.api.call(businessesApi.update, { body: { version: before.version, ...change } })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, path])
    expect(await business.api.ok(businessesApi.get, {})).toEqual(before)
  })

  it('takes February 29 as the edge of a season', async () => {
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

describe('the face of the business', () => {
  it('keeps a logo, shows it by a signed address, and takes nothing that is no picture', async () => {
    const own = await aBusiness()
    const png = await sharp({ create: { width: 40, height: 20, channels: 4, background: '#3a7d44' } })
      .png()
      .toBuffer()
    const after = await own.api.ok(businessesApi.setLogo, { body: png })
    expect(after.logoUrl).toMatch(/^\/api\/f\//)
    const picture = await stranger.raw({ method: 'GET', url: after.logoUrl ?? '' })
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await own.api.call(businessesApi.setLogo, { body: Buffer.from('<svg onload=alert(1)>') })).status).toBe(415)
    expect((await own.api.ok(businessesApi.get, {})).logoUrl).toBe(after.logoUrl)
    expect((await own.api.ok(businessesApi.removeLogo, {})).logoUrl).toBeNull()
  })

  it('has a public page with an allow-listed view; an earlier address leads to the present one', async () => {
    const own = await aBusiness({ name: 'Oak & Elm' })
    const before = await own.api.ok(businessesApi.get, {})
    const slug = `oak-${before.slug.slice(2, 20)}`
    const after = await own.api.ok(businessesApi.update, {
      body: { version: before.version, slug: slug.toUpperCase(), publicAbout: 'Since 2009.', phone: '912.555.0100' },
    })
    expect(
      (await own.api.call(businessesApi.update, { body: { version: after.version, phone: '555-0100' } })).status,
    ).toBe(422)
    expect(after.slug).toBe(slug)
    const read = (username: string) => stranger.call(businessesApi.publicPage, { params: { username } })
    const page = await read(before.slug)
    expect(page.body).toMatchObject({ slug, name: 'Oak & Elm', about: 'Since 2009.', phone: '+19125550100' })
    expect(Object.keys(page.body).sort()).toEqual(
      ['about', 'color', 'email', 'logoUrl', 'name', 'phone', 'place', 'portal', 'services', 'slug'].sort(),
    )
    const other = await aBusiness()
    const theirs = await other.api.ok(businessesApi.get, {})
    for (const taken of [slug, before.slug]) {
      const refused = await other.api.call(businessesApi.update, { body: { version: theirs.version, slug: taken } })
      expect([refused.status, refused.error.errors?.[0]?.path]).toEqual([422, 'slug'])
    }
    for (const bad of ['a', '-oak', 'oak elm', 'ö-lawn', 'x'.repeat(51)])
      expect(
        (await other.api.call(businessesApi.update, { body: { version: theirs.version, slug: bad } })).status,
      ).toBe(422)
    expect((await other.api.ok(businessesApi.get, {})).slug).toBe(theirs.slug)
    expect(page.body).toMatchObject({ email: null })
    const open = await own.api.ok(businessesApi.update, { body: { version: after.version, publicEmail: true } })
    expect((await read(slug)).body).toMatchObject({ email: open.email })
    await own.api.ok(businessesApi.update, { body: { version: open.version, publicPage: false } })
    expect((await read(slug)).status).toBe(404)
  })

  it('gives its next numbers, which only go up', async () => {
    const own = await aBusiness()
    expect(await own.api.ok(businessesApi.get, {})).toMatchObject({ nextInvoice: 1001, nextJob: 1001 })
    const set = (nextInvoice: number, nextJob = 1001) =>
      own.api.call(businessesApi.setNumbers, { body: { nextInvoice, nextJob } })
    expect((await set(5200)).body.nextInvoice).toBe(5200)
    const back = await set(5199)
    expect([back.status, back.error.errors?.[0]?.path]).toEqual([422, 'nextInvoice'])
    expect((await set(5200, 7)).status).toBe(422)
    expect((await own.api.ok(businessesApi.get, {})).nextInvoice).toBe(5200)
    expect(await own.db((db) => nextNumber(db, 'invoice'))).toBe(5200)
  })
})
