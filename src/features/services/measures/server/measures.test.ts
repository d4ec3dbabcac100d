import { beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { areasApi } from '../../../customers/areas/contract.ts'
import { listSaleStops, unitCentsAt } from '../../../extras/sales/server/queries.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { priceOffer } from '../../../leads/requests/server/commands.ts'
import { quotesApi } from '../../../quotes/contract.ts'
import { type ServiceRecord, servicesApi } from '../../contract.ts'
import { getServices } from '../../server/queries.ts'
import type { MeasuredBy } from '../rules.ts'

let business: TestBusiness
let propertyId: string
let visitId: string
let mulch: ServiceRecord
let edging: ServiceRecord

/** $1 for each 10 of what it goes by, nothing less, one minute for each 10. */
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
      soldAtDoor: true,
    },
  })

const measure = async (areas: { kind: 'turf' | 'bed' | 'edge'; squareFeet?: number; feet?: number }[]) => {
  const { version } = await business.api.ok(areasApi.list, { params: { id: propertyId } })
  return business.api.ok(areasApi.save, { params: { id: propertyId }, body: { version, areas } })
}
const measured = () =>
  measure([
    { kind: 'turf', squareFeet: 8000 },
    { kind: 'bed', squareFeet: 400 },
    { kind: 'bed', squareFeet: 200 },
    { kind: 'edge', feet: 240 },
  ])

const inputsOf = (measuredBy: 'beds' | 'edges', size: number) => ({
  measuredBy,
  squareFeet: measuredBy === 'beds' ? size : null,
  feet: measuredBy === 'edges' ? size : null,
  difficulty: 1,
  firstCut: false,
})
const quoteFor = (lines: object[]) =>
  business.api.ok(quotesApi.create, { body: { propertyId, content: { lines } } as never })
const lineOf = (service: ServiceRecord, inputs: object) => ({
  id: service.id.slice(0, 18),
  serviceId: service.id,
  name: service.name,
  inputs,
})
const bookAt = (service: ServiceRecord) =>
  business.api.call(jobsApi.create, {
    body: {
      propertyId,
      startOn: '2027-03-01',
      lines: [{ serviceId: service.id, recurrence: null, onceOn: '2027-03-01' }],
    } as never,
  })
const doorCents = () =>
  business.db(async (db) => {
    const [stop] = await listSaleStops(db, [visitId])
    if (!stop) throw new Error('no stop')
    const found = await getServices(db, [mulch.id, edging.id])
    const by = (id: string) => found.find((one) => one.id === id)
    return [mulch.id, edging.id].map((id) => unitCentsAt(by(id) as (typeof found)[number], stop))
  })

beforeEach(async () => {
  business = await aBusiness()
  const visit = await aVisit(business)
  ;({ propertyId, visitId } = visit)
  await business.db((db) =>
    db.updateTable('customers').set({ email: 'rebecca@test.swath.test' }).where('id', '=', visit.customerId).execute(),
  )
  mulch = await serviceBy('Mulch', 'beds')
  edging = await serviceBy('Edging', 'edges')
})

