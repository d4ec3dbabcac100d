import { sql } from 'kysely'
import { clock } from './clock.ts'
import { database } from './db/database.ts'
import { withProspects } from './db/prospects.ts'
import { type BusinessId, withTenant } from './db/tenant.ts'

/** How long the rows of a table are kept. */
export type RetentionRule = {
  table: string
  /** Whose rows: of each business, of none, or of the product owner's funnel. */
  of: 'business' | 'nobody' | 'prospects'
  /** SQL of the instant from which the days count; rows without one stay. */
  since: string
  days: number
  /** SQL that has to be true besides. */
  only?: string
  /** Why not longer and not shorter. */
  why: string
}

const most = 1_000

const chunk = (rule: RetentionRule, businessId: BusinessId | null) => {
  const before = new Date(clock.nowMs() - rule.days * 86_400_000).toISOString()
  const table = sql.table(rule.table)
  const where = [
    ...(businessId ? [sql`business_id = ${businessId}`] : []),
    sql`${sql.raw(rule.since)} < ${before}::timestamptz`,
    ...(rule.only ? [sql.raw(rule.only)] : []),
  ]
  return sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${sql.join(where, sql` and `)} limit ${most}))`
}

const removeChunk = async (rule: RetentionRule, businessId: BusinessId | null): Promise<number> => {
  const query = chunk(rule, businessId)
  const { numAffectedRows = 0n } = businessId
    ? await withTenant({ businessId }, (db) => query.execute(db))
    : rule.of === 'prospects'
      ? await withProspects((db) => query.execute(db))
      : await query.execute(database())
  return Number(numAffectedRows)
}

/**
 * Deletes what a rule no longer keeps, a thousand rows to a transaction, so that it waits for nobody and can be cut off anywhere.
 * @param businessId whose rows, for a rule of businesses; null for the others
 * @returns how many rows went
 */
export const applyRetention = async (rule: RetentionRule, businessId: BusinessId | null): Promise<number> => {
  for (let total = 0; ; ) {
    const removed = await removeChunk(rule, businessId)
    total += removed
    if (removed < most) return total
  }
}
