import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { configureWeather } from '../../../platform/geo/weather.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { ago, aLicense, aMix, aProduct, aRecord, treatLawns } from '../../../test/chemicals.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../test/field.ts'
import { chemicalsApi } from '../../chemicals/contract.ts'
import { recordsApi } from '../../chemicals/records/contract.ts'
import { unrecordedApi } from '../../chemicals/unrecorded/contract.ts'
import { areasApi } from '../../customers/areas/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { licensesApi } from '../../employees/licenses/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'

let business: TestBusiness
let luis: Person
let visitId: string
let propertyId: string
let productId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  ;({ visitId, propertyId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 }))
  await publishDay(business, crewId)
  await treatLawns(business)
  productId = (await aProduct(business.api)).id
  await aMix(business.api, productId)
})

const aTap = (more: object = {}, at = clock.iso(), id: string = newId()) => ({
  id,
  type: 'treat' as const,
  visitId,
  at,
  payload: { record: aRecord(productId, luis.userId, more), whole: true },
})
const send = async (who: Person, commands: ReturnType<typeof aTap>[], sentAt = clock.iso()) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt } })).results
const bundleOf = (who: Person) => who.api.ok(crewappApi.day, { query: {} })
const stopOf = async (who: Person) => (await bundleOf(who)).days[0]?.stops.find(({ id }) => id === visitId)
const recordsOf = async () => (await business.api.ok(recordsApi.ofVisit, { params: { visitId } })).records

it('is on the phone: mixes, who may apply, and what the stop asks for; nothing of it where nothing is treated', async () => {
  await business.api.ok(licensesApi.create, { params: { id: luis.userId }, body: aLicense() })
  const { chemicals } = await bundleOf(luis)
  expect(chemicals).toMatchObject({
    mixes: [{ name: 'Weed control', products: [{ name: 'Trimec Classic', rate: 1.5, unit: 'fl oz' }] }],
    people: [{ name: 'Luis Ortega', licenses: [{ state: 'GA', number: 'GA-1234' }] }],
  })
  expect((await stopOf(luis))?.treatment).toEqual({
    treats: true,
    squareFeet: 8000,
    records: 0,
    needed: false,
    keepOffUntil: null,
  })
  const { version } = await business.api.ok(areasApi.list, { params: { id: propertyId } })
  const front = { kind: 'turf' as const, name: 'Front', squareFeet: 2400 }
  const edge = { kind: 'edge' as const, name: 'Edge', squareFeet: 90 }
  await business.api.ok(areasApi.save, { params: { id: propertyId }, body: { version, areas: [front, edge] } as never })
  expect((await stopOf(luis))?.treatment?.areas).toEqual([front])
  await business.db((db) =>
    db.updateTable('services').set({ category: 'mow' }).where('businessId', '=', business.id).execute(),
  )
  expect((await bundleOf(luis)).chemicals).toBeUndefined()
  expect((await stopOf(luis))?.treatment).toBeUndefined()
})

it('is written down once by its id, in whatever state the visit is meanwhile, and the crew sees until when to keep off', async () => {
  const tap = aTap()
  const [first] = await send(luis, [tap])
  expect(first).toMatchObject({ result: 'applied', visit: { treatment: { records: 1 } } })
  expect((await send(luis, [tap]))[0]?.result).toBe('duplicate')
  const { version } = await business.api.ok(visitsApi.get, { params: { visitId } })
  await business.api.ok(visitsApi.cancel, { params: { visitId }, body: { version } })
  expect((await send(luis, [aTap({ mix: 'Second' })]))[0]?.result).toBe('applied')
  const records = await recordsOf()
  expect(records.map(({ id, fromPhone, enteredBy }) => [id === tap.id, fromPhone, enteredBy])).toEqual(
    expect.arrayContaining([[true, true, 'Luis Ortega']]),
  )
  expect(records).toHaveLength(2)
  const { treatment } = (await stopOf(luis)) ?? {}
  expect(Date.parse(treatment?.keepOffUntil ?? '')).toBeGreaterThan(clock.nowMs() + 23 * 3_600_000)
})

it('that the law asks more of is told to the office once, by who applied it and what is missing', async () => {
  const bell = async () =>
    (await business.api.ok(notificationsApi.list, { query: {} })).notifications.filter(({ title }) =>
      /valid license|not complete/.test(title),
    )
  const tap = aTap()
  await send(luis, [tap])
  await send(luis, [tap])
  const [told, ...more] = await bell()
  expect([told?.title, more]).toEqual([
    expect.stringMatching(/^Luis Ortega applied at .+ without a valid license on file$/),
    [],
  ])
})

