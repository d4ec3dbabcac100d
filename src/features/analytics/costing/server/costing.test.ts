import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, resetClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, formatDay, instantAt } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, setClockToNoon, today } from '../../../../test/field.ts'
import { clockSpell } from '../../../../test/pay-week.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { materialsApi } from '../../../materials/contract.ts'
import { moveTx } from '../../../materials/server/moves.ts'
import { servicesApi } from '../../../services/contract.ts'
import { analyticsApi } from '../../contract.ts'
import { costingApi } from '../contract.ts'
import { costKinds } from '../rules.ts'

beforeEach(setClockToNoon)
afterEach(resetClock)

/** A finished visit of so many labor minutes: people on it times the minutes. */
const worked = async (
  own: TestBusiness,
  changes: Parameters<typeof aVisit>[1],
  { minutes, people = 1 }: { minutes: number; people?: number },
) => {
  const visit = await aVisit(own, { day: addDays(today(), -1), status: 'completed', ...changes })
  await own.db((db) =>
    db
      .updateTable('visits')
      .set({ workedSeconds: minutes * 60, people, finishedAt: clock.iso(), plannedDriveSeconds: null })
      .where('businessId', '=', own.id)
      .where('id', '=', visit.visitId)
      .execute(),
  )
  return visit
}
const list = (own: TestBusiness, query: object = {}) => own.api.ok(costingApi.list, { query: query as never })
const bought = async (own: TestBusiness, totalCents: number, part: object = {}, more: object = {}) => {
  const { items } = await own.api.ok(categoriesApi.list, {})
  await own.api.ok(expensesApi.create, {
    body: {
      day: addDays(today(), -1),
      categoryId: items[0]?.id ?? '',
      method: 'card',
      totalCents,
      parts: [{ amountCents: totalCents, ...part }],
      ...more,
    } as never,
  })
}

const aMaterial = async (own: TestBusiness, more: object = {}) =>
  own.api.ok(materialsApi.create, {
    body: {
      ...{
        kind: 'lime',
        name: `Lime ${newId()}`,
        package: 'bag',
        packageSize: 50,
        unit: 'lb',
        costCents: 4500,
        onHand: 10,
      },
      ...more,
    } as never,
  })
/** So many packages of it are used on a visit, as the load list would have them used. */
const use = async (own: TestBusiness, { id }: { id: string }, visitId: string, packages: number) =>
  own.db((db) =>
    moveTx(db, { userId: own.owner.userId, name: 'Owner' } as never, {
      ...{ materialId: id, kind: 'used', packages: -packages, note: '', visitId },
    }),
  )
/** Gives a job's line a weekly rule, and its other visits the same line: a lawn whose price a letter may raise. */
const weekly = (own: TestBusiness, { jobId }: { jobId: string }) =>
  own.db(async (db) => {
    const recurrence = { freq: 'week', interval: 1, weekdays: [2], phaseOn: today(), holiday: 'next', exceptions: [] }
    const line = await db
      .updateTable('jobLines')
      .set({ recurrence: JSON.stringify(recurrence), onceOn: null })
      .where('businessId', '=', own.id)
      .where('jobId', '=', jobId)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('visitLines')
      .set({ jobLineId: line.id })
      .where('businessId', '=', own.id)
      .where('visitId', 'in', (eb) => eb.selectFrom('visits').select('id').where('jobId', '=', jobId))
      .execute()
  })

