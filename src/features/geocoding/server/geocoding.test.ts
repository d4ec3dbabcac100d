import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { configurePatience, ServiceError } from '../../../platform/geo/ask-service.ts'
import { configureGeocoder } from '../../../platform/geo/engines.ts'
import type { FoundAddress, Geocoder } from '../../../platform/geo/geocoder.ts'
import type { Address } from '../../../shared/places.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { importsApi } from '../../imports/contract.ts'
import { routesApi } from '../../routes/contract.ts'
import { geocodingApi } from '../contract.ts'
import { kmBetween } from '../rules.ts'

/** The middle of ZIP code 31419 in the table. */
const middle = { latitude: 31.984562, longitude: -81.23695 }
const house = { lat: 32.01, lng: -81.22 }

let business: TestBusiness
let asked: Address[]

const service = (answer: (address: Address) => Partial<FoundAddress> | null, changes: Partial<Geocoder> = {}): void => {
  asked = []
  configureGeocoder({
    id: 'test',
    name: 'the test',
    batch: 3,
    everyMs: 0,
    keepDays: 100,
    find: async (addresses) => {
      // Tasks that other tests left behind run too.
      asked.push(...addresses.filter(({ street }) => street.toLowerCase().includes('testwood')))
      return addresses.map((address) => {
        const found = answer(address)
        return found && { ...house, quality: 'rooftop', several: false, label: address.street, ...found }
      })
    },
    ...changes,
  })
}

beforeEach(async () => {
  configureGeocoder(null)
  configurePatience(1)
  business = await aBusiness()
})
afterEach(() => {
  configureGeocoder()
  configurePatience()
  resetClock()
})

const where = { city: 'Savannah', state: 'GA', zip: '31419' }
const add = async (property: object = {}) => {
  const made = await business.api.ok(customersApi.create, {
    body: { name: 'Rebecca Odom', property: { street: '12 Testwood St', ...where, ...property }, allowDuplicate: true },
  })
  return { customerId: made.id, property: made.properties[0]! }
}
const propertyOf = async (customerId: string) =>
  (await business.api.ok(customersApi.get, { params: { id: customerId } })).properties[0]!
const change = (property: { id: string; version: number }, body: object) =>
  business.api.ok(customersApi.updateProperty, {
    params: { id: property.id },
    body: { version: property.version, ...body },
  })