it('of a phone that is an hour off keeps the right times', async () => {
  const off = -3_600_000
  const phone = (minutesAgo: number) => new Date(clock.nowMs() + off - minutesAgo * 60_000).toISOString()
  const tap = aTap({ startedAt: phone(40), endedAt: phone(20) }, phone(20))
  await send(luis, [tap], new Date(clock.nowMs() + off).toISOString())
  const [record] = await recordsOf()
  expect(Math.abs(Date.parse(record?.facts.endedAt ?? '') - Date.parse(ago(20)))).toBeLessThan(60_000)
})

it('of a phone that is an hour off leaves the times that it has from us as they are', async () => {
  const off = -3_600_000
  const phone = (minutesAgo: number) => new Date(clock.nowMs() + off - minutesAgo * 60_000).toISOString()
  const sentAt = new Date(clock.nowMs() + off).toISOString()
  const near = (instant: string | undefined, minutesAgo: number) =>
    expect(Math.abs(Date.parse(instant ?? '') - Date.parse(ago(minutesAgo)))).toBeLessThan(60_000)
  const begun = aTap({ startedAt: ago(40), endedAt: phone(20) }, phone(20))
  await send(luis, [{ ...begun, payload: { ...begun.payload, ourTimes: ['startedAt'] } } as never], sentAt)
  const [first] = await recordsOf()
  near(first?.facts.startedAt, 40)
  near(first?.facts.endedAt, 20)
  const done = aTap({ mix: 'Later', startedAt: ago(40), endedAt: ago(30) }, phone(5))
  await send(luis, [{ ...done, payload: { ...done.payload, ourTimes: ['startedAt', 'endedAt'] } } as never], sentAt)
  const later = (await recordsOf()).find(({ facts }) => facts.mix === 'Later')
  near(later?.facts.startedAt, 40)
  near(later?.facts.endedAt, 30)
})

describe('the weather of a record', () => {
  const hour = (at: string) => `${at.slice(0, 13)}:00:00.000Z`
  const guess = { windMph: 20, windFrom: 'N' as const, temperatureF: 99, sky: 'Rain', source: 'forecast' as const }
  const tapOf = (weatherAt: string) => {
    const tap = aTap({ startedAt: ago(360), endedAt: ago(300), weather: guess })
    return { ...tap, payload: { ...tap.payload, weatherAt } } as never
  }
  const weatherOf = async () => (await recordsOf())[0]?.facts.weather
  afterEach(() => configureWeather())

  it('is that of the hour of the application, however late it comes in and whatever hour the phone took', async () => {
    configureWeather({ url: 'http://127.0.0.1:9/forecast' })
    const one = {
      windMph: 4,
      windDegrees: 225,
      temperatureF: 74,
      cloudPercent: 10,
      rainHundredths: 0,
      chancePercent: 0,
      humidityPercent: 50,
    }
    await business.db(async (db) => {
      await db
        .updateTable('properties')
        .set({ latitude: 32, longitude: -81.1 })
        .where('businessId', '=', business.id)
        .execute()
      await db
        .insertInto('weatherPlaces')
        .values({
          businessId: business.id,
          id: newId(),
          latitudeTenths: 320,
          longitudeTenths: -811,
          askedAt: clock.iso(),
          readAt: clock.iso(),
          hours: JSON.stringify([
            { ...one, at: hour(ago(300)) },
            { ...one, at: hour(clock.iso()), windMph: 30 },
          ]),
        })
        .execute()
    })
    await send(luis, [tapOf(hour(clock.iso()))])
    expect(await weatherOf()).toEqual({
      windMph: 4,
      windFrom: 'SW',
      temperatureF: 74,
      sky: 'Clear',
      source: 'forecast',
    })
  })
  it('is not known where the phone took another hour and nothing is kept of this one', async () => {
    await send(luis, [tapOf(hour(clock.iso()))])
    expect(await weatherOf()).toEqual({ windMph: null, windFrom: '', temperatureF: null, sky: '', source: 'none' })
  })
  it('is the phone’s where it took the right hour', async () => {
    await send(luis, [tapOf(hour(ago(300)))])
    expect(await weatherOf()).toEqual(guess)
  })
})

