import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** The billing plans of a customer become another's, as they run. */
export const moveCustomerPlansTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('billingPlans')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await publishChange(db, 'invoices')
}

/** What billing plans cover and have counted of jobs is at another property of the same address. */
export const movePropertyPlansTx = async (
  db: TenantDb,
  toId: string,
  { jobs, visits }: { jobs: readonly string[]; visits: readonly string[] },
): Promise<void> => {
  if (jobs.length > 0)
    await db
      .updateTable('billingPlanLines')
      .set({ propertyId: toId })
      .where('businessId', '=', db.businessId)
      .where('jobLineId', 'in', (eb) =>
        eb
          .selectFrom('jobLines')
          .select('id')
          .where('businessId', '=', db.businessId)
          .where('jobId', 'in', [...jobs]),
      )
      .execute()
  if (visits.length > 0)
    await db
      .updateTable('billingPlanDeliveries')
      .set({ propertyId: toId })
      .where('businessId', '=', db.businessId)
      .where('visitId', 'in', [...visits])
      .execute()
}
