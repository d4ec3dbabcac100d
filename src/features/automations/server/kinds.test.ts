import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import type { TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { hours, noon } from '../../../test/reviews.ts'
import { automationsApi } from '../contract.ts'
import { type AutomationKind, automationKinds, kinds } from '../kinds/rules.ts'

/** Every kind begins with what it is for and with nothing else, live and in the look at the last month; a kind of its own SQL has no other proof. */

let business: TestBusiness
const { api, on, done, run, sent, agree, setCustomer } = automating(() => business)
const ago = (n: number): string => new Date(noon - hours(n)).toISOString()

beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

type Made = Awaited<ReturnType<typeof aVisit>>

const setJob = (jobId: string, values: object) =>
  business.db((db) =>
    db.updateTable('jobs').set(values).where('businessId', '=', business.id).where('id', '=', jobId).execute(),
  )
let quotes = 77
const aQuote = async ({ customerId, propertyId }: Made, values: object) =>
  business.db((db) =>
    db
      .insertInto('quotes')
      .values({
        businessId: business.id,
        id: newId(),
        customerId,
        propertyId,
        number: quotes++,
        title: 'Mulch',
        content: '{}',
        sentAt: ago(30),
        ...values,
      } as never)
      .execute(),
  )
const aProgram = async (): Promise<string> => {
  const programId = newId()
  await business.db((db) =>
    db
      .insertInto('programs')
      .values({ businessId: business.id, id: programId, name: 'Five rounds', steps: '[]' })
      .execute(),
  )
  return programId
}
const ahead = (day = '2026-06-16') => aVisit(business, { customer: 'Rosa Marsh', day })

/** What begins each kind, as it is set up, at noon. */
const begin: Record<AutomationKind, () => Promise<Made>> = {
  visit_booked: async () => {
    const made = await ahead()
    await setJob(made.jobId, { createdAt: ago(2) })
    return made
  },
  treatment_coming: async () => {
    const made = await ahead('2026-06-15')
    await setJob(made.jobId, { programId: await aProgram(), programYear: 2026 })
    return made
  },
  visit_done: () => done(3),
  visit_skipped: () => done(2, {}, 'skipped'),
  quote_viewed: async () => {
    const made = await ahead()
    await aQuote(made, { status: 'viewed', viewedAt: ago(25) })
    return made
  },
  quote_approved: async () => {
    const made = await ahead()
    await aQuote(made, { status: 'approved', approvedAt: ago(2) })
    return made
  },
  win_back: async () => {
    const made = await done(24 * 60)
    await setJob(made.jobId, { status: 'canceled', canceledAt: ago(24 * 45) })
    return made
  },
  dormant: () => done(24 * 120 + 2),
  upsell: () => done(24 * 300),
}
const changesOf = async (kind: AutomationKind) => {
  const services = await business.db((db) =>
    db.selectFrom('services').select('id').where('businessId', '=', business.id).execute(),
  )
  const serviceIds = kinds[kind].conditions.includes('serviceIds') ? services.map(({ id }) => id) : []
  return {
    ...(kind === 'upsell' ? { startsOn: '06-12' } : {}),
    conditions: {
      tags: ['vip'],
      cities: ['savannah'],
      stages: ['active'],
      balance: 'none',
      serviceIds,
      ...(kind === 'upsell' ? { leastLawnSquareFeet: 3000 } : {}),
    },
  }
}

it.each(automationKinds)(
  '%s: with every condition, the look at the last month and what leaves are the same',
  async (kind) => {
    const fits = await begin[kind]()
    const other = await begin[kind]()
    const address = 'rosa@test.swath.test'
    await setCustomer(fits.customerId, {
      email: address,
      tags: ['vip'],
      stage: 'active',
      createdAt: '2025-01-01T00:00:00Z',
    })
    await setCustomer(other.customerId, { createdAt: '2025-01-01T00:00:00Z' })
    await business.db((db) =>
      db.updateTable('properties').set({ lawnSquareFeet: 5000 }).where('businessId', '=', business.id).execute(),
    )
    await agree('email', address)
    const { id } = await on(kind, { ...(await changesOf(kind)), approval: 'self' })
    const dry = await (await api()).call(automationsApi.dryRun, { params: { id } })
    expect([dry.status, dry.body.notSent]).toEqual([200, []])
    expect(dry.body.sent.map(({ customer }) => customer.id)).toEqual([fits.customerId])
    await run()
    const left = await sent()
    expect(left.map(({ customerId }) => customerId)).toEqual([fits.customerId])
    expect(left[0]?.bodyText).toContain(dry.body.sent[0]?.text)
  },
)

it.each(automationKinds)('%s: as it is set up, without a condition, too', async (kind) => {
  const { customerId } = await begin[kind]()
  const address = 'rosa@test.swath.test'
  await setCustomer(customerId, { email: address, createdAt: '2025-01-01T00:00:00Z' })
  await agree('email', address)
  const { conditions } = await changesOf(kind)
  const none = { tags: [], cities: [], stages: [], balance: 'any', serviceIds: [] }
  // an offer of the year names what it offers
  const own =
    kind === 'upsell'
      ? { startsOn: '06-12', conditions: { ...none, serviceIds: conditions.serviceIds, leastLawnSquareFeet: null } }
      : { conditions: none }
  const { id } = await on(kind, { ...own, approval: 'self' })
  const dry = await (await api()).ok(automationsApi.dryRun, { params: { id } })
  await run()
  expect([dry.sent.map(({ customer }) => customer.id), (await sent()).map((one) => one.customerId)]).toEqual([
    [customerId],
    [customerId],
  ])
})