describe('an address without coordinates', () => {
  it('stands in the middle of its ZIP code when no service is configured, and says so', async () => {
    const { customerId, property } = await add()
    expect(property).toMatchObject({ latitude: null, geocodeQuality: 'none', geocodeWaiting: true })
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({
      ...middle,
      geocodeQuality: 'zip',
      geocodeWaiting: false,
      version: property.version,
    })
    const map = await business.api.ok(customersApi.map, { query: {} })
    expect(map).toMatchObject({ approximate: 1, withoutPin: 0, pins: [{ quality: 'zip' }] })
    const list = await business.api.ok(customersApi.list, { query: { approximate: true } })
    expect(list.total).toBe(1)
  })

  it.each([
    [{ zip: '31419-2210' }, 'zip'],
    [{ zip: '31402' }, 'county'],
    [{ zip: '99999' }, 'none'],
    [{ zip: '' }, 'none'],
    [{ state: 'NY' }, 'none'],
    [{ state: 'South Carolina', zip: '29910' }, 'zip'],
    [{ state: 'PR', zip: '00901' }, 'zip'],
    [{ state: 'HI', zip: '96813' }, 'zip'],
  ])('%j is known as %s', async (changes, quality) => {
    const { customerId } = await add(changes)
    await runTasks()
    const property = await propertyOf(customerId)
    expect(property.geocodeQuality).toBe(quality)
    expect(property.latitude === null).toBe(quality === 'none')
    expect(property.geocodeNote === '').toBe(quality === 'zip')
  })

  it('is looked up behind the screen, once', async () => {
    service(() => ({}))
    const { customerId } = await add()
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({
      latitude: 32.01,
      geocodeQuality: 'rooftop',
      geocodeNote: '',
      geocodeWaiting: false,
    })
    await add({ street: '12  testwood st.' })
    await runTasks()
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['in New York', { lat: 40.7, lng: -74 }, 'another state than GA'],
    ['in the ocean', { lat: 31.5, lng: -78 }, 'outside of the country'],
    ['in Atlanta', { lat: 33.75, lng: -84.4 }, 'far from ZIP code 31419'],
  ])('that the service finds %s is not believed', async (_, at, words) => {
    service(() => at)
    const { customerId } = await add()
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({
      ...middle,
      geocodeQuality: 'zip',
      geocodeNote: expect.stringContaining(words),
    })
  })

  it('stands roughly while the service is away, and is looked up when it is back', async () => {
    let calls = 0
    service(() => null, {
      find: async () => {
        calls++
        throw new ServiceError('down', { passing: true })
      },
    })
    const { customerId } = await add()
    await runTasks()
    expect(calls).toBe(3)
    expect(await propertyOf(customerId)).toMatchObject({ geocodeQuality: 'zip', geocodeWaiting: true })
    service(() => ({}))
    expect(await business.api.ok(geocodingApi.again, {})).toEqual({ waiting: 1 })
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({ geocodeQuality: 'rooftop', geocodeWaiting: false })
  })

  it('that the service did not know is asked for again after a month', async () => {
    service(() => null)
    const { customerId } = await add()
    await runTasks()
    service(() => ({}))
    await business.api.ok(geocodingApi.again, {})
    await runTasks()
    expect(asked).toEqual([])
    await business.api.ok(geocodingApi.again, {})
    setClock(() => new Date(Date.now() + 31 * 86_400_000))
    await runTasks()
    expect(asked).toHaveLength(1)
    resetClock()
    expect((await propertyOf(customerId)).geocodeQuality).toBe('rooftop')
  })
})

describe('a changed address', () => {
  it('is looked up anew', async () => {
    service(() => ({}))
    const { customerId } = await add()
    await runTasks()
    await change(await propertyOf(customerId), { notes: 'Gate sticks' })
    await runTasks()
    expect(asked).toHaveLength(1)
    await change(await propertyOf(customerId), { street: '14 Testwood St' })
    await runTasks()
    expect(asked.map((a) => a.street)).toEqual(['12 Testwood St', '14 Testwood St'])
  })

  it('leaves a pin that was set by hand, unless the person lets it go', async () => {
    service(() => ({}))
    const { customerId, property } = await add()
    await business.api.ok(customersApi.setLocation, {
      params: { id: property.id },
      body: { latitude: 32.1, longitude: -81.15, version: (await propertyOf(customerId)).version },
    })
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({ latitude: 32.1, geocodeQuality: 'manual' })
    await change(await propertyOf(customerId), { street: '14 Testwood St' })
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({ latitude: 32.1, geocodeQuality: 'manual' })
    await change(await propertyOf(customerId), { street: '16 Testwood St', relocate: true })
    await runTasks()
    expect(await propertyOf(customerId)).toMatchObject({ latitude: 32.01, geocodeQuality: 'rooftop' })
  })

  it('during a look-up is not overwritten by the old answer; nor is a pin set meanwhile', async () => {
    const first = await add()
    const second = await add({ street: '99 Elm St' })
    service(() => ({}), {
      find: async (addresses) => {
        if (addresses.some((a) => a.street === '12 Testwood St')) {
          await change(first.property, { street: '7 New St', zip: '31405' })
          await business.api.ok(customersApi.setLocation, {
            params: { id: second.property.id },
            body: { latitude: 32.2, longitude: -81.2, version: (await propertyOf(second.customerId)).version },
          })
        }
        return addresses.map(({ street }) => ({ ...house, quality: 'rooftop', several: false, label: street }))
      },
    })
    await runTasks()
    expect(await propertyOf(first.customerId)).toMatchObject({ street: '7 New St', geocodeWaiting: false })
    expect(await propertyOf(second.customerId)).toMatchObject({ latitude: 32.2, geocodeQuality: 'manual' })
  })
})

