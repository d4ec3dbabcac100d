import { sql } from 'kysely'
import { ownerPool } from '../platform/db/database.ts'
import { inOneTransaction, type TenantDb } from '../platform/db/tenant.ts'
import type { TestBusiness } from './factories.ts'

const readSoFar = async (db: TenantDb): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)), 0)::int8 as n from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`.execute(db)
  return Number(rows[0]?.n)
}

/**
 * How many rows of tables and entries of indexes the database reads for `work`, whatever the machine does beside it: for the promise that no read
 * grows with the history of a business. What `work` asks of the business, over HTTP too, is one transaction.
 * A file that asks it begins with `renewTestServer`: how a read is planned goes by what other tests left in its tables.
 * @param tables that are vacuumed and whose statistics are renewed first, as autovacuum does it outside of tests: else a filled table is planned as a small one, and dead rows are read
 */
export const rowsRead = async (
  own: TestBusiness,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> => {
  await ownerPool().query(`vacuum (analyze) ${tables.join(', ')}`)
  return inOneTransaction({ businessId: own.id }, async (db) => {
    const before = await readSoFar(db)
    await work()
    const rows = (await readSoFar(db)) - before
    if (rows === 0) throw new Error('Nothing was read in this transaction.')
    return rows
  })
}
