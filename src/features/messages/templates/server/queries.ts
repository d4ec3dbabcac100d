import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { MessageTemplate } from '../contract.ts'
import { mostTemplates } from '../rules.ts'

const rowsOf = (db: TenantDb) =>
  db
    .selectFrom('messageTemplates')
    .select(['id', 'name', 'textEn', 'textEs', 'subjectEn', 'subjectEs', 'version'])
    .select(sql<boolean>`archived_at is not null`.as('archived'))
    .where('businessId', '=', db.businessId)

/** Templates that are offered, by name. */
export const listTemplates = (db: TenantDb): Promise<MessageTemplate[]> =>
  rowsOf(db).where('archivedAt', 'is', null).orderBy(sql`lower(name)`).orderBy('id').limit(mostTemplates).execute()

/** @throws not_found */
export const getTemplate = async (db: TenantDb, id: string): Promise<MessageTemplate> => {
  const row = await rowsOf(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('template')
  return row
}