describe('an import', () => {
  it('does not wait for its addresses, and keeps the coordinates that it brings', async () => {
    let whileRunning: string | null = null
    let importId = ''
    service(() => ({}), {
      batch: 1000,
      find: async (addresses) => {
        whileRunning ??= (await business.api.ok(importsApi.get, { params: { id: importId } })).status
        return addresses.map(({ street }) => ({ ...house, quality: 'street', several: false, label: street }))
      },
    })
    const rows = Array.from({ length: 40 }, (_, i) => `Person ${i},${i + 1} Oak St,Savannah,GA,31419,,`)
    rows.push('Pinned One,500 Oak St,Savannah,GA,31419,32.3,-81.3')
    const text = ['name,street,city,state,zip,latitude,longitude', ...rows].join('\n')
    const made = await business.api.ok(importsApi.create, { body: { fileName: 'list.csv', text } })
    importId = made.id
    await business.api.ok(importsApi.check, { params: { id: importId } })
    await business.api.ok(importsApi.confirm, { params: { id: importId }, body: {} })
    await runTasks()
    expect(whileRunning).toBe('done')
    const map = await business.api.ok(customersApi.map, { query: {} })
    expect(map.pins).toHaveLength(41)
    expect(map.pins.filter((pin) => pin.quality === 'street')).toHaveLength(40)
    expect(map.pins.find((pin) => pin.name === 'Pinned One')).toMatchObject({ latitude: 32.3, quality: 'exact' })
  })
})

describe('a form', () => {
  it('asks where an address is, and nothing is kept on a customer', async () => {
    const found = await business.api.ok(geocodingApi.find, { body: { street: '12 Testwood St', ...where } })
    expect(found).toMatchObject({ ...middle, quality: 'zip' })
    service(() => ({}))
    expect(await business.api.ok(geocodingApi.find, { body: { street: '12 Testwood St', ...where } })).toEqual({
      latitude: 32.01,
      longitude: -81.22,
      quality: 'rooftop',
      note: '',
    })
  })

  it('gets a rough place when the service is away, and a clear word for nonsense', async () => {
    service(() => null, { find: async () => Promise.reject(new ServiceError('down', { passing: false })) })
    expect(await business.api.ok(geocodingApi.find, { body: { street: '1 A St', ...where } })).toMatchObject({
      quality: 'zip',
      note: expect.stringContaining('does not answer'),
    })
    const empty = await business.api.call(geocodingApi.find, { body: {} })
    expect([empty.status, empty.error.errors?.[0]?.message]).toEqual([422, 'Type an address first.'])
    expect((await (await business.employee()).api.call(geocodingApi.find, { body: where })).status).toBe(403)
  })
})

it('a stop in the middle of its ZIP code is planned, and the route says so', async () => {
  const { property, customerId } = await add()
  await runTasks()
  const { visitId } = await aVisit(business)
  await business.db((db) =>
    db
      .updateTable('visits')
      .set({ propertyId: property.id, customerId })
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  const plan = await business.api.ok(routesApi.day, { query: {} })
  expect(plan.unplaced).toMatchObject([{ visitId, ...middle, approximate: true }])
})

it('answers stay with the business that asked', async () => {
  service(() => ({}))
  await add()
  await runTasks()
  const other = await aBusiness()
  expect(await other.db((db) => db.selectFrom('geocodedAddresses').selectAll().execute())).toEqual([])
  expect(kmBetween(house, { lat: middle.latitude, lng: middle.longitude })).toBeLessThan(60)
})
