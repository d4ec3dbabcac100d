import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { anAutomatedBusiness, automating } from '../../../test/automations.ts'
import type { TestBusiness } from '../../../test/factories.ts'
import { aVisit } from '../../../test/field.ts'
import { at, hours, noon } from '../../../test/reviews.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { automationsApi } from '../contract.ts'

/** Where something came from decides whether an automation has to say anything of it. */

let business: TestBusiness
const { api, on, run, sent, runs, setCustomer } = automating(() => business)
const today = '2026-06-12'

beforeEach(async () => {
  business = await anAutomatedBusiness()
})
afterEach(resetClock)

const reachable = async (customerId: string, more: object = {}) =>
  setCustomer(customerId, { email: `c-${customerId.slice(-8)}@test.swath.test`, ...more })
const customerIds = async () => (await sent()).map(({ customerId }) => customerId)

describe('what another part says is not said again', () => {
  it('work that goes on, was made for many, came from the page: only what is new is on the schedule', async () => {
    await on('visit_booked')
    const made = []
    for (let n = 0; n < 4; n++) made.push(await aVisit(business, { day: '2026-06-16' }))
    const [booked, renewed, batch, paged] = made
    for (const { customerId } of made) await reachable(customerId)
    const setJob = (jobId: string | undefined, values: object) =>
      business.db((db) =>
        db
          .updateTable('jobs')
          .set(values)
          .where('businessId', '=', business.id)
          .where('id', '=', jobId ?? '')
          .execute(),
      )
    for (const { jobId } of made) await setJob(jobId, { createdAt: new Date(noon - hours(2)).toISOString() })
    const before = await aVisit(business, { day: '2026-05-01', status: 'completed' })
    await setJob(before.jobId, { renewedAs: renewed?.jobId, createdAt: '2025-01-01T00:00:00Z' })
    await business.db(async (db) => {
      const [batchId, crewId] = [newId(), newId()]
      await db
        .insertInto('jobBatches')
        .values({ businessId: business.id, id: batchId, status: 'done', request: '{}', propertyIds: [], total: 1 })
        .execute()
      await db
        .updateTable('jobs')
        .set({ batchId })
        .where('businessId', '=', business.id)
        .where('id', '=', batch?.jobId ?? '')
        .execute()
      await db
        .insertInto('crews')
        .values({
          businessId: business.id,
          id: crewId,
          name: 'North',
          color: '#1F6B45',
          depotLatitude: 32,
          depotLongitude: -81,
        })
        .execute()
      await db
        .insertInto('pageBookings')
        .values({
          businessId: business.id,
          id: newId(),
          status: 'booked',
          day: '2026-06-16',
          crewId,
          latitude: 32,
          longitude: -81,
          isExact: true,
          address: '{}',
          squareFeet: 5000,
          minutes: 30,
          priceCents: 5000,
          lines: '[]',
          heldUntil: clock.iso(),
          jobId: paged?.jobId ?? null,
          createdAt: clock.iso(),
          updatedAt: clock.iso(),
        })
        .execute()
    })
    await run()
    expect(await customerIds()).toEqual([booked?.customerId])
  })

  it('a draft is new work once it is begun', async () => {
    await on('visit_booked')
    const { jobId, customerId } = await aVisit(business, { day: '2026-06-16' })
    await reachable(customerId)
    await business.db((db) =>
      db
        .updateTable('jobs')
        .set({ status: 'draft', createdAt: new Date(noon - hours(24 * 9)).toISOString() })
        .where('businessId', '=', business.id)
        .where('id', '=', jobId)
        .execute(),
    )
    await (await api()).ok(jobsApi.act, { params: { id: jobId, verb: 'activate' } as never, body: {} as never })
    await run()
    expect(await sent()).toEqual([])
    await setVisitOfJob(jobId, '2026-06-16')
    at(noon + hours(1.5))
    await run()
    expect(await customerIds()).toEqual([customerId])
  })
  const setVisitOfJob = (jobId: string, day: string) =>
    business.db((db) =>
      db
        .updateTable('visits')
        .set({ day, status: 'scheduled' })
        .where('businessId', '=', business.id)
        .where('jobId', '=', jobId)
        .execute(),
    )

  it('a renewal that nobody answered is no order to give thanks for', async () => {
    await on('quote_approved')
    const { customerId, propertyId, jobId } = await aVisit(business)
    await reachable(customerId)
    const quoteId = newId()
    await business.db(async (db) => {
      const common = { businessId: business.id }
      const approvedAt = new Date(noon - hours(2)).toISOString()
      await db
        .insertInto('quotes')
        .values({
          ...common,
          id: quoteId,
          number: 77,
          customerId,
          propertyId,
          title: 'Season',
          content: '{}',
          status: 'approved',
          approvedAt,
        } as never)
        .execute()
      const runId = newId()
      await db
        .insertInto('renewalRuns')
        .values({
          ...common,
          id: runId,
          name: '2026',
          status: 'sent',
          mode: 'auto',
          filter: '{}',
          raise: '{}',
          startsOn: today,
          answerBy: today,
        } as never)
        .execute()
      await db
        .insertInto('renewals')
        .values({ ...common, id: newId(), runId, jobId, state: 'sent', lines: '[]', quoteId, byItself: true } as never)
        .execute()
    })
    await run()
    expect(await runs()).toEqual([])
  })
})

