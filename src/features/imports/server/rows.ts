import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { ImportRecord, NewService } from '../contract.ts'
import type { Mapping } from '../rules.ts'

/** The kept rows of a file, and the import that they belong to, for who writes or takes back. */

/** Rows that one transaction writes or takes back. */
export const chunkRows = 250

/** Takes an import that is at a step; null when it is not there any more. */
export const lockImport = async (db: TenantDb, importId: string, status: ImportRecord['status']) => {
  const row = await db
    .selectFrom('imports')
    .select(['mapping', 'services', 'withDuplicates', 'updateDuplicates', 'preset', 'source', 'fileName'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', importId)
    .where('status', '=', status)
    .forUpdate()
    .executeTakeFirst()
  return row ? { ...row, importId, mapping: row.mapping as Mapping, services: row.services as NewService[] } : null
}

/** Sets status, reasons and ids of many rows in one statement; what is not given stays. */
export const markRows = async (
  db: TenantDb,
  importId: string,
  rows: readonly {
    line: number
    status: string
    reasons?: unknown
    customerId?: string | null
    propertyId?: string | null
    attached?: boolean
    matchId?: string | null
    brings?: readonly string[]
    filled?: unknown
  }[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    update import_rows r set status = x.status, reasons = coalesce(x.reasons, r.reasons), filled = coalesce(x.filled, r.filled),
      customer_id = case when x.has_ids then x.customer_id else r.customer_id end,
      property_id = case when x.has_ids then x.property_id else r.property_id end,
      attached = coalesce(x.attached, r.attached), brings = coalesce(x.brings, r.brings),
      match_id = case when x.has_match then x.match_id else r.match_id end
    from jsonb_to_recordset(${JSON.stringify(
      rows.map((r) => ({
        line: r.line,
        status: r.status,
        reasons: r.reasons ?? null,
        filled: r.filled ?? null,
        has_ids: r.customerId !== undefined,
        customer_id: r.customerId ?? null,
        property_id: r.propertyId ?? null,
        attached: r.attached ?? null,
        brings: r.brings ?? null,
        has_match: r.matchId !== undefined,
        match_id: r.matchId ?? null,
      })),
    )}::jsonb) as x(line int, status text, reasons jsonb, filled jsonb, has_ids boolean, customer_id uuid, property_id uuid, attached boolean,
      brings text[], has_match boolean, match_id uuid)
    where r.business_id = ${db.businessId} and r.import_id = ${importId} and r.line = x.line`.execute(db)
}
