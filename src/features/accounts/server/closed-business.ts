import { systemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { AppError } from '../../../shared/errors.ts'
import { setClosedTx } from '../../businesses/server/row/commands.ts'
import type { SessionUser } from '../contract.ts'

/**
 * Nobody gets into a closed business but its Owner, who opens it again by that.
 * @throws AppError state_conflict with `details.canReopen` for the Owner, forbidden for everybody else
 */
export const admitToBusiness = async (db: TenantDb, user: SessionUser, reopen: boolean): Promise<void> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'closedAt', 'deleteAfter', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  if (!business.closedAt || !business.deleteAfter) return
  const until = formatDay(dayOf(new Date(business.deleteAfter), business.timeZone), { year: true })
  if (user.role !== 'Owner')
    throw new AppError('forbidden', `${business.name} was closed by its owner. Only the owner can open it again.`)
  if (!reopen)
    throw new AppError(
      'state_conflict',
      `${business.name} is closed. Everything is kept until ${until}; you can open it again.`,
      { details: { canReopen: true, deleteAfter: business.deleteAfter } },
    )
  await setClosedTx(db, null)
  await audit(
    db,
    systemActor(db.businessId),
    'business.reopen',
    { type: 'business', id: db.businessId },
    {
      after: { by: user._id },
    },
  )
}
