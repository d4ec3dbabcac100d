import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { EmergencyContact } from '../contract.ts'

/** Whom to call for a person. @throws AppError not_found for a person of another business */
export const getEmergencyContact = async (db: TenantDb, userId: string): Promise<EmergencyContact> => {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('emergencyContacts as e', (x) =>
      x.onRef('e.businessId', '=', 'u.businessId').onRef('e.userId', '=', 'u.id'),
    )
    .select(['u.id as userId', 'e.name', 'e.relation', 'e.phone', 'e.version'])
    .where('u.businessId', '=', db.businessId)
    .where('u.id', '=', userId)
    .where('u.archivedAt', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('person')
  return { ...row, name: row.name ?? '', relation: row.relation ?? '', version: row.version ?? 0 }
}
