import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Api, runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { type JobRecord, jobsApi } from '../../contract.ts'
import type { Recurrence } from '../../rules.ts'
import { type PriceChangeDraft, pricesApi } from '../contract.ts'

const weekly: Recurrence = {
  freq: 'week',
  interval: 1,
  weekdays: [2],
  phaseOn: '2026-06-02',
  holiday: 'next',
  exceptions: [],
}
let business: TestBusiness
let api: Api
let serviceId: string

const at = async (day: string) => {
  setClock(() => new Date(`${day}T15:00:00Z`))
  if (business) api = (await aPerson(business.id, 'Admin')).api
}
const mow = async () =>
  (await api.ok(servicesApi.catalog, { query: {} })).items.find((one) => one.id === serviceId) as NonNullable<
    Awaited<ReturnType<typeof api.ok<typeof servicesApi.catalog>>>['items'][number]
  >

const aJob = async (squareFeet: number, unitPriceCents?: number) => {
  const { propertyId } = await aLawn(business)
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: squareFeet }).where('id', '=', propertyId).execute(),
  )
  return api.ok(jobsApi.create, {
    body: {
      propertyId,
      title: 'Mowing',
      startOn: '2026-06-01',
      lines: [
        {
          serviceId,
          recurrence: { ...weekly, weekdays: [2] },
          ...(unitPriceCents === undefined ? {} : { unitPriceCents }),
        },
      ],
    },
  })
}
const visitsOf = ({ id }: Pick<JobRecord, 'id'>) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'status', 'priceCents', 'invoiceId'])
      .where('businessId', '=', business.id)
      .where('jobId', '=', id)
      .orderBy('day')
      .execute(),
  )
const prices = async (job: Pick<JobRecord, 'id'>) => [...new Set((await visitsOf(job)).map((v) => v.priceCents))]

const letters = async () =>
  (
    await business.db((db) =>
      db.selectFrom('messages').select(['id', 'status', 'subject']).where('businessId', '=', business.id).execute(),
    )
  ).filter((mail) => /prices/.test(mail.subject))

const newRule = async (minCents: number, changes: Partial<PriceChangeDraft> = {}) => {
  const service = await mow()
  if (!service.priceRule) throw new Error('no rule')
  return {
    fromOn: '2026-06-01',
    scope: 'future' as const,
    rules: [{ serviceId, version: service.version, priceRule: { ...service.priceRule, minCents } }],
    ...changes,
  }
}
const raise = (changes: object = {}, by: object = { percent: 4 }) => ({
  fromOn: '2026-06-01',
  scope: 'future' as const,
  raise: { serviceIds: [serviceId], by: by as { percent: number } },
  ...changes,
})

beforeEach(async () => {
  setClock(() => new Date('2026-06-01T15:00:00Z'))
  business = await aBusiness()
  api = business.api
  const { items } = await api.ok(servicesApi.addDefaults, {})
  serviceId = items[0]?.id ?? ''
})
afterAll(resetClock)

