import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { License } from '../contract.ts'

const rows = (db: TenantDb) =>
  db
    .selectFrom('licenses as l')
    .innerJoin('users as u', (x) => x.onRef('u.businessId', '=', 'l.businessId').onRef('u.id', '=', 'l.userId'))
    .where('l.businessId', '=', db.businessId)
    .select((eb) => eb('u.status', '=', 'disabled').$castTo<boolean>().as('left'))
    .select(['l.id', 'l.userId', 'u.name', 'l.skill', 'l.number', 'l.state', 'l.validFrom', 'l.expiresOn', 'l.version'])

/** Licenses of the business or of one person, also of those who left, those that expire first above. */
export const listLicenses = async (db: TenantDb, userId?: string): Promise<{ today: string; items: License[] }> => {
  let found = rows(db).where('l.deletedAt', 'is', null)
  if (userId) found = found.where('l.userId', '=', userId)
  return { today: await todayOf(db), items: await found.orderBy('l.expiresOn').orderBy('l.id').execute() }
}

/** One license, also one that was removed. @throws AppError not_found */
export const getLicense = async (db: TenantDb, id: string): Promise<License> => {
  const row = await rows(db).where('l.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('license')
  return row
}
