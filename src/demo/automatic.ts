import { noAutoInvoices } from '../features/businesses/autoinvoices/rules.ts'
import { changeBusiness } from '../features/businesses/server/commands.ts'
import { getBusinessSettings, todayOf } from '../features/businesses/server/queries.ts'
import { updateCustomer } from '../features/customers/server/commands.ts'
import { getCustomer } from '../features/customers/server/queries.ts'
import { takeTurn } from '../features/invoices/automatic/server/commands.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays } from '../shared/dates.ts'

/** Invoices make themselves on the last day of a month, as drafts; one customer has theirs every day, another never by itself. */
export const invoiceByItself = async (owner: Actor): Promise<void> => {
  const { version } = await withTenant(owner, (db) => getBusinessSettings(db, owner))
  const rule = { ...noAutoInvoices, rhythm: 'monthly' as const, send: false }
  await changeBusiness(owner, { version, autoInvoices: rule })
  const yesterday = addDays(await withTenant(owner, (db) => todayOf(db)), -1)
  const waiting = await withTenant(owner, (db) =>
    db
      .selectFrom('visits')
      .innerJoin('jobs', (join) =>
        join.onRef('jobs.businessId', '=', 'visits.businessId').onRef('jobs.id', '=', 'visits.jobId'),
      )
      .where('visits.businessId', '=', db.businessId)
      .where('visits.toBill', '=', true)
      .where('visits.invoiceId', 'is', null)
      .where('visits.priceCents', '>', 0)
      .where('visits.day', '<=', yesterday)
      .where('jobs.billing', '=', 'per_visit')
      .select('visits.customerId')
      .distinct()
      .orderBy('visits.customerId')
      .limit(2)
      .execute(),
  )
  for (const [at, { customerId }] of waiting.entries()) {
    const customer = await withTenant(owner, (db) => getCustomer(db, owner, customerId))
    await updateCustomer(owner, customerId, { version: customer.version, autoInvoices: at === 0 ? 'daily' : 'never' })
  }
  await takeTurn(systemActor(owner.businessId), rule, { rhythm: 'daily', on: yesterday })
}