describe('a new price', () => {
  it('counts first, changes the open visits of booked work, and leaves a price of its own alone', async () => {
    const [booked, own] = [await aJob(10_000), await aJob(10_000, 7000)]
    expect(await prices(booked)).toEqual([5800])
    const body = await newRule(5000)
    const seen = await api.ok(pricesApi.preview, { body })
    const open = (await visitsOf(booked)).length
    expect(seen).toMatchObject({ jobs: 1, visits: open, ownCount: 1, customerCount: 1 })
    expect(seen.own[0]).toMatchObject({ jobId: own.id, beforeCents: 7000 })
    expect([seen.visitsBeforeCents, seen.visitsAfterCents]).toEqual([5800 * open, 6300 * open])
    expect(seen.beforeCents).toBe(Math.round((365.25 / 12 / 7) * 5800))
    expect(await prices(booked)).toEqual([5800])
    const { jobs, visits, visitsAfterCents } = seen
    const done = await api.ok(pricesApi.apply, { body: { ...body, expected: { jobs, visits, visitsAfterCents } } })
    expect(done).toMatchObject({ lineCount: 1, visitCount: open, canUndo: true })
    expect(await prices(booked)).toEqual([6300])
    expect(await prices(own)).toEqual([7000])
    expect(await api.ok(jobsApi.get, { params: { id: booked.id } })).toMatchObject({ perVisitCents: 6300 })
  })

  it('is for new jobs only when that is what was asked', async () => {
    const booked = await aJob(10_000)
    await api.ok(pricesApi.apply, { body: await newRule(5000, { scope: 'new' }) })
    expect(await prices(booked)).toEqual([5800])
    expect(await prices(await aJob(10_000))).toEqual([6300])
    // what stayed on an older version of the book still goes along with it later
    await api.ok(pricesApi.apply, { body: await newRule(5500) })
    expect(await prices(booked)).toEqual([6800])
  })

  it('never touches what is finished, begun or invoiced', async () => {
    const booked = await aJob(10_000)
    const [first, second] = await visitsOf(booked)
    await at('2026-06-09')
    await api.ok(visitsApi.finish, { params: { visitId: first?.id ?? '' }, body: {} })
    await api.ok(visitsApi.finish, { params: { visitId: second?.id ?? '' }, body: {} })
    await api.ok(invoicesApi.createBatch, { body: { send: false, exceptVisitIds: [second?.id ?? ''] } })
    await api.ok(pricesApi.apply, { body: await newRule(5000, { fromOn: '2026-06-09' }) })
    const now = await visitsOf(booked)
    expect(now.slice(0, 2).map((v) => [v.status, v.priceCents])).toEqual([
      ['completed', 5800],
      ['completed', 5800],
    ])
    expect(now[0]?.invoiceId).not.toBeNull()
    expect(new Set(now.slice(2).map((v) => v.priceCents))).toEqual(new Set([6300]))
  })

  it('holds from its day: visits before it keep the old price, whatever is done to the job meanwhile', async () => {
    const booked = await aJob(10_000)
    const done = await api.ok(pricesApi.apply, { body: await newRule(5000, { fromOn: '2026-07-01' }) })
    const split = async () => {
      const all = await visitsOf(booked)
      return [
        [...new Set(all.filter((v) => (v.day ?? '') < '2026-07-01').map((v) => v.priceCents))],
        [...new Set(all.filter((v) => (v.day ?? '') >= '2026-07-01').map((v) => v.priceCents))],
      ]
    }
    expect(await split()).toEqual([[5800], [6300]])
    expect((await mow()).priceRule?.minCents).toBe(4500)
    const job = await api.ok(jobsApi.get, { params: { id: booked.id } })
    expect(job.lines[0]).toMatchObject({ unitPriceCents: 5800, nextPrice: { cents: 6300, on: '2026-07-01' } })
    const line = job.lines[0]
    await api.ok(jobsApi.update, {
      params: { id: job.id },
      body: {
        version: job.version,
        scope: 'all_open',
        lines: [
          {
            id: line?.id ?? '',
            serviceId,
            recurrence: { ...(line?.recurrence as object), weekdays: [4] } as never,
            unitPriceCents: 5800,
          },
        ],
      } as never,
    })
    expect(await split()).toEqual([[5800], [6300]])
    expect(
      (await api.call(pricesApi.apply, { body: await newRule(5500, { fromOn: '2026-07-01' }) })).error.message,
    ).toMatch(/already gets a new price on/)
    await at('2026-07-02')
    expect((await mow()).priceRule?.minCents).toBe(5000)
    expect(await api.ok(jobsApi.get, { params: { id: booked.id } })).toMatchObject({ perVisitCents: 6300 })
    const { items } = await api.ok(servicesApi.prices, { params: { id: serviceId } })
    expect(items.map((one) => [one.number, one.state, one.fromOn])).toEqual([
      [2, 'current', '2026-07-01'],
      [1, 'past', '2026-06-01'],
    ])
    expect(items[0]?.changeId).toBe(done.id)
  })

  it('two prices ahead hold both, for what is booked meanwhile too, and either is taken back alone', async () => {
    const job = await aJob(10_000)
    const spans = async (of = job) => {
      const all = await visitsOf(of)
      const within = (from: string, to: string) => [
        ...new Set(all.filter((v) => from <= (v.day ?? '') && (v.day ?? '') < to).map((v) => v.priceCents)),
      ]
      return [within('', '2026-06-15'), within('2026-06-15', '2026-07-15'), within('2026-07-15', '9999')].flat()
    }
    const early = () => newRule(5000, { fromOn: '2026-06-15' })
    const late = () => newRule(5500, { fromOn: '2026-07-15' })
    const apply = async (body: Awaited<ReturnType<typeof newRule>>) => api.ok(pricesApi.apply, { body })
    const undo = ({ id }: { id: string }) => api.ok(pricesApi.undo, { params: { id } })
    const between = (await visitsOf(job)).filter((v) => '2026-06-15' <= (v.day ?? '') && (v.day ?? '') < '2026-07-15')
    const second = await apply(await late())
    expect(await api.ok(pricesApi.preview, { body: await early() })).toMatchObject({
      ...{ jobs: 1, visits: between.length, ownCount: 0, ownVisits: 0 },
    })
    const first = await apply(await early())
    expect(first.visitCount).toBe(between.length)
    expect(await spans()).toEqual([5800, 6300, 6800])
    expect(await spans(await aJob(10_000))).toEqual([5800, 6300, 6800])
    await undo(second)
    expect(await spans()).toEqual([5800, 6300, 6300])
    await undo(first)
    expect(await spans()).toEqual([5800, 5800, 5800])
    const [again, last] = [await apply(await early()), await apply(await late())]
    const booked = await aJob(10_000)
    expect([await spans(), await spans(booked)]).toEqual(Array(2).fill([5800, 6300, 6800]))
    // The first has begun: it is taken back under the one that is still to come.
    await at('2026-06-20')
    expect(await undo(again)).toMatchObject({ canUndo: false })
    expect(await spans()).toEqual([5800, 5800, 6800])
    expect(await spans(booked)).toEqual([5800, 5800, 6800])
    await undo(last)
    expect([await spans(), await spans(booked)]).toEqual(Array(2).fill([5800, 5800, 5800]))
  })

  it('reaches what a line costs only until a day from which it has a price of its own', async () => {
    const { id } = await aJob(10_000)
    const job = await api.ok(jobsApi.get, { params: { id } })
    const [line] = job.lines
    await api.ok(jobsApi.update, {
      params: { id },
      body: {
        ...{ version: job.version, scope: 'this_and_following', fromOn: '2026-07-15' },
        lines: [{ id: line?.id ?? '', serviceId, recurrence: line?.recurrence, unitPriceCents: 9900 }],
      } as never,
    })
    expect(await prices({ id })).toEqual([5800, 9900])
    const body = raise({ fromOn: '2026-06-15' })
    const seen = await api.ok(pricesApi.preview, { body })
    const meant = (await visitsOf({ id })).filter((v) => '2026-06-15' <= (v.day ?? '') && (v.day ?? '') < '2026-07-15')
    expect(seen).toMatchObject({ visits: meant.length, ownCount: 0, ownVisits: 0 })
    const done = await api.ok(pricesApi.apply, { body })
    expect(await prices({ id })).toEqual([5800, 6000, 9900])
    await api.ok(pricesApi.undo, { params: { id: done.id } })
    expect(await prices({ id })).toEqual([5800, 9900])
  })

  it('is taken back where nothing changed since', async () => {
    const [booked, typed] = [await aJob(10_000), await aJob(10_000)]
    const done = await api.ok(pricesApi.apply, { body: await newRule(5000) })
    const [first, second] = await visitsOf(booked)
    await at('2026-06-02')
    await api.ok(visitsApi.finish, { params: { visitId: first?.id ?? '' }, body: {} })
    const job = await api.ok(jobsApi.get, { params: { id: typed.id } })
    await api.ok(jobsApi.update, {
      params: { id: typed.id },
      body: {
        version: job.version,
        scope: 'all_open',
        lines: [{ id: job.lines[0]?.id ?? '', serviceId, recurrence: job.lines[0]?.recurrence, unitPriceCents: 9900 }],
      } as never,
    })
    const undone = await api.ok(pricesApi.undo, { params: { id: done.id } })
    expect(undone.undoneAt).not.toBeNull()
    const now = await visitsOf(booked)
    expect(now.find((v) => v.id === first?.id)?.priceCents).toBe(6300)
    expect(now.find((v) => v.id === second?.id)?.priceCents).toBe(5800)
    expect((await prices(typed)).at(-1)).toBe(9900)
    expect((await mow()).priceRule?.minCents).toBe(4500)
    const again = await api.call(pricesApi.undo, { params: { id: done.id } })
    expect([again.status, again.error.message]).toEqual([409, expect.stringMatching(/taken back already/)])
  })

  it('is not taken back under a newer one, and a count that no longer holds is refused', async () => {
    const booked = await aJob(10_000)
    const seen = await api.ok(pricesApi.preview, { body: await newRule(5000) })
    await aJob(10_000)
    const expected = { jobs: seen.jobs, visits: seen.visits, visitsAfterCents: seen.visitsAfterCents }
    const refused = await api.call(pricesApi.apply, { body: { ...(await newRule(5000)), expected } })
    expect([refused.status, await prices(booked)]).toEqual([409, [5800]])
    const first = await api.ok(pricesApi.apply, { body: await newRule(5000) })
    const stale = await newRule(5200)
    await api.ok(pricesApi.apply, { body: await newRule(5500) })
    expect((await api.call(pricesApi.undo, { params: { id: first.id } })).status).toBe(409)
    expect((await api.call(pricesApi.apply, { body: stale })).status).toBe(409)
    expect((await api.call(pricesApi.apply, { body: await newRule(5000, { fromOn: '2026-05-31' }) })).status).toBe(422)
  })
})