it('of a restricted product without a license is a conflict that the office hears of, and is taken when it is sent again with one', async () => {
  const restricted = await aProduct(business.api, { name: 'Barricade', restricted: true })
  const tap = aTap({ products: [{ productId: restricted.id, rate: 1, amount: 8 }] })
  expect((await send(luis, [tap]))[0]).toMatchObject({ result: 'conflict', reason: 'no_license' })
  expect(await recordsOf()).toEqual([])
  await runTasks()
  const told = await business.db((db) =>
    db.selectFrom('notifications').select(['title', 'content']).where('businessId', '=', business.id).execute(),
  )
  expect(told.find(({ title }) => title.includes('Luis recorded an application at 7 Bay St'))?.content).toContain(
    'not recorded yet',
  )
  await business.api.ok(licensesApi.create, {
    params: { id: luis.userId },
    body: aLicense({ expiresOn: addDays(today(), 30) }),
  })
  expect((await send(luis, [{ ...tap, attempt: 2 } as never]))[0]?.result).toBe('applied')
  expect((await recordsOf())[0]?.facts.license).toBe('own')
})

const needsOf = async () =>
  (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'record' || kind === 'conflict')
const waitingOf = async () => (await business.api.ok(unrecordedApi.list, { query: { visitId } })).items

it('that cannot be a record waits for the office with everything typed, and is recorded once, from there or from the phone', async () => {
  const tap = aTap({ areaSquareFeet: 0, target: 'Clover' })
  expect((await send(luis, [tap]))[0]).toMatchObject({ result: 'conflict', reason: 'bad_record' })
  expect(await recordsOf()).toEqual([])
  expect(await needsOf()).toMatchObject([
    {
      kind: 'record',
      visitId,
      title: 'Luis recorded an application at 7 Bay St, and it could not be taken',
      detail: 'How many square feet? Everything typed is kept.',
    },
  ])
  const [waiting] = await waitingOf()
  expect(waiting?.typed).toContainEqual({ label: 'Target', text: 'Clover' })
  expect(waiting?.draft).toMatchObject({ target: 'Clover', equipment: 'Z-Spray 1' })
  expect(waiting?.draft?.areaSquareFeet).toBeUndefined()
  await business.api.ok(recordsApi.add, {
    params: { visitId },
    body: { ...aRecord(productId, luis.userId), unrecordedId: tap.id },
  })
  expect(await needsOf()).toEqual([])
  await runTasks()
  expect((await bundleOf(luis)).answers).toMatchObject([{ commandId: tap.id, decision: 'counts' }])
  expect((await send(luis, [{ ...tap, attempt: 2 } as never]))[0]?.result).not.toBe('applied')
  expect(await recordsOf()).toHaveLength(1)
  expect(await needsOf()).toEqual([])
})

it('from another crew or of a visit that is gone waits for the office too, and goes away when somebody says why nothing is recorded', async () => {
  const ana = await business.employee({ name: 'Ana Ruiz' })
  expect((await send(ana, [aTap()]))[0]).toMatchObject({ result: 'conflict', reason: 'not_yours' })
  const gone = { ...aTap(), visitId: newId() }
  expect((await send(luis, [gone]))[0]).toMatchObject({ result: 'conflict', reason: 'not_found' })
  expect(await recordsOf()).toEqual([])
  expect((await needsOf()).map(({ title }) => title).sort()).toEqual([
    'Ana recorded an application at 7 Bay St, and it could not be taken',
    'Luis recorded an application at a visit that is gone, and it could not be taken',
  ])
  const settle = (id: string, who: Pick<Person, 'api'> = business) =>
    who.api.call(unrecordedApi.settle, { params: { id }, body: { note: 'Tried the sprayer with water' } })
  expect((await settle(gone.id, luis)).status).toBe(403)
  expect((await settle(gone.id, await aBusiness())).status).toBe(404)
  expect((await settle(gone.id)).status).toBe(200)
  await runTasks()
  expect((await bundleOf(luis)).answers?.[0]).toMatchObject({
    commandId: gone.id,
    decision: 'stands',
    note: 'Tried the sprayer with water',
  })
  const [waiting] = await waitingOf()
  await settle(waiting?.id ?? '')
  expect(await needsOf()).toEqual([])
})

it('that is missing at the finish keeps no crew: the stop is finished with why, until a record that lacks nothing is there', async () => {
  await business.api.ok(chemicalsApi.setRules, { body: { blockFinish: true, tellCustomers: true, version: 0 } })
  const finish = {
    id: newId(),
    type: 'finish' as const,
    visitId,
    at: clock.iso(),
    payload: { noRecord: 'No mix on the phone' },
  }
  expect((await send(luis, [finish as never]))[0]).toMatchObject({ result: 'applied', visit: { status: 'completed' } })
  expect(await needsOf()).toMatchObject([{ title: 'Luis finished 7 Bay St without its record: “No mix on the phone”' }])
  await business.api.ok(recordsApi.add, { params: { visitId }, body: aRecord(productId, luis.userId, { target: '' }) })
  expect(await needsOf()).toHaveLength(1)
  await business.api.ok(recordsApi.add, { params: { visitId }, body: aRecord(productId, luis.userId) })
  expect(await needsOf()).toEqual([])
})

