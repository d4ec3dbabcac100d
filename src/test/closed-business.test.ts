import { afterEach, beforeEach, expect, it } from 'vitest'
import { globalTasks, schedule } from '../app-tasks.ts'
import { closingApi } from '../features/accounts/closing/contract.ts'
import { hashPassword } from '../features/accounts/server/commands.ts'
import { noLateFees } from '../features/businesses/latefees/rules.ts'
import { listBusinessIds, listOpenBusinessIds } from '../features/businesses/server/queries.ts'
import { setClosedTx } from '../features/businesses/server/row/commands.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { clock, resetClock } from '../platform/clock.ts'
import type { BusinessId } from '../platform/db/tenant.ts'
import { forEachBusiness, forEachOpenBusiness, setBusinessList } from '../platform/tasks/walk.ts'
import { runTasks, stranger } from './api.ts'
import { aCardClock, anInvoice, bookedIds, office, openPage, runCards, withCard } from './cards.ts'
import { aBusiness, type TestBusiness } from './factories.ts'

const { begin, onDay, day } = aCardClock()
beforeEach(begin)
afterEach(() => {
  resetClock()
  setBusinessList(everybody)
})

const everybody = { all: listBusinessIds, open: listOpenBusinessIds }
const password = 'correct horse 1'
/** Walks that are no business's own, or that make a demo anew. */
const others = ['tour.renew', 'prospects.walkSprints', 'prospects.sweepMessages']
/** Walks over those with books, which this business has not: what other tests broke there still answers 503. */
const ofBooks = /^quickbooks\./

/**
 * Each walk of the hour and of the night once over one business, and what it causes. What earlier tests left of other
 * businesses, played faults of their providers too, is not walked.
 */
const walkAll = async (own: TestBusiness) => {
  const only = (list: () => Promise<BusinessId[]>) => async () => (await list()).filter((id) => id === own.id)
  setBusinessList({ all: only(listBusinessIds), open: only(listOpenBusinessIds) })
  for (const name of new Set(schedule.map(({ task }) => task)))
    if (!others.includes(name) && !ofBooks.test(name))
      await globalTasks.find((one) => one.name === name)?.run({} as never)
  await runTasks()
}
const close = async (own: TestBusiness) => {
  const passwordHash = await hashPassword(password)
  await own.db(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('businessId', '=', own.id).execute()
    await db.updateTable('businesses').set({ subscriptionStatus: 'none' }).where('businessId', '=', own.id).execute()
  })
  const body = { password, businessName: 'Green Test Lawns' }
  await (await office(own)).ok(closingApi.close, { body })
  await runTasks()
}
const standing = (own: TestBusiness) =>
  own.db(async (db) => {
    const count = async (table: 'invoices' | 'ledgerEntries' | 'autopayCharges' | 'expenses') =>
      (await db.selectFrom(table).select('businessId').where('businessId', '=', own.id).execute()).length
    const pages = await db
      .selectFrom('checkoutSessions')
      .select('id')
      .where('businessId', '=', own.id)
      .where('status', '=', 'open')
      .execute()
    return {
      invoices: await count('invoices'),
      entries: await count('ledgerEntries'),
      planned: await count('autopayCharges'),
      expenses: await count('expenses'),
      pages: pages.length,
    }
  })

it('a closed business begins no new money, whatever walks by; opened again it announces anew', {
  timeout: 120_000,
}, async () => {
  const { own, customerId, token } = await withCard()
  const other = await anInvoice(own, customerId, 1)
  await own.db((db) =>
    db
      .updateTable('businesses')
      .set({
        lateFees: JSON.stringify({ ...noLateFees, kind: 'fixed', graceDays: 1 }),
        lateFeesFrom: day(-30),
      })
      .where('businessId', '=', own.id)
      .execute(),
  )
  onDay(7)
  await openPage(other.token)
  await runCards(own)
  const before = await standing(own)
  expect(before).toMatchObject({ planned: 2, pages: 1 })
  await close(own)
  expect(await standing(own)).toEqual({ ...before, planned: 0, pages: 0 })
  const paid = await bookedIds(own)
  onDay(10)
  await runCards(own)
  onDay(14)
  await walkAll(own)
  await runCards(own)
  expect(await bookedIds(own)).toEqual(paid)
  expect(await standing(own)).toEqual({ ...before, planned: 0, pages: 0 })
  // its pages take nothing any more
  expect((await stranger.call(paymentsApi.pay, { params: { token } })).status).toBe(409)
  expect((await stranger.ok(paymentsApi.publicInvoice, { params: { token } })).autopay?.chargeOn ?? null).toBeNull()
  await own.db((db) => setClosedTx(db, null))
  await runCards(own)
  expect(await bookedIds(own)).toEqual(paid)
  const planned = await own.db((db) =>
    db.selectFrom('autopayCharges').select('chargeOn').where('businessId', '=', own.id).execute(),
  )
  expect(planned.length).toBeGreaterThan(0)
  for (const { chargeOn } of planned) expect(chargeOn >= day(17)).toBe(true)
})

it('what only settles walks over closed businesses, what begins something does not', async () => {
  const [open, closed] = [await aBusiness(), await aBusiness()]
  await closed.db((db) => setClosedTx(db, { closedAt: clock.iso(), deleteAfter: clock.iso() }))
  const seen = { all: new Set<string>(), open: new Set<string>() }
  await forEachBusiness('settling', async ({ businessId }) => seen.all.add(businessId))
  await forEachOpenBusiness('beginning', async ({ businessId }) => seen.open.add(businessId))
  expect([seen.all.has(open.id), seen.all.has(closed.id)]).toEqual([true, true])
  expect([seen.open.has(open.id), seen.open.has(closed.id)]).toEqual([true, false])
})