describe('a quote that was looked at', () => {
  const aQuote = async (values: object = {}) => {
    const { customerId, propertyId } = await aVisit(business)
    await reachable(customerId)
    const id = newId()
    const row = { businessId: business.id, id, customerId, propertyId, title: 'Mulch', content: '{}', status: 'viewed' }
    await business.db((db) =>
      db
        .insertInto('quotes')
        .values({
          ...row,
          number: Math.floor(clock.nowMs() % 1000) + quotes++,
          sentAt: new Date(noon - hours(30)).toISOString(),
          viewedAt: new Date(noon - hours(25)).toISOString(),
          ...values,
        } as never)
        .execute(),
    )
    return { customerId, id }
  }
  let quotes = 1
  const message = (customerId: string, values: object) =>
    business.db((db) =>
      db
        .insertInto('messages')
        .values({
          businessId: business.id,
          id: newId(),
          channel: 'email',
          address: 'a@test.swath.test',
          customerId,
          bodyText: 'x',
          status: 'sent',
          dedupeKey: newId(),
          createdAt: new Date(noon - hours(20)).toISOString(),
          ...values,
        } as never)
        .execute(),
    )

  it('is asked after once, where they are silent and no follow-up is near', async () => {
    const { id: automationId } = await on('quote_viewed')
    const silent = await aQuote()
    const later = await aQuote({ followOn: '2026-06-14' })
    await aQuote({ followOn: '2026-06-13' })
    await aQuote({ status: 'approved', answeredAt: new Date(noon - hours(20)).toISOString() })
    const wrote = await aQuote()
    await message(wrote.customerId, { direction: 'inbound', status: 'received' })
    const followed = await aQuote()
    await message(followed.customerId, {
      direction: 'outbound',
      entityType: 'quote',
      entityId: followed.id,
      dedupeKey: `quote:${followed.id}:follow:1:own`,
    })
    const dry = await (await api()).ok(automationsApi.dryRun, { params: { id: automationId } })
    await run()
    await run()
    expect((await customerIds()).sort()).toEqual([silent.customerId, later.customerId].sort())
    expect((await sent())[0]?.bodyText).toContain('do you have questions about our quote?')
    // of a day that is past nobody knows which follow-up was near then
    expect(dry.sent.map(({ customer }) => customer.id)).toEqual(
      expect.arrayContaining([silent.customerId, later.customerId]),
    )
    expect(dry.sent.map(({ customer }) => customer.id)).not.toContain(wrote.customerId)
  })
})