it('is needed before the finish where the business says so, until it lacks nothing that the state asks for', async () => {
  await business.api.ok(chemicalsApi.setRules, { body: { blockFinish: true, tellCustomers: true, version: 0 } })
  expect((await stopOf(luis))?.treatment?.needed).toBe(true)
  await send(luis, [aTap({ target: '' })])
  expect((await stopOf(luis))?.treatment).toMatchObject({ needed: true, records: 1 })
  const [record] = await recordsOf()
  const { startedAt, endedAt } = record!.facts
  await business.api.ok(recordsApi.amend, {
    params: { id: record!.id },
    body: { ...aRecord(productId, luis.userId, { startedAt, endedAt }), reason: 'Target was left out', seen: 0 },
  })
  expect((await stopOf(luis))?.treatment).toMatchObject({ needed: false, records: 1 })
  expect(propertyId).toBeTruthy()
})

it('is said to be missing whatever became of the visit, and of two records one that lacks nothing is enough', async () => {
  await business.api.ok(chemicalsApi.setRules, { body: { blockFinish: true, tellCustomers: true, version: 0 } })
  await send(luis, [aTap({ target: '' }), aTap()])
  expect((await stopOf(luis))?.treatment).toMatchObject({ needed: false, records: 2 })
  await business.db((db) =>
    db
      .updateTable('visits')
      .set((eb) => ({ status: 'canceled', version: eb('version', '+', 1) }))
      .where('businessId', '=', business.id)
      .where('id', '=', visitId)
      .execute(),
  )
  const finish = { id: newId(), type: 'finish', visitId, at: clock.iso(), payload: { noRecord: 'Tank was empty' } }
  expect((await send(luis, [finish as never]))[0]).toMatchObject({ result: 'conflict', reason: 'canceled' })
  expect((await needsOf()).map(({ title }) => title)).toContain(
    'Luis finished 7 Bay St without its record: “Tank was empty”',
  )
})

it('an amendment that takes the keep-off away opens the lawn again for the next crew', async () => {
  await send(luis, [aTap()])
  const [made] = await recordsOf()
  expect((await stopOf(luis))?.treatment?.keepOffUntil).toBe(made?.facts.keepOffUntil)
  const free = await aProduct(business.api, { name: 'Lime', epaNumber: '', reentryHours: 0 })
  const { startedAt, endedAt } = made?.facts ?? {}
  const products = [{ productId: free.id, rate: 1, amount: 8 }]
  const body = { ...aRecord(productId, luis.userId, { startedAt, endedAt, products }), reason: 'Other bag', seen: 0 }
  await business.api.ok(recordsApi.amend, { params: { id: made?.id ?? '' }, body: body as never })
  expect((await stopOf(luis))?.treatment?.keepOffUntil).toBeNull()
})

it('names for a new record only people who work here, and of others only those who may supervise, by that license', async () => {
  const named = async (name: string, licenses: object[]) => {
    const person = await business.employee({ name })
    for (const more of licenses)
      await business.api.ok(licensesApi.create, { params: { id: person.userId }, body: aLicense(more) })
    return person
  }
  const gone = await named('Gus Gone', [{}])
  await named('Sue Super', [{ number: 'GA-1' }, { skill: 'Tree climbing', number: 'TC-9' }])
  await named('Olly Other', [{ skill: 'Tree climbing', number: 'TC-8' }])
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ status: 'disabled' })
      .where('businessId', '=', business.id)
      .where('id', '=', gone.userId)
      .execute(),
  )
  const { chemicals } = await bundleOf(luis)
  expect(chemicals?.people.map(({ name, licenses }) => [name, licenses.map(({ number }) => number)])).toEqual([
    ['Luis Ortega', []],
    ['Sue Super', ['GA-1']],
  ])
  // what the office writes down now names nobody who left; what a phone wrote was done before it came in
  const body = aRecord(productId, gone.userId)
  expect((await business.api.call(recordsApi.add, { params: { visitId }, body })).status).toBe(404)
  const late = { ...aTap(), payload: { record: aRecord(productId, gone.userId), whole: true } }
  expect((await send(luis, [late])).map(({ result }) => result)).toEqual(['applied'])
})
