import { businessesApi } from '../features/businesses/contract.ts'
import { type LateFees, noLateFees } from '../features/businesses/latefees/rules.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { chargeLateFees } from '../features/invoices/latefees/server/commands.ts'
import { compareBooks } from '../features/payments/corrections/server/queries.ts'
import { systemActor } from '../platform/actor.ts'
import { addDays } from '../shared/dates.ts'
import type { TestBusiness } from './factories.ts'
import { aLawn, today } from './field.ts'

export const charging = async (own: TestBusiness, changes: Partial<LateFees> = {}) => {
  const { version } = await own.api.ok(businessesApi.get, {})
  const lateFees: LateFees = { ...noLateFees, kind: 'fixed', graceDays: 10, ...changes }
  await own.api.ok(businessesApi.update, { body: { lateFees, invoiceTerms: 'Late pays more.', version } })
  await own.db((db) =>
    db
      .updateTable('businesses')
      .set({
        lateFeesFrom: addDays(today(), -400),
        ...(lateFees.second
          ? { lateFees: JSON.stringify({ ...lateFees, second: { ...lateFees.second, since: addDays(today(), -400) } }) }
          : {}),
      })
      .where('businessId', '=', own.id)
      .execute(),
  )
}
export const late = async (
  own: TestBusiness,
  days: number,
  cents = 10_000,
  email: string | null = 'ann@test.swath.test',
) => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db.updateTable('customers').set({ email }).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  await own.db((db) =>
    db
      .updateTable('invoices')
      .set({ dueOn: addDays(today(), -days), issueOn: addDays(today(), -days - 14) })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute(),
  )
  return { id, customerId }
}
/** So many days late by now, and its fees late, too. */
export const ageTo = (own: TestBusiness, id: string, days: number) =>
  own.db(async (db) => {
    await db
      .updateTable('invoices')
      .set({ dueOn: addDays(today(), -days), lastRemindedAt: null })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('invoices')
      .set({ dueOn: addDays(today(), -20), remindersStopped: null })
      .where('businessId', '=', own.id)
      .where('id', '!=', id)
      .execute()
  })
export const charge = (own: TestBusiness) => chargeLateFees(systemActor(own.id))
export const invoiceOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })
export const feesOf = async (own: TestBusiness, id: string) => (await invoiceOf(own, id)).lateFees
export const books = (own: TestBusiness) => own.db((db) => compareBooks(db))
export const reminders = async (own: TestBusiness, id: string, change: object) =>
  own.api.ok(invoicesApi.setReminders, { params: { id }, body: change as never })
