import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { aMix, aProduct } from '../../../../test/chemicals.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, publishDay, today } from '../../../../test/field.ts'
import { giveMail, signIn } from '../../../../test/portal.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { loadOf } from '../../../crewapp/load/rules.ts'
import { areasApi } from '../../../customers/areas/contract.ts'
import { importsApi } from '../../../imports/contract.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { programsApi } from '../../../jobs/programs/contract.ts'
import { sixRounds } from '../../../jobs/programs/rules.ts'
import { listNextSeasons } from '../../../jobs/seasons/server/queries.ts'
import { portalApi } from '../../../portal/contract.ts'
import { quotesApi } from '../../../quotes/contract.ts'
import { crewQuotesApi } from '../../../quotes/crew/contract.ts'
import { type ServiceRecord, servicesApi } from '../../contract.ts'
import type { MeasuredBy } from '../rules.ts'

/** A service's own measure where work is priced away from the desk: many at once, programs, the portal, an import, a crew's phone, the truck. */

let business: TestBusiness
let luis: Person
let crewId: string
let place: { customerId: string; propertyId: string; visitId: string }
let mulch: ServiceRecord
let edging: ServiceRecord

/** $1 and one minute for each 10 of what it goes by. */
const serviceBy = (name: string, measuredBy: MeasuredBy) =>
  business.api.ok(servicesApi.create, {
    body: {
      name,
      category: 'other',
      measuredBy,
      priceRule: {
        minCents: 100,
        sizeAtMinSquareFeet: 10,
        tiers: [{ upToSquareFeet: null, centsPerKsqft: 10_000 }],
        roundToCents: 1,
        difficultyPercent: [100, 100, 100, 100, 100],
        frequencyPercent: { weekly: 100, biweekly: 100, monthly: 100, once: 100 },
        firstCutPercent: 100,
      },
      timeRule: {
        fixedMinutes: 0,
        minutesPerKsqft: 100,
        minutesPerUnit: 0,
        difficultyPercent: [100, 100, 100, 100, 100],
      },
    },
  })

const weekly = {
  freq: 'week' as const,
  interval: 1,
  weekdays: [2],
  phaseOn: today(),
  holiday: 'next' as const,
  exceptions: [],
}

const measure = async (areas: { kind: 'turf' | 'bed' | 'edge'; squareFeet?: number; feet?: number }[]) => {
  const { version } = await business.api.ok(areasApi.list, { params: { id: place.propertyId } })
  await business.api.ok(areasApi.save, { params: { id: place.propertyId }, body: { version, areas } })
}
const lawnOnly = () => measure([{ kind: 'turf', squareFeet: 8000 }])
const measured = () =>
  measure([
    { kind: 'turf', squareFeet: 8000 },
    { kind: 'bed', squareFeet: 600 },
    { kind: 'edge', feet: 240 },
  ])

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  crewId = await aCrew(business, { members: [luis] })
  place = await aVisit(business, { crewId, position: 1 })
  await publishDay(business, crewId)
  mulch = await serviceBy('Mulch', 'beds')
  edging = await serviceBy('Edging', 'edges')
})

it('many at once: each service goes by its own, and a property without it is left out with why', async () => {
  const look = async () => {
    const { items } = await business.api.ok(jobsApi.batch, {
      body: {
        customerFilter: {},
        serviceIds: [mulch.id, edging.id],
        recurrence: weekly,
        startOn: today(),
        includeWithoutPin: true,
        dryRun: true,
      } as never,
    })
    return items.map(({ priceCents, minutes, reason }) => [priceCents, minutes, reason])
  }
  await measured()
  expect(await look()).toEqual([[8400, 84, null]])
  await measure([
    { kind: 'turf', squareFeet: 8000 },
    { kind: 'bed', squareFeet: 600 },
  ])
  expect(await look()).toMatchObject([[null, null, 'no_edges']])
  await lawnOnly()
  expect(await look()).toMatchObject([[null, null, 'no_beds']])
})

it('a program and its seasons: rounds in beds by the beds, and nothing by the lawn in their place', async () => {
  const [first] = sixRounds
  const steps = [mulch, edging].map((service, at) => ({
    ...sixRounds[at],
    ...(first ? { minGapDays: 0 } : {}),
    serviceId: service.id,
    priceCents: null,
    minutes: null,
  }))
  const program = await business.api.ok(programsApi.create, { body: { name: 'Beds and edges', steps } as never })
  const year = Number(today().slice(0, 4)) + 1
  const { propertyId } = place
  const preview = async () =>
    (await business.api.ok(programsApi.preview, { params: { id: program.id }, query: { propertyId, year } })).steps.map(
      ({ priceCents, minutes, missing }) => [priceCents, minutes, missing],
    )
  await lawnOnly()
  expect((await preview()).map(([cents, , missing]) => [cents, missing])).toEqual([
    [null, 'beds'],
    [null, 'edges'],
  ])
  const params = { id: program.id }
  const refused = await business.api.call(programsApi.putOn, { params, body: { propertyId, year } })
  expect([refused.status, JSON.stringify(refused.body).includes('beds')]).toEqual([422, true])
  await measured()
  expect(await preview()).toEqual([
    [6000, 60, null],
    [2400, 24, null],
  ])
  const job = await business.api.ok(programsApi.putOn, { params, body: { propertyId, year } })
  expect(job.lines.map(({ unitPriceCents, budgetMinutes }) => [unitPriceCents, budgetMinutes])).toEqual([
    [6000, 60],
    [2400, 24],
  ])
  const renewal = () => business.api.ok(programsApi.renewal, { params: { id: job.id } })
  expect(await renewal()).toMatchObject({ totalCents: 8400, missing: null })
  // a round that is new in the program is priced by the beds as they are by then, in an offer for the season, too
  const spring = { ...steps[0], name: 'More mulch' }
  await business.db((db) =>
    db
      .updateTable('programs')
      .set({ steps: JSON.stringify([...steps, spring]) })
      .where('businessId', '=', business.id)
      .where('id', '=', program.id)
      .execute(),
  )
  const span = { from: `${year + 1}-01-01`, to: `${year + 1}-12-31` }
  const season = async () => (await business.db((db) => listNextSeasons(db, [job.id], span)))[0]
  const rounds = await season()
  expect(rounds?.lines.map(({ name, wasCents }) => [name, wasCents])).toEqual(
    expect.arrayContaining([['More mulch', 6000]]),
  )
  await lawnOnly()
  expect(await renewal()).toMatchObject({ totalCents: null, missing: 'beds' })
  expect(await season()).toMatchObject({ lines: [], problem: expect.stringContaining('no measured beds') })
})

