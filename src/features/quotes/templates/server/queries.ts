import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { QuoteTemplate } from '../contract.ts'

/** So many are offered. */
export const mostTemplates = 100

const rowsOf = (db: TenantDb) =>
  db
    .selectFrom('quoteTemplates as t')
    .where('t.businessId', '=', db.businessId)
    .select(['t.id', 't.name', 't.content', 't.version'])
    .select(
      sql<number>`(select count(*)::int from (select 1 from quotes q where q.business_id = t.business_id and q.template_id = t.id limit 1000) x)`.as(
        'quoteCount',
      ),
    )

export const listTemplates = async (db: TenantDb): Promise<QuoteTemplate[]> =>
  (await rowsOf(db)
    .where('t.archivedAt', 'is', null)
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(mostTemplates)
    .execute()) as unknown as QuoteTemplate[]

/** @throws not_found */
export const getTemplate = async (db: TenantDb, id: string): Promise<QuoteTemplate> => {
  const row = await rowsOf(db).where('t.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('template')
  return row as unknown as QuoteTemplate
}
