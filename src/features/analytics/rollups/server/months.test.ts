import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import type { Day } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit, everyDay } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { analyticsApi } from '../../contract.ts'
import { countMarked } from './commands.ts'
import { listDifferences } from './queries.ts'
import { compareAllDays } from './tasks.ts'

/** Months that are over are read as their sums by job: always what their days come to. */

afterEach(resetClock)

const countAll = async (own: TestBusiness) => {
  while (await countMarked(systemActor(own.id))) {
    // until nothing is marked and every month is added up
  }
}
const run = (own: TestBusiness, statement: ReturnType<typeof sql>) => own.db((db) => statement.execute(db))
const summed = async (own: TestBusiness): Promise<Day[]> =>
  (
    await own.db((db) =>
      sql<{ month: Day }>`select month from analytics_months where business_id = ${db.businessId}
    and month >= '2026-07-01' order by month`.execute(db),
    )
  ).rows.map(({ month }) => month)
const year = async (own: TestBusiness) => {
  const { jobs, churn, bestCustomers, worthCents } = await own.api.ok(analyticsApi.overview, {
    query: { period: 'year' },
  })
  return {
    jobs,
    churn: churn && [churn.before, churn.left],
    best: bestCustomers.map(({ worthCents: cents }) => cents),
    worth: worthCents.now,
  }
}
const done = (own: TestBusiness, customer: string, day: Day, priceCents: number, lawn?: object) =>
  aVisit(own, { customer, day, priceCents, status: 'completed', ...(lawn ? { lawn } : {}) } as never)

const aYear = async () => {
  setClock(() => new Date('2026-10-10T16:00:00Z'))
  const own = await aBusiness({ workDays: everyDay })
  // in the year before alone, in both, and in this one; some of them in the month that parts the years, on either side
  await done(own, 'Gone', '2025-03-10', 4000)
  await done(own, 'Early', '2025-10-05', 4100)
  const ann = await done(own, 'Ann', '2025-10-10', 5000)
  const lawn = { customerId: ann.customerId, propertyId: ann.propertyId }
  await done(own, 'Ann', '2025-10-20', 5500, lawn)
  const september = await done(own, 'Ann', '2026-09-15', 6000, lawn)
  await done(own, 'Ann', '2026-10-08', 6500, lawn)
  await done(own, 'Bob', '2026-09-30', 7000)
  return { own, september }
}
const asCounted = { jobs: { worked: 4, waiting: 4 }, churn: [3, 2], best: [18_000, 7000], worth: 25_000 }

it('a year reads whole months as sums and the days beside them, and says what its days say', async () => {
  const { own } = await aYear()
  expect(await year(own)).toEqual(asCounted)
  await countAll(own)
  expect(await summed(own)).toEqual(['2026-07-01', '2026-08-01', '2026-09-01'])
  expect(await year(own)).toEqual(asCounted)
  expect(await own.db((db) => listDifferences(db, '2024-10-01', '2026-10-10'))).toEqual([])
})

it('a day of a month that changes is counted by itself at once, and the month is added up anew', async () => {
  const { own, september } = await aYear()
  await countAll(own)
  await own.api.ok(invoicesApi.settleVisit, { params: { visitId: september.visitId }, body: { priceCents: 9000 } })
  const changed = { ...asCounted, best: [21_000, 7000], worth: 28_000 }
  expect(await year(own)).toEqual(changed)
  await countAll(own)
  expect(await summed(own)).toContain('2026-09-01')
  expect(await year(own)).toEqual(changed)
})

it('whoever writes a day, also a process that knows nothing of months, takes its month off the sums', async () => {
  const { own } = await aYear()
  await countAll(own)
  await run(
    own,
    sql`update analytics_jobs set worth_cents = worth_cents + 100 where business_id = ${own.id} and day = '2026-09-30'`,
  )
  expect(await summed(own)).toEqual(['2026-07-01', '2026-08-01'])
  expect((await year(own)).best).toEqual([18_000, 7100])
  await run(own, sql`delete from analytics_jobs where business_id = ${own.id} and day = '2026-08-01'`)
  expect(await summed(own)).toEqual(['2026-07-01', '2026-08-01'])
})

it('sums of a month that are wrong are found at night and put right', async () => {
  const { own } = await aYear()
  await countAll(own)
  await run(
    own,
    sql`update analytics_job_months set worth_cents = worth_cents + 1 where business_id = ${own.id} and month = '2026-09-01' and worth_cents = 7000`,
  )
  // that the sums are read is seen by it
  expect((await year(own)).best).toEqual([18_000, 7001])
  expect(await own.db((db) => listDifferences(db, '2026-09-01', '2026-09-30'))).toMatchObject([
    { day: '2026-09-01', kind: 'month' },
  ])
  await compareAllDays.run({})
  expect(await year(own)).toEqual(asCounted)
  await countAll(own)
  expect(await own.db((db) => listDifferences(db, '2026-09-01', '2026-09-30'))).toEqual([])
  expect(await year(own)).toEqual(asCounted)
})
