import { beforeAll, describe, expect, it } from 'vitest'
import { accounts, passDays, payByBank, setBank } from '../../../test/bank.ts'
import { aPlanBusiness } from '../../../test/billing-plans.ts'
import type { Plan } from '../contract.ts'

/** Months of a plan that are paid from a bank account, and a settlement while a bank has not answered or takes money back. */

const { of, on, bill, books, aCustomer, start, get, settlement, settle, finish, invoice } = aPlanBusiness()
beforeAll(() => setBank(of(), true))

const monthOf = (plan: Plan, at: number): string => plan.months[at]?.invoice?.id ?? ''
const payMonth = async (plan: Plan, at: number, account = accounts.good) => {
  const { publicPath } = await invoice(monthOf(plan, at))
  await payByBank((publicPath ?? '').split('/').at(-1) ?? '', account)
}
const owed = (customerId: string) =>
  of().db(async (db) => {
    const row = await db
      .selectFrom('customerBalances')
      .select('balanceCents')
      .where('businessId', '=', of().id)
      .where('customerId', '=', customerId)
      .executeTakeFirstOrThrow()
    return Number(row.balanceCents)
  })
const cameIn = (customerId: string) =>
  of().db(async (db) => {
    const rows = await db
      .selectFrom('payments')
      .select(['amountCents', 'refundedCents', 'method'])
      .where('businessId', '=', of().id)
      .where('customerId', '=', customerId)
      .where('method', '!=', 'credit')
      .execute()
    expect(rows.every(({ method }) => method === 'ach')).toBe(true)
    return rows.reduce((sum, row) => sum + Number(row.amountCents) - Number(row.refundedCents), 0)
  })
/** A plan of which three months were billed, and seven visits done: less than the months came to. */
const threeMonths = async () => {
  await on('2027-03-20')
  const { customerId, job } = await aCustomer()
  const { id } = await start(customerId)
  await finish(job.id, 7)
  await bill('2027-06-02')
  const plan = await get(id)
  expect(plan.months.filter(({ state }) => state === 'billed')).toHaveLength(3)
  return { customerId, plan }
}
const totalOf = async (plan: Plan, count: number) => {
  let cents = 0
  for (let at = 0; at < count; at++) cents += (await invoice(monthOf(plan, at))).totalCents
  return cents
}

describe('a plan that is paid from a bank account', () => {
  it('settled while a month is on its way owes what was done, whatever the bank answers then', async () => {
    const { customerId, plan } = await threeMonths()
    await payMonth(plan, 0)
    await payMonth(plan, 1)
    await passDays(of())
    await on('2027-06-10')
    await payMonth(plan, 2)
    expect((await invoice(monthOf(plan, 2))).pendingCents).toBeGreaterThan(0)
    const billed = await totalOf(plan, 3)
    const seen = await settlement(plan.id)
    expect(seen.totalCents).toBeLessThan(0)
    expect((await settle(plan.id, 'credit')).status).toBe(200)
    expect(await books()).toEqual([])
    const done = billed + seen.totalCents
    expect(await owed(customerId)).toBe(done - (await cameIn(customerId)))
    await passDays(of())
    expect(await cameIn(customerId)).toBe(billed)
    expect(await owed(customerId)).toBe(done - billed)
    expect(await invoice(monthOf(plan, 2))).toMatchObject({ status: 'paid', pendingCents: 0 })
    expect(await books()).toEqual([])
  })

  it('given back as money, and taken back by the bank as well, is no money twice', async () => {
    const { customerId, plan } = await threeMonths()
    await payMonth(plan, 0)
    await payMonth(plan, 1)
    await passDays(of())
    await on('2027-06-10')
    await payMonth(plan, 2, accounts.takenBack)
    await passDays(of())
    const billed = await totalOf(plan, 3)
    expect(await owed(customerId)).toBe(0)
    const seen = await settlement(plan.id)
    expect((await settle(plan.id, 'refund')).status).toBe(200)
    expect(await owed(customerId)).toBe(0)
    expect(await cameIn(customerId)).toBe(billed + seen.totalCents)
    expect(await books()).toEqual([])
    // the bank takes back the last debit, of which a part went back already
    await on('2027-06-20')
    await passDays(of())
    await passDays(of())
    const done = billed + seen.totalCents
    const disputes = await of().db((db) =>
      db
        .selectFrom('disputes')
        .select(['movedCents', 'uncoveredCents'])
        .where('businessId', '=', of().id)
        .where('money', '=', 'taken')
        .execute(),
    )
    expect(disputes).toHaveLength(1)
    expect(await owed(customerId)).toBe(done - (await cameIn(customerId)))
    expect(await books()).toEqual([])
  })

  it('a month whose debit its bank refuses is open again and is settled with the rest', async () => {
    const { customerId, plan } = await threeMonths()
    await payMonth(plan, 0, accounts.poor)
    await passDays(of())
    expect(await invoice(monthOf(plan, 0))).toMatchObject({ status: 'issued', pendingCents: 0, paidCents: 0 })
    const billed = await totalOf(plan, 3)
    const seen = await settlement(plan.id)
    expect((await settle(plan.id, 'credit')).status).toBe(200)
    expect(await owed(customerId)).toBe(billed + seen.totalCents)
    expect(await cameIn(customerId)).toBe(0)
    expect(await books()).toEqual([])
  })
})