describe('a property of 8,000 sq ft of turf, 600 of beds and 240 ft of edges', () => {
  it('is priced by its beds and edges in a quote, whatever the browser says, and in a job with its minutes', async () => {
    await measured()
    const quote = await quoteFor([
      lineOf(mulch, inputsOf('beds', 600)),
      lineOf(edging, inputsOf('edges', 240)),
      // a size of the lawn says nothing for beds
      { ...lineOf(mulch, { squareFeet: 8000, difficulty: 1, firstCut: false }), id: 'by-the-lawn' },
    ])
    expect(quote.place).toMatchObject({ lawnSquareFeet: 8000, bedSquareFeet: 600, edgeFeet: 240 })
    expect(quote.content.lines.map(({ unitPriceCents }) => unitPriceCents)).toEqual([6000, 2400, null])
    const jobs = await Promise.all([bookAt(mulch), bookAt(edging)])
    expect(jobs.map(({ body }) => body)).toMatchObject([
      { lines: [{ unitPriceCents: 6000, budgetMinutes: 60 }] },
      { lines: [{ unitPriceCents: 2400, budgetMinutes: 24 }] },
    ])
  })

  it('is priced so at the door, and what is measured anew is asked for from then on', async () => {
    await measured()
    expect(await doorCents()).toEqual([6000, 2400])
    const draft = await quoteFor([lineOf(mulch, inputsOf('beds', 600))])
    const sent = await business.api.ok(quotesApi.send, {
      params: { id: draft.id },
      body: { mail: true, text: false, version: draft.version },
    })
    const before = await business.api.ok(quotesApi.approve, {
      params: { id: sent.id },
      body: { signer: 'R', note: 'By phone', choice: { packageId: null, lineIds: [] }, version: sent.version },
    })
    await measure([
      { kind: 'turf', squareFeet: 8000 },
      { kind: 'bed', squareFeet: 700 },
      { kind: 'edge', feet: 300 },
    ])
    expect(await doorCents()).toEqual([7000, 3000])
    expect((await bookAt(mulch)).body).toMatchObject({ lines: [{ unitPriceCents: 7000, budgetMinutes: 70 }] })
    // what was signed stays as it was signed, with the size that it was said from
    const { content, status, totalCents } = await business.api.ok(quotesApi.get, { params: { id: before.id } })
    expect({ status, totalCents }).toEqual({ status: 'approved', totalCents: before.totalCents })
    expect(content.lines[0]).toMatchObject({ unitPriceCents: 6000, inputs: { measuredBy: 'beds', squareFeet: 600 } })
  })
})

it('a property whose beds nobody measured gets no price from its lawn: the job says what to measure, the door sells nothing', async () => {
  await measure([{ kind: 'turf', squareFeet: 8000 }])
  const answer = await bookAt(mulch)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body)).toContain('The beds of this property are not measured yet. Measure the beds, or')
  expect(JSON.stringify((await bookAt(edging)).body)).toContain('Measure the edges')
  expect(await doorCents()).toEqual([null, null])
})

it('an edge that was typed in square feet before says no length, and one that is no edge is refused feet', async () => {
  const { areas } = await measure([
    { kind: 'edge', feet: 240 },
    { kind: 'edge', squareFeet: 60 },
  ])
  expect(areas.items.map(({ feetAround, squareFeet }) => [feetAround, squareFeet])).toEqual([
    [240, 0],
    [null, 60],
  ])
  expect(await doorCents()).toEqual([null, null])
  const refused = await business.api.call(areasApi.save, {
    params: { id: propertyId },
    body: { version: areas.version, areas: [{ kind: 'bed', feet: 10 }] },
  })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('Only an edge is measured in feet.')
})

it('the test of a price asks in the unit of the service, and edges cannot be priced per 1,000 sq ft', async () => {
  const test = (service: ServiceRecord, body: { squareFeet: number | null; feet?: number }) =>
    business.api.ok(servicesApi.quotePrice, { params: { id: service.id }, body })
  expect(await test(edging, { squareFeet: null, feet: 240 })).toMatchObject({ priceCents: 2400, minutes: 24 })
  expect(await test(edging, { squareFeet: 8000 })).toMatchObject({
    priceCents: null,
    reason: 'needs the length of the edges',
  })
  const refused = await business.api.call(servicesApi.update, {
    params: { id: edging.id },
    body: { unit: 'ksqft', version: edging.version },
  })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('Edges are measured in feet')
})

it('a visitor of the business page, who knows their lawn, is told no price of beds or edges', async () => {
  const mow = await serviceBy('Mow', 'lawn')
  await business.db((db) =>
    db
      .insertInto('leadSettings')
      .values({ businessId: db.businessId, serviceIds: [mulch.id, mow.id], replyText: '' })
      .execute(),
  )
  const services = [mulch.id, mow.id].map((id) => ({ id, frequency: 'once' as const }))
  const { items } = await priceOffer(await business.db(async (db) => db.businessId), {
    squareFeet: 8000,
    way: 'typed',
    services,
  } as never)
  expect(items.map(({ name, lowCents }) => [name, lowCents])).toEqual([
    ['Mulch', null],
    ['Mow', 68_000],
  ])
})
