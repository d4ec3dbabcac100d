import { sql } from 'kysely'
import type { TenantDb } from '../platform/db/tenant.ts'

/** Count and checksum of a business's rows by table, to see that nothing was changed. @param except tables that are not looked at */
export const rowSums = async (db: TenantDb, except: readonly string[] = []): Promise<Record<string, unknown>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'business_id' order by 1`.execute(db)
  const sums: Record<string, unknown> = {}
  for (const { name } of tables.filter((table) => !except.includes(table.name))) {
    const found = await sql`
      select count(*) as count, sum(hashtextextended(t::text, 0)::numeric)::text as sum
      from ${sql.table(name)} t where t.business_id = ${db.businessId}`.execute(db)
    sums[name] = found.rows[0]
  }
  return sums
}
