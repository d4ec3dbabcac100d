import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Closing } from '../contract.ts'

const running = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

export const getClosing = async (db: TenantDb): Promise<Closing> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'subscriptionStatus', 'subscriptionEndsAt'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const candidates = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('businessId', '=', db.businessId)
    .where('role', '=', 'Admin')
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  // What was canceled and runs to the end of its paid time charges nobody again.
  const subscriptionRuns = running.includes(business.subscriptionStatus) && business.subscriptionEndsAt === null
  return { businessName: business.name, subscriptionRuns, candidates }
}
