import type { Updateable } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { DB } from '../../../../platform/db/types.generated.ts'

/** What accounts and subscriptions change on the row of a business. Its version is for what people edit, and stays. */

export type NewBusiness = {
  name: string
  slug: string
  email: string
  timeZone?: string | undefined
  customerCountClaimed: number
  companySize: string | null
  openedByProductOwner: boolean
}

/** A business that just opened, with the address of its public page. */
export const createBusinessTx = async (db: TenantDb, business: NewBusiness): Promise<void> => {
  const { timeZone, ...fields } = business
  const now = clock.iso()
  await db
    .insertInto('businesses')
    .values({ ...fields, ...(timeZone ? { timeZone } : {}), businessId: db.businessId, createdAt: now, updatedAt: now })
    .execute()
  await db.insertInto('slugs').values({ slug: business.slug, businessId: db.businessId }).execute()
}

const change = async (db: TenantDb, fields: Updateable<DB['businesses']>): Promise<void> => {
  await db
    .updateTable('businesses')
    .set({ ...fields, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .execute()
}

/** Closes a business until the day on which it is deleted, or opens it again. */
export const setClosedTx = async (
  db: TenantDb,
  closed: { closedAt: string; deleteAfter: string } | null,
): Promise<void> => {
  await change(db, closed ?? { closedAt: null, deleteAfter: null })
  // walks that begin something new read it here, outside of any business
  await db
    .updateTable('slugs')
    .set({ closed: closed !== null })
    .where('businessId', '=', db.businessId)
    .execute()
}

/** Whether everybody in the office needs the second step of a sign-in. */
export const requireTwoFactorTx = (db: TenantDb, requireTwoFactor: boolean): Promise<void> =>
  change(db, { requireTwoFactor })

type SubscriptionColumns =
  | 'planTier'
  | 'subscriptionStatus'
  | 'subscriptionSince'
  | 'subscriptionEndsAt'
  | 'pastDueSince'
  | 'trialEndsAt'
  | 'livemode'

/** What the subscription of a business lets it do. */
export const setSubscriptionStateTx = (
  db: TenantDb,
  state: Pick<Updateable<DB['businesses']>, SubscriptionColumns>,
): Promise<void> => change(db, state)