it('a service that is edited by itself keeps that price, and the raise of many can still be taken back', async () => {
  const booked = await aJob(10_000)
  const raised = await api.ok(pricesApi.apply, { body: raise() })
  expect(await prices(booked)).toEqual([6000])
  const service = await mow()
  if (!service.priceRule) throw new Error('no rule')
  await api.ok(servicesApi.update, {
    params: { id: serviceId },
    body: { version: service.version, priceRule: { ...service.priceRule, minCents: 5500 } },
  })
  const [listed] = (await api.ok(pricesApi.list, {})).items
  expect(listed).toMatchObject({ id: raised.id, canUndo: true })
  await api.ok(pricesApi.undo, { params: { id: raised.id } })
  expect(await prices(booked)).toEqual([5800])
  expect((await mow()).priceRule?.minCents).toBe(5500)
})

describe('a raise', () => {
  it('goes up to the next dollar, the largest change first, and takes own prices along only when asked', async () => {
    const [small, large, own] = [await aJob(5_000), await aJob(20_000), await aJob(10_000, 7050)]
    const seen = await api.ok(pricesApi.preview, { body: raise() })
    expect(seen.customers.map((one) => one.customerId)).toEqual([large.customerId, small.customerId])
    expect(seen.customers[1]?.lines[0]).toMatchObject({ beforeCents: 4500, afterCents: 4700 })
    expect(seen.ownCount).toBe(1)
    await api.ok(pricesApi.apply, {
      body: raise({ ownPrices: 'raise', exceptCustomerIds: [large.customerId] }, { percent: 4, rounding: 'five' }),
    })
    expect(await prices(small)).toEqual([5000])
    expect(await prices(own)).toEqual([7500])
    expect(await prices(large)).toHaveLength(1)
    expect(await prices(large)).toEqual([seen.customers[0]?.lines[0]?.beforeCents])
  })

  it('has nothing to do with work of one day that is done', async () => {
    const { propertyId } = await aLawn(business)
    await business.db((db) =>
      db.updateTable('properties').set({ lawnSquareFeet: 5000 }).where('id', '=', propertyId).execute(),
    )
    const once = { propertyId, startOn: '2026-06-01', lines: [{ serviceId, recurrence: null, onceOn: '2026-06-01' }] }
    const job = await api.ok(jobsApi.create, { body: once })
    const seen = await api.ok(pricesApi.preview, { body: raise() })
    expect(seen.customers).toHaveLength(1)
    await api.ok(visitsApi.finish, { params: { visitId: (await visitsOf(job))[0]?.id ?? '' }, body: {} })
    const then = await api.ok(pricesApi.preview, { body: raise() })
    expect([then.customers, then.ownCount]).toEqual([[], 0])
  })

  it('work that is booked after a raise was entered, and before its day, gets it on that day; taken back, it does not', async () => {
    const { propertyId } = await aLawn(business)
    await business.db((db) => db.updateTable('properties').set({ lawnSquareFeet: 10_000 }).execute())
    const change = await api.ok(pricesApi.apply, { body: await newRule(5000, { fromOn: '2026-07-01' }) })
    const plain = await aJob(10_000)
    const own = await aJob(10_000, 5800)
    const added = await api.ok(jobsApi.update, {
      params: { id: own.id },
      body: {
        version: own.version,
        lines: [
          ...own.lines.map(({ id, quantity }) => ({ id, serviceId, quantity, recurrence: weekly })),
          { serviceId, recurrence: { ...weekly, weekdays: [4] } },
        ],
      } as never,
    })
    await api.ok(jobsApi.batch, {
      body: {
        propertyIds: [propertyId],
        serviceIds: [serviceId],
        recurrence: weekly,
        startOn: '2026-06-01',
        dryRun: false,
      } as never,
    })
    const batched = (await api.ok(jobsApi.list, { query: {} })).items.find(
      (job) => ![plain.id, own.id].includes(job.id),
    )
    const split = async ({ id }: { id: string }) => {
      const all = await visitsOf({ id })
      return [all.filter((v) => (v.day ?? '') < '2026-07-01'), all.filter((v) => (v.day ?? '') >= '2026-07-01')].map(
        (part) => [...new Set(part.map((v) => v.priceCents))],
      )
    }
    expect(await split(plain)).toEqual([[5800], [6300]])
    expect(await split({ id: batched?.id ?? '' })).toEqual([[5800], [6300]])
    const nextOf = async () =>
      (await api.ok(jobsApi.get, { params: { id: added.id } })).lines.map((one) => one.nextPrice)
    expect(await nextOf()).toEqual([null, { cents: 6300, on: '2026-07-01' }])
    await api.ok(pricesApi.undo, { params: { id: change.id } })
    expect([await split(plain), await split({ id: batched?.id ?? '' })]).toEqual([
      [[5800], [5800]],
      [[5800], [5800]],
    ])
    expect(await nextOf()).toEqual([null, null])
    // A change for new work only leaves alone what is booked before its day.
    await api.ok(pricesApi.apply, { body: await newRule(5000, { fromOn: '2026-07-01', scope: 'new' }) })
    expect(await split(await aJob(10_000))).toEqual([[5800], [5800]])
  })

  it('tells customers when asked, five minutes later, and not at all when it is taken back before', async () => {
    const { customerId } = await aJob(10_000)
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'rebecca@test.swath.test', phone: null })
        .where('id', '=', customerId)
        .execute(),
    )
    const quiet = await api.ok(pricesApi.preview, { body: raise() })
    expect(quiet.notice).toMatch(/our prices change from .*Jun.* 1.*\$60\.00 \(was \$58\.00\)/)
    const change = () => api.ok(pricesApi.apply, { body: raise({ tell: true, fromOn: '2026-07-01' }) })
    const undo = ({ id }: { id: string }) => api.ok(pricesApi.undo, { params: { id } })
    const recalled = { toldCount: 0, waitingCount: 0, recalledCount: 1, missedCount: 0 }
    // The letters are written after the change: nothing of them is in its transaction.
    const early = await change()
    expect(early).toMatchObject({ toldCount: 0, waitingCount: 1 })
    expect(await letters()).toEqual([])
    expect(await undo(early)).toMatchObject(recalled)
    await runTasks()
    expect(await letters()).toEqual([])
    const done = await change()
    await runTasks()
    await runTasks()
    expect((await letters()).map((mail) => mail.status)).toEqual(['pending'])
    expect(await undo(done)).toMatchObject(recalled)
    setClock(() => new Date('2026-06-01T15:10:00Z'))
    await runTasks()
    expect((await letters()).map((mail) => mail.status)).toEqual(['suppressed'])
    await change()
    await runTasks()
    setClock(() => new Date('2026-06-01T15:20:00Z'))
    // The queue's clock is the database's.
    for (const { id } of await letters())
      await ownerPool().query('update graphile_worker._private_jobs set run_at = now() where key like $1', [`%${id}`])
    await runTasks()
    expect((await letters()).map((mail) => mail.status).sort()).toEqual(['sent', 'suppressed'])
    const later = (await aPerson(business.id, 'Admin')).api
    expect((await later.ok(pricesApi.list, {})).items).toMatchObject([
      { toldCount: 1, waitingCount: 0 },
      { toldCount: 0, recalledCount: 1 },
      { toldCount: 0, recalledCount: 1 },
    ])
  })

  it('reaches everybody of many, page by page, whoever cannot be written to', async () => {
    const count = 53
    const people = Array.from({ length: count }, (_, at) => ({
      ...{ number: 100 + at, email: `customer${at}@test.swath.test` },
      ...{ customerId: newId(), propertyId: newId(), jobId: newId() },
    }))
    const businessId = business.id
    await business.db(async (db) => {
      await db
        .insertInto('customers')
        .values(people.map(({ customerId, email }) => ({ businessId, id: customerId, name: 'R. Odom', email })))
        .execute()
      await db
        .insertInto('properties')
        .values(
          people.map(({ customerId, propertyId }) => ({
            ...{ businessId, id: propertyId, customerId, street: '1 Oak St', lawnSquareFeet: 10_000 },
          })),
        )
        .execute()
      await db
        .insertInto('jobs')
        .values(
          people.map(({ customerId, propertyId, jobId, number }) => ({
            ...{ businessId, id: jobId, number, customerId, propertyId, title: 'Mowing', startOn: '2026-06-01' },
          })),
        )
        .execute()
      await db
        .insertInto('jobLines')
        .values(
          people.map(({ jobId }) => ({
            ...{ businessId, id: newId(), jobId, serviceId, quantity: 1, unitPriceCents: 5800, budgetMinutes: 30 },
            recurrence: JSON.stringify(weekly),
          })),
        )
        .execute()
    })
    const done = await api.ok(pricesApi.apply, { body: raise({ tell: true }) })
    expect(done).toMatchObject({ waitingCount: count, missedCount: 0 })
    // Meanwhile one of them said stop: the others hear of it all the same.
    await business.db((db) =>
      db
        .insertInto('suppressions')
        .values({
          ...{ businessId: business.id, channel: 'email', address: 'customer7@test.swath.test' },
          ...{ purpose: 'all', reason: 'Asked us to stop' },
        } as never)
        .execute(),
    )
    await runTasks()
    expect(await letters()).toHaveLength(count - 1)
    expect((await api.ok(pricesApi.list, {})).items).toMatchObject([{ waitingCount: count - 1, toldCount: 0 }])
  })

  it('stands ahead in the book until its day or until it is undone, for who sees money', async () => {
    await aJob(10_000)
    expect((await mow()).nextPrice).toBeNull()
    const done = await api.ok(pricesApi.apply, { body: raise({ fromOn: '2026-07-01' }) })
    const ahead = await mow()
    expect(ahead.nextPrice?.fromOn).toBe('2026-07-01')
    expect(ahead.nextPrice?.priceRule).not.toEqual(ahead.priceRule)
    const planner = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const seen = (await planner.api.ok(servicesApi.catalog, { query: {} })).items
    expect(seen.find((one) => one.id === serviceId)).toMatchObject({ priceRule: null, nextPrice: null })
    await api.ok(pricesApi.undo, { params: { id: done.id } })
    expect((await mow()).nextPrice).toBeNull()
  })

  it('is for people who see money, and a repeat does it once', async () => {
    await aJob(10_000)
    const key = { 'idempotency-key': 'raise-double-1' }
    const [a, b] = [
      await api.call(pricesApi.apply, { body: raise() }, key),
      await api.call(pricesApi.apply, { body: raise() }, key),
    ]
    expect([a.status, b.body.id]).toEqual([200, a.body.id])
    expect((await api.ok(pricesApi.list, {})).items).toHaveLength(1)
    const planner = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule'] })
    expect((await planner.api.call(pricesApi.list, {})).status).toBe(403)
    expect((await planner.api.call(pricesApi.apply, { body: raise() })).status).toBe(403)
  })
})
