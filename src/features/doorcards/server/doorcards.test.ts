import { extractText } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { customersApi } from '../../customers/contract.ts'
import { businessLeadsApi } from '../../leads/contract.ts'
import { leadRequestApi } from '../../leads/requests/contract.ts'
import { doorcardsApi } from '../contract.ts'

const at = (street: string, north = 0) => ({
  street,
  city: 'Savannah',
  state: 'GA',
  zip: '31401',
  latitude: 32.05 + north / 111_320,
  longitude: -81.1,
})

const aStreet = async () => {
  const business = await aBusiness({ name: 'Oak Lawn' })
  const { api } = business
  const add = (name: string, property: object, rest: object = {}) =>
    api.ok(customersApi.create, { body: { name, property, ...rest } as never })
  const stop = await add('Ann Stop', at('132 Laurel Court'))
  await add('Ben Active', at('130 Laurel Ct', 30))
  await add('Cy Past', at('140 Laurel Ct', 90), { stage: 'past' })
  await add('Dee Far', at('900 Pine St', 5_000), { stage: 'past' })
  return { ...business, propertyId: stop.properties[0]?.id ?? '' }
}

const make = (street: Awaited<ReturnType<typeof aStreet>>, keys: string[]) =>
  street.api.call(doorcardsApi.make, {
    params: { id: street.propertyId },
    body: { keys, language: 'es', offer: 'Primera vez a mitad de precio.' },
  })

describe('neighbors of a stop', () => {
  it('are who we knew near it and the numbers beside it, never whom we work for', async () => {
    const { api, propertyId } = await aStreet()
    const { doors, hasPage } = await api.ok(doorcardsApi.near, { params: { id: propertyId } })
    expect(hasPage).toBe(true)
    expect(doors[0]).toMatchObject({ kind: 'past', name: 'Cy Past', street: '140 Laurel Ct' })
    const streets = doors.map(({ street }) => street)
    expect(streets).toContain('131 Laurel Court')
    expect(streets).not.toContain('130 Laurel Court')
    expect(streets).not.toContain('132 Laurel Court')
    expect(streets).not.toContain('140 Laurel Court')
    expect(streets).not.toContain('900 Pine St')
  })

  it('get a card once, and a request by its code says which stop it was for', async () => {
    const street = await aStreet()
    const { doors } = await street.api.ok(doorcardsApi.near, { params: { id: street.propertyId } })
    const keys = doors.slice(0, 5).map(({ key }) => key)
    const made = await make(street, keys)
    expect(made.body).toMatchObject({ doors: 5 })
    const again = await street.api.ok(doorcardsApi.near, { params: { id: street.propertyId } })
    expect(
      again.doors
        .filter(({ askedAt }) => askedAt !== null)
        .map(({ key }) => key)
        .sort(),
    ).toEqual([...keys].sort())
    expect((await make(street, keys.slice(0, 1))).status).toBe(409)
    const pdf = await street.api.call(doorcardsApi.pdf, { params: { id: made.body.id } })
    expect(pdf.headers['content-type']).toContain('application/pdf')
    const { text: pages } = await extractText(new Uint8Array(pdf.bytes))
    expect(pages.join(' ')).toContain('Primera vez a mitad de precio.')
    expect(pages.join(' ')).not.toContain('132 Laurel')
    const { code, slug } = await street.db(async (db) => {
      const card = await db
        .selectFrom('doorCards')
        .select('code')
        .where('businessId', '=', street.id)
        .executeTakeFirstOrThrow()
      const row = await db
        .selectFrom('businesses')
        .select('slug')
        .where('businessId', '=', street.id)
        .executeTakeFirstOrThrow()
      return { ...card, ...row }
    })
    await stranger.ok(leadRequestApi.ask, {
      params: { slug },
      body: {
        name: 'Maya Brooks',
        phone: '(912) 555-0147',
        zip: '31401',
        wants: 'Mowing',
        key: newId(),
        street: '131 Laurel Ct',
        city: 'Savannah',
        state: 'GA',
        ref: `card-${code}`,
      } as never,
    })
    const { items } = await street.api.ok(businessLeadsApi.list, { query: {} })
    const lead = await street.api.ok(businessLeadsApi.get, { params: { id: items[0]?.id ?? '' } })
    expect(lead).toMatchObject({ source: 'neighbor', sourceDetail: 'Door card near 132 Laurel Court' })
  })

  it('of another business stay its own', async () => {
    const [street, other] = [await aStreet(), await aStreet()]
    expect((await street.api.call(doorcardsApi.near, { params: { id: other.propertyId } })).status).toBe(404)
  })
})
