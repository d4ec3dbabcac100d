import { sql } from 'kysely'
import { extractText } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { businessLeadsApi } from '../../leads/contract.ts'
import { leadRequestApi } from '../../leads/requests/contract.ts'
import { doorcardsApi } from '../contract.ts'
import { nearPin, pinAt } from './queries.ts'

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

  it('have no card where one half of the building is served', async () => {
    const street = await aStreet()
    const add = (name: string, property: object, stage = 'active') =>
      street.api.ok(customersApi.create, { body: { name, stage, property } as never })
    await add('Half Served', { ...at('134 Laurel Ct', 40), unit: 'B' })
    await add('Typed Into Street', at('136 Laurel Court Apt 2', 50))
    // a longer number begins alike and is another building
    await add('Longer Number', at('1301 Laurel Ct', 60))
    await add('Other Half', { ...at('134 Laurel Ct', 40), unit: 'A' }, 'past')
    const { doors } = await street.api.ok(doorcardsApi.near, { params: { id: street.propertyId } })
    const streets = doors.map((door) => door.street)
    expect(streets.filter((one) => /^13[46] /.test(one))).toEqual([])
    expect(streets).toContain('131 Laurel Court')
    expect(streets).toContain('133 Laurel Court')
  })

  it('of before who live in a unit get a card once, too', async () => {
    const street = await aStreet()
    const body = { name: 'Una Unit', stage: 'past', property: { ...at('150 Laurel Ct', 70), unit: '3' } } as never
    await street.api.ok(customersApi.create, { body })
    const near = async () => (await street.api.ok(doorcardsApi.near, { params: { id: street.propertyId } })).doors
    const door = (await near()).find(({ name }) => name === 'Una Unit')
    expect((await make(street, [door?.key ?? ''])).status).toBe(200)
    expect((await near()).find(({ name }) => name === 'Una Unit')?.askedAt).not.toBeNull()
  })

  it('get the same cards printed again, until these are taken back and their doors are free', async () => {
    const street = await aStreet()
    const near = async () => (await street.api.ok(doorcardsApi.near, { params: { id: street.propertyId } })).doors
    const keys = (await near()).slice(0, 3).map(({ key }) => key)
    const { id } = (await make(street, keys)).body
    const pdf = () => street.api.call(doorcardsApi.pdf, { params: { id } })
    expect([(await pdf()).status, (await pdf()).status]).toEqual([200, 200])
    const list = async () => (await street.api.ok(doorcardsApi.list, { query: {} })).items
    expect(await list()).toMatchObject([
      { id, street: '132 Laurel Court', doors: 3, language: 'es', undoneAt: null, can: { undo: true, print: true } },
    ])
    await street.api.ok(doorcardsApi.undo, { params: { id } })
    expect((await near()).filter(({ askedAt }) => askedAt !== null)).toEqual([])
    expect(await list()).toMatchObject([{ can: { undo: false, print: false } }])
    expect((await pdf()).status).toBe(409)
    expect((await street.api.call(doorcardsApi.undo, { params: { id } })).status).toBe(409)
    expect((await make(street, keys)).status).toBe(200)
    const first = await street.api.ok(doorcardsApi.list, { query: { limit: 1 } })
    const second = await street.api.ok(doorcardsApi.list, { query: { limit: 1, cursor: first.nextCursor ?? '' } })
    expect([first.items[0]?.id === id, second.items[0]?.id, second.nextCursor]).toEqual([false, id, null])
  })

  it('get one card where two people make cards at once', async () => {
    const street = await aStreet()
    const keys = (await street.api.ok(doorcardsApi.near, { params: { id: street.propertyId } })).doors.map(
      ({ key }) => key,
    )
    const both = await Promise.all([make(street, keys), make(street, keys)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const id = both.find(({ status }) => status === 200)?.body.id ?? ''
    const undone = await Promise.all([0, 1].map(() => street.api.call(doorcardsApi.undo, { params: { id } })))
    expect(undone.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('are found by the index of the box around a pin', async () => {
    const street = await aStreet()
    // as large as one business gets, spread over a county; what is asked for stands in one street of it
    await street.db((db) =>
      sql`insert into customers (business_id, id, name, stage)
        select ${street.id}, gen_random_uuid(), 'Wide ' || n, 'past' from generate_series(1, 5000) n`.execute(db),
    )
    await street.db((db) =>
      sql`insert into properties (business_id, id, customer_id, street, city, state, zip, latitude, longitude, geocode_quality)
        select p.business_id, gen_random_uuid(), c.id, n || ' Wide Rd', 'Savannah', 'GA', '31401', 31.5 + n / 5000.0, -81.6 + n / 5000.0, p.geocode_quality
        from properties p, generate_series(1, 5000) n, customers c
        where p.business_id = ${street.id} and p.id = ${street.propertyId} and c.business_id = p.business_id and c.name = 'Wide ' || n`.execute(
        db,
      ),
    )
    await street.db((db) =>
      sql`insert into business_leads (business_id, id, name, source, created_at, stage_at, updated_at, latitude, longitude)
        select ${street.id}, gen_random_uuid(), 'Lead ' || n, 'call', now(), now(), now(), 31.5 + n / 5000.0, -81.6 + n / 5000.0 from generate_series(1, 5000) n`.execute(
        db,
      ),
    )
    await ownerPool().query('analyze customers, properties, business_leads')
    const plan = await street.db(async (db) => {
      const asked = nearPin(db, pinAt(32.05, -81.1))
      const { rows } = await sql<Record<string, string>>`explain ${asked}`.execute(db)
      return rows.map((row) => Object.values(row)[0]).join('\n')
    })
    expect(plan).toContain('properties_near')
    expect(plan).toContain('business_leads_near')
  })

  it('of a crew with room are people near any of its stops for whom nothing is booked', async () => {
    const street = await aStreet()
    const crewId = await aCrew(street, { workDays: [0, 1, 2, 3, 4, 5, 6] })
    const pin = at('132 Laurel Court')
    await aVisit(street, { street: '500 Elm St', latitude: pin.latitude, longitude: pin.longitude, crewId })
    await street.api.ok(businessLeadsApi.create, {
      body: { name: 'Lea Lead', source: 'call', phone: '(912) 555-0188', ...at('145 Laurel Ct', 120) } as never,
    })
    const { crews } = await street.api.ok(doorcardsApi.rooms, { query: { day: today() } })
    const room = crews.find(({ id }) => id === crewId)
    expect(room?.stops).toBe(1)
    const near = await street.api.ok(doorcardsApi.ofCrew, { params: { id: crewId }, query: { day: today() } })
    expect(near.stops.map((stop) => stop.street)).toEqual(['500 Elm St'])
    const names = near.people.map(({ name, kind, stopStreet }) => [name, kind, stopStreet])
    expect(names).toContainEqual(['Cy Past', 'past', '500 Elm St'])
    expect(names).toContainEqual(['Lea Lead', 'lead', '500 Elm St'])
    expect(names.map(([name]) => name)).not.toContain('Ben Active')
    expect(names.map(([name]) => name)).not.toContain('Dee Far')
    const other = await aStreet()
    const foreign = await other.api.call(doorcardsApi.ofCrew, { params: { id: crewId }, query: { day: today() } })
    expect(foreign.status).toBe(404)
  })

  it('of another business stay its own', async () => {
    const [street, other] = [await aStreet(), await aStreet()]
    expect((await street.api.call(doorcardsApi.near, { params: { id: other.propertyId } })).status).toBe(404)
  })
})
