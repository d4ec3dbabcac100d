import type { z } from 'zod'
import { withTenant } from '../../../../platform/db/tenant.ts'
import type { Registration } from '../../contract.ts'
import { openAccount } from '../../server/registration.ts'
import { portalPasswordMinimum } from '../rules.ts'

/**
 * Opens an account for somebody and marks its business as opened by the product owner, who may then make a checkout for it.
 * @throws validation_failed, state_conflict when the address has an account already
 */
export const openAccountFor = async (
  input: z.output<typeof Registration>,
): Promise<{ userId: string; name: string; email: string }> => {
  const { businessId, userId } = await openAccount(input, { passwordMinimum: portalPasswordMinimum })
  await withTenant({ businessId }, (db) =>
    db.updateTable('businesses').set({ openedByProductOwner: true }).where('businessId', '=', businessId).execute(),
  )
  return { userId, name: input.name, email: input.email }
}
