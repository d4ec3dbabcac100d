import type { TenantDb } from '../../../platform/db/tenant.ts'

export const findFile = (db: TenantDb, fileId: string) =>
  db
    .selectFrom('files')
    .select(['id', 'mime', 'storageKey', 'byteCount', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', fileId)
    .executeTakeFirst()
