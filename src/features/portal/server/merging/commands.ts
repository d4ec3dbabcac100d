import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What was asked for in the portal becomes another customer's. Browsers that are signed in for the one that goes have to ask for a new link: it shows the kept record. */
export const moveCustomerPortalTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('portalRequests')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await db
    .updateTable('portalSessions')
    .set({ customerId: null, contactId: null, revokedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}

/** What was asked for properties that become another customer's goes with them. */
export const moveRequestsWithPlacesTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  propertyIds: readonly string[],
): Promise<void> => {
  if (propertyIds.length === 0) return
  await db
    .updateTable('portalRequests')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .where('propertyId', 'in', [...propertyIds])
    .execute()
}

/** What was asked for a property in the portal is of another at the same address; all, or those named. Returns which. */
export const movePropertyRequestsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('portalRequests')
    .set({ propertyId: toId })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