it('what a customer asks for in the portal has the price of their beds, or none until somebody looked', async () => {
  await giveMail(business, place.customerId)
  const { version } = await business.api.ok(portalApi.settings, {})
  await business.api.ok(portalApi.saveSettings, { body: { serviceIds: [mulch.id, edging.id], version } })
  await lawnOnly()
  const window = await signIn(business)
  const before = (await window.get(`${window.base}/service`)).words
  expect([before.includes('Mulch'), before.includes('$800.00')]).toEqual([true, false])
  await measured()
  const page = (await window.get(`${window.base}/service`)).words
  expect([page.includes('$60.00'), page.includes('$24.00')]).toEqual([true, true])
  const { propertyId, customerId } = place
  await window.post(`${window.base}/service/${mulch.id}/ask`, { once: newId(), propertyId, words: '' })
  const { items } = await business.api.ok(portalApi.requests, { params: { id: customerId } })
  expect(items.map(({ title, priceCents }) => [title, priceCents])).toEqual([['Mulch', 6000]])
})

it('an import says what a service without a price would need, and takes no size of the lawn for it', async () => {
  const text = `name,street,city,state,zip,lawn size,service,frequency,price
Ann,1 Oak St,Savannah,GA,31401,8000,Mulch,Every week on Tuesday,
Bea,2 Oak St,Savannah,GA,31401,8000,Edging,Every week on Tuesday,
Cal,3 Oak St,Savannah,GA,31401,8000,Mulch,Every week on Tuesday,$75.00`
  const { id } = await business.api.ok(importsApi.create, { body: { fileName: 'jobs.csv', text } })
  await business.api.ok(importsApi.check, { params: { id } })
  const rows = (await business.api.ok(importsApi.rows, { params: { id }, query: {} })).items
  const said = JSON.stringify(rows)
  expect(said).toContain('it goes by beds, and this property has no measured beds.')
  expect(said).toContain('it goes by edges, and this property has no measured edges.')
  const cal = rows.find(({ name }) => name === 'Cal')
  expect(cal?.job?.lines).toMatchObject([{ service: 'Mulch', priceCents: 7500 }])
  expect(said).not.toContain('80000')
})

it('a crew’s note goes by what the crew measured, else by what is on file, and never by the lawn', async () => {
  const note = async (lines: object[]) => {
    const { id } = await luis.api.ok(crewQuotesApi.create, {
      body: { propertyId: place.propertyId, lines, note: '', photoIds: [] } as never,
    })
    const { content } = await business.api.ok(quotesApi.get, { params: { id } })
    return content.lines.map(({ unitPriceCents, minutes }) => [unitPriceCents, minutes])
  }
  await lawnOnly()
  expect(
    (await note([{ serviceId: mulch.id }, { serviceId: edging.id, squareFeet: 900 }])).map(([cents]) => cents),
  ).toEqual([null, null])
  await measured()
  expect(
    await note([
      { serviceId: mulch.id },
      { serviceId: edging.id },
      { serviceId: mulch.id, squareFeet: 500 },
      { serviceId: edging.id, feet: 100 },
    ]),
  ).toEqual([
    [6000, 60],
    [2400, 24],
    [5000, 50],
    [1000, 10],
  ])
})

it('the truck takes along what the beds need, and says so where nobody measured them', async () => {
  const { serviceId } = await business.db((db) =>
    db.selectFrom('visitLines').select('serviceId').where('visitId', '=', place.visitId).executeTakeFirstOrThrow(),
  )
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ category: 'treat', measuredBy: 'beds' })
      .where('businessId', '=', business.id)
      .where('id', '=', serviceId)
      .execute(),
  )
  await aMix(business.api, (await aProduct(business.api)).id, { serviceIds: [serviceId] })
  const amounts = async () => {
    const [day] = (await luis.api.ok(crewappApi.day, { query: {} })).days
    if (!day) throw new Error('There is no day.')
    return loadOf(day).products.map(({ amount }) => amount)
  }
  await measured()
  // 1.5 fl oz for 1,000 sq ft of beds
  expect(await amounts()).toEqual([0.9])
  await lawnOnly()
  expect((await amounts()).filter((amount) => amount !== null && amount > 0)).toEqual([])
})