describe('what finished work cost', () => {
  it('is the time of each person with the drive, at what the people of that day cost, and what was bought for it', async () => {
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana', wageCents: 2000 })
    const bo = await own.employee({ name: 'Bo', wageCents: 3000 })
    const crewId = await aCrew(own, { members: [ana, bo], name: 'North' })
    const day = addDays(today(), -1)
    const [from, to] = [instantAt(day, 480, 'America/New_York'), instantAt(day, 600, 'America/New_York')]
    for (const person of [ana, bo]) await clockSpell(own, person, { crewId, startedAt: from, endedAt: to })
    await own.db((db) => db.updateTable('wages').set({ burdenPercent: 10 }).where('businessId', '=', own.id).execute())
    const visit = await worked(own, { crewId, priceCents: 9000, street: '1 Oak St' }, { minutes: 30, people: 2 })
    await bought(own, 1250, { visitId: visit.visitId })
    const found = await list(own)
    // an hour of two people at $25.00 and 10 %
    const costs = { completions: 1, worthCents: 9000, laborSeconds: 3600, laborCents: 2750, expenseCents: 1250 }
    const clocked = { clockedCompletions: 1, clockedWorthCents: 9000, clockedLaborSeconds: 3600 }
    expect(found.total).toEqual({ ...costs, ...clocked, materialCents: 0 })
    expect(found.items).toMatchObject([{ key: visit.propertyId, name: '1 Oak St', ...costs }])
    const byCrew = await list(own, { by: 'crew' })
    expect(byCrew.items).toMatchObject([{ key: crewId, name: 'North', ...costs, targetPriceCents: null }])
    const { items, count } = await own.api.ok(costingApi.visits, { query: { by: 'crew', key: crewId } })
    expect([items, count]).toMatchObject([[{ id: visit.visitId, day, place: '1 Oak St', ...costs }], 1])
  })

  it('takes the usual wage where nobody was on the clock, and the wage of the day where it changed', async () => {
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana', wageCents: 2000 })
    const crewId = await aCrew(own, { members: [ana] })
    await own.db(async (db) => {
      await db
        .updateTable('businesses')
        .set({ defaultWageCents: 1800, burdenPercent: 0 })
        .where('businessId', '=', own.id)
        .execute()
      await db
        .insertInto('wages')
        .values({
          businessId: own.id,
          id: newId(),
          userId: ana.userId,
          centsPerHour: 2600,
          validFrom: addDays(today(), -2),
          burdenPercent: 0,
        })
        .execute()
    })
    for (const back of [1, 5]) {
      const day = addDays(today(), -back)
      await clockSpell(own, ana, {
        crewId,
        startedAt: instantAt(day, 480, 'America/New_York'),
        endedAt: instantAt(day, 540, 'America/New_York'),
      })
      await worked(own, { crewId, day }, { minutes: 60 })
    }
    const alone = await worked(own, {}, { minutes: 60 })
    // nobody was on the clock: what the people of the crew cost
    await worked(own, { crewId, day: addDays(today(), -3) }, { minutes: 30 })
    const { items } = await list(own, { by: 'property', sort: 'worth' })
    expect(items.map(({ laborCents }) => laborCents).toSorted()).toEqual([1000, 1800, 2000, 2600])
    const { items: visits } = await own.api.ok(costingApi.visits, { query: { by: 'crew', key: 'none' } })
    expect(visits.map(({ id }) => id)).toEqual([alone.visitId])
  })

  it('lays what was bought for a job on its visits and for a crew on its labor hours, to the cent, and tells what was for neither', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    const first = await worked(own, { crewId, priceCents: 4000 }, { minutes: 20 })
    const second = await worked(own, { crewId, priceCents: 4000 }, { minutes: 40 })
    const third = await worked(own, { crewId, priceCents: 4000 }, { minutes: 40 })
    await bought(own, 1001, { crewId })
    await bought(own, 700, { jobId: second.jobId })
    await bought(own, 4444)
    // for work that is still to come: never on the other lawns of the crew
    const later = await aVisit(own, { day: addDays(today(), 3), crewId })
    await bought(own, 80_000, { jobId: later.jobId, crewId })
    await bought(own, 9999, {}, { day: addDays(today(), -40) })
    const found = await list(own)
    const of = (propertyId: string) => found.items.find(({ key }) => key === propertyId)?.expenseCents ?? 0
    expect(of(first.propertyId) + of(second.propertyId) + of(third.propertyId)).toBe(1701)
    expect(Math.abs(of(first.propertyId) - 200)).toBeLessThanOrEqual(1)
    expect(Math.abs(of(second.propertyId) - 1100)).toBeLessThanOrEqual(1)
    expect([found.total.expenseCents, found.otherExpenseCents]).toEqual([1701, 84_444])
  })

  it('comes to the same in every way it is told apart, and worth to what analytics says', async () => {
    const own = await aBusiness()
    const crewId = await aCrew(own)
    const { items: services } = await own.api.ok(servicesApi.addDefaults, {})
    for (let n = 0; n < 5; n++) {
      const visit = await worked(
        own,
        { ...(n % 2 ? { crewId } : {}), priceCents: 3333 + n },
        { minutes: 17 + n, people: 2 },
      )
      const [line] = await own.db((db) =>
        db
          .selectFrom('visitLines')
          .selectAll()
          .where('businessId', '=', own.id)
          .where('visitId', '=', visit.visitId)
          .execute(),
      )
      if (line && n > 2)
        await own.db((db) =>
          db
            .insertInto('visitLines')
            .values({
              ...line,
              id: newId(),
              jobLineId: null,
              serviceId: services[0]?.id ?? '',
              position: 1,
              unitPriceCents: 1000,
              budgetMinutes: 7,
            })
            .execute(),
        )
      await bought(own, 101 + n, { visitId: visit.visitId })
      if (n % 2) await use(own, await aMaterial(own, { costCents: 777 }), visit.visitId, 1)
    }
    const overview = await own.api.ok(analyticsApi.overview, { query: { period: 'month' } })
    expect((await list(own, { by: 'service' })).count).toBe(2)
    for (const by of costKinds) {
      const { total, items } = await list(own, { by })
      expect(total.worthCents).toBe(overview.worthCents.now)
      for (const key of ['worthCents', 'laborCents', 'laborSeconds', 'expenseCents', 'materialCents'] as const)
        expect([by, key, items.reduce((sum, row) => sum + row[key], 0)]).toEqual([by, key, total[key]])
      // a visit with two services is in both rows, and counts once all the same
      expect([by, items.reduce((sum, row) => sum + row.visitTenths, 0)]).toEqual([by, 10 * total.completions])
    }
  })

  it('names the lawns below the target with the price that reaches it, the least first', async () => {
    const own = await aBusiness()
    await own.db((db) =>
      db.updateTable('businesses').set({ targetLaborHourCents: 6000 }).where('businessId', '=', own.id).execute(),
    )
    const good = await worked(own, { priceCents: 9000 }, { minutes: 30 })
    const poor = await worked(own, { priceCents: 4000, street: '9 Elm Ave' }, { minutes: 60 })
    const again = await worked(own, { priceCents: 4000, day: addDays(today(), -2) }, { minutes: 60 })
    // done once: nobody raises what is over
    expect((await list(own)).items[0]).toMatchObject({ targetPriceCents: null, priceReason: 'once' })
    await weekly(own, poor)
    expect((await list(own)).items.find(({ key }) => key === poor.propertyId)).toMatchObject({
      ...{ targetPriceCents: null, priceReason: 'fewVisits', priceWhy: 'has 1 visit with a clock in these days' },
    })
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ propertyId: poor.propertyId, customerId: poor.customerId, jobId: poor.jobId })
        .where('businessId', '=', own.id)
        .where('id', '=', again.visitId)
        .execute(),
    )
    await weekly(own, poor)
    const { items, belowTarget, count } = await list(own, { limit: 1 })
    expect([belowTarget, count]).toEqual([1, 2])
    expect(items).toMatchObject([
      { key: poor.propertyId, completions: 2, targetPriceCents: 6000, nowPriceCents: 4000, priceReason: null },
    ])
    // a letter is on its way: what the lawn is to cost reaches the target, what it costs does not
    const to = { nextUnitPriceCents: 6000, nextPriceOn: addDays(today(), 30) }
    const steps = (values: object) =>
      own.db((db) =>
        db
          .updateTable('jobLines')
          .set(values)
          .where('businessId', '=', own.id)
          .where('jobId', '=', poor.jobId)
          .execute(),
      )
    await steps(to)
    expect((await list(own, { limit: 1 })).items).toMatchObject([
      {
        ...{ key: poor.propertyId, targetPriceCents: null, priceReason: 'coming' },
        priceWhy: `a new price of $60.00 a visit holds from ${formatDay(to.nextPriceOn, { year: true })}`,
      },
    ])
    await steps({ nextUnitPriceCents: null, nextPriceOn: null })
    expect((await list(own, { sort: 'most' })).items[0]).toMatchObject({
      key: good.propertyId,
      targetPriceCents: null,
      priceReason: 'reached',
    })
    await own.db((db) =>
      db.updateTable('businesses').set({ targetLaborHourCents: 0 }).where('businessId', '=', own.id).execute(),
    )
    expect((await list(own)).items.map(({ priceReason }) => priceReason)).toEqual(['noTarget', 'noTarget'])
  })

  it('tells an hour by the visits with a clock alone, and how many have none', async () => {
    const own = await aBusiness()
    await own.db((db) =>
      db.updateTable('businesses').set({ targetLaborHourCents: 6000 }).where('businessId', '=', own.id).execute(),
    )
    const crewId = await aCrew(own)
    const lawn = await worked(own, { crewId, priceCents: 5000 }, { minutes: 60 })
    await worked(own, { crewId, priceCents: 5000 }, { minutes: 60 })
    // a bare Finish, and the past entered as done with a drive
    await worked(own, { crewId, priceCents: 5000 }, { minutes: 0 })
    const driven = await worked(own, { crewId, priceCents: 5000 }, { minutes: 0 })
    await own.db((db) =>
      db
        .updateTable('visits')
        .set({ plannedDriveSeconds: 1800 })
        .where('businessId', '=', own.id)
        .where('id', '=', driven.visitId)
        .execute(),
    )
    for (const by of ['crew', 'service', 'property'] as const) {
      const { total, told, belowTarget, items } = await list(own, { by })
      expect([by, total.completions, total.clockedCompletions]).toEqual([by, 4, 2])
      expect([total.clockedWorthCents, total.clockedLaborSeconds]).toEqual([10_000, 7200])
      // $50.00 an hour, not $100.00
      expect([by, told, belowTarget]).toEqual([by, by === 'property' ? 2 : 1, by === 'property' ? 2 : 1])
      expect(items.reduce((sum, row) => sum + row.clockedCompletions, 0)).toBe(2)
    }
    const { items } = await own.api.ok(costingApi.visits, { query: { by: 'property', key: lawn.propertyId } })
    expect(items).toMatchObject([{ clockedCompletions: 1, clockedLaborSeconds: 3600 }])
  })

  it('is the whole of what was paid by the lawn, on the lawns that it was paid for', async () => {
    const own = await aBusiness()
    const ana = await own.employee({ name: 'Ana', wageCents: 2000 })
    const crewId = await aCrew(own, { members: [ana] })
    const day = addDays(today(), -1)
    const at = (minute: number) => instantAt(day, minute, 'America/New_York')
    await clockSpell(own, ana, { crewId, startedAt: at(480), endedAt: at(960) })
    await own.db((db) =>
      db.updateTable('wages').set({ pieceCents: 1200, burdenPercent: 0 }).where('businessId', '=', own.id).execute(),
    )
    // ten lawns of half an hour: five of the eight hours on the clock
    for (let n = 0; n < 10; n++) {
      const { visitId } = await worked(own, { crewId, priceCents: 5000 }, { minutes: 30 })
      await own.db((db) =>
        db
          .updateTable('visits')
          .set({ startedAt: at(490 + 40 * n), finishedAt: at(520 + 40 * n) })
          .where('businessId', '=', own.id)
          .where('id', '=', visitId)
          .execute(),
      )
    }
    const { total, items } = await list(own)
    expect(total.laborCents).toBe(12_000)
    expect(items.every(({ laborCents }) => laborCents === 1200)).toBe(true)
    // a bonus beside the hour: five hours at $20.00, and $1.00 a lawn
    await own.db((db) =>
      db.updateTable('wages').set({ pieceCents: null, bonusCents: 100 }).where('businessId', '=', own.id).execute(),
    )
    expect((await list(own)).total.laborCents).toBe(11_000)
  })

  it('is material used from stock at cost, once: never beside the same material that was bought', async () => {
    const own = await aBusiness()
    const { items: categories } = await own.api.ok(categoriesApi.list, {})
    const categoryId = categories.find(({ code }) => code === 'materials')?.id ?? ''
    const fed = await worked(own, { priceCents: 12_000 }, { minutes: 30 })
    const other = await worked(own, { priceCents: 5000 }, { minutes: 30 })
    const bag = await aMaterial(own, { costCents: 4500 })
    await bought(own, 20_000, {}, { categoryId })
    // nothing of it was used: it is an expense as others are
    expect((await list(own)).otherExpenseCents).toBe(20_000)
    await use(own, bag, fed.visitId, 2)
    await use(own, await aMaterial(own, { costCents: null }), other.visitId, 1)
    const found = await list(own)
    expect(found.total.materialCents).toBe(9000)
    expect([found.otherExpenseCents, found.stockExpenseCents, found.uncostedUses]).toEqual([0, 20_000, 1])
    const row = (of: typeof found) => of.items.find(({ key }) => key === fed.propertyId)
    expect(row(found)).toMatchObject({ materialCents: 9000, expenseCents: 0 })
    // what is no material is beside it; what is, and was bought for the visit, is the same purchase
    await bought(own, 700, { visitId: fed.visitId })
    await bought(own, 4000, { visitId: fed.visitId }, { categoryId })
    expect(row(await list(own))).toMatchObject({ expenseCents: 4700, materialCents: 5000 })
    await bought(own, 8000, { jobId: fed.jobId }, { categoryId })
    expect(row(await list(own))).toMatchObject({ expenseCents: 12_700, materialCents: 0 })
  })

  it('tells the routes apart: each day of each crew, and what had no crew', async () => {
    const own = await aBusiness()
    const [north, south] = [await aCrew(own, { name: 'North' }), await aCrew(own, { name: 'South' })]
    const [first, second] = [addDays(today(), -1), addDays(today(), -2)]
    await worked(own, { crewId: north, day: first, priceCents: 4000 }, { minutes: 60 })
    const other = await worked(own, { crewId: north, day: second, priceCents: 9000 }, { minutes: 60 })
    await worked(own, { crewId: south, day: first, priceCents: 5000 }, { minutes: 60 })
    await worked(own, { day: first, priceCents: 6000 }, { minutes: 60 })
    const { items, count } = await list(own, { by: 'route', sort: 'worth' })
    expect(count).toBe(4)
    expect(items.map(({ key, name, worthCents }) => [key, name, worthCents])).toEqual([
      [`${second}.${north}`, 'North', 9000],
      ['none', 'Without a crew', 6000],
      [`${first}.${south}`, 'South', 5000],
      [`${first}.${north}`, 'North', 4000],
    ])
    expect(items[0]?.sub).toContain(String(Number(second.slice(8))))
    const { items: visits } = await own.api.ok(costingApi.visits, { query: { by: 'route', key: `${second}.${north}` } })
    expect(visits.map(({ id }) => id)).toEqual([other.visitId])
    expect((await own.api.call(costingApi.visits, { query: { by: 'route', key: 'yesterday' } })).status).toBe(422)
  })

  it('tells each visit by itself, by what an hour earned or the newest first, a page at a time', async () => {
    const own = await aBusiness()
    const [first, second] = [addDays(today(), -1), addDays(today(), -2)]
    const poor = await worked(own, { day: second, priceCents: 4000, street: '1 Oak St' }, { minutes: 60 })
    const good = await worked(own, { day: first, priceCents: 9000, street: '2 Elm Ave' }, { minutes: 60 })
    await bought(own, 1000, { visitId: poor.visitId })
    const { items, count, total } = await list(own, { by: 'visit' })
    expect([count, total.completions]).toEqual([2, 2])
    expect(items).toMatchObject([
      { key: poor.visitId, name: '1 Oak St', completions: 1, worthCents: 4000, expenseCents: 1000, priceReason: null },
      { key: good.visitId, name: '2 Elm Ave', completions: 1, worthCents: 9000, clockedLaborSeconds: 3600 },
    ])
    expect(items[0]?.sub).toContain(formatDay(second, { year: true }))
    const newest = await list(own, { by: 'visit', sort: 'newest', limit: 1 })
    expect([newest.count, newest.items.map(({ key }) => key)]).toEqual([2, [good.visitId]])
    const { items: visits } = await own.api.ok(costingApi.visits, { query: { by: 'visit', key: poor.visitId } })
    expect(visits.map(({ id }) => id)).toEqual([poor.visitId])
  })

  it('says nothing where nothing was finished', async () => {
    const own = await aBusiness()
    expect(await list(own, { period: 'week' })).toMatchObject({ items: [], count: 0, total: { completions: 0 } })
  })

  it('is for who may see both wages and money, of their own business alone', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    const crewId = await aCrew(own)
    await worked(own, { crewId }, { minutes: 30 })
    expect((await list(other)).items).toEqual([])
    expect((await other.api.ok(costingApi.visits, { query: { by: 'crew', key: crewId } })).items).toEqual([])
    for (const permissions of [['money'], ['payroll']] as const) {
      const person = await aPerson(own.id, 'Admin', { permissions: [...permissions] })
      expect((await person.api.call(costingApi.list, { query: {} as never })).status).toBe(403)
    }
    const worker = await own.employee()
    expect((await worker.api.call(costingApi.list, { query: {} as never })).status).toBe(403)
  })
})
