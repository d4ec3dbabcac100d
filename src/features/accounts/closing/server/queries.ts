import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { decryptField } from '../../../../platform/keys.ts'
import { csvText } from '../../../../shared/csv.ts'
import type { Closing } from '../contract.ts'

const running = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

export const getClosing = async (db: TenantDb): Promise<Closing> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'subscriptionStatus', 'subscriptionEndsAt'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const candidates = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('businessId', '=', db.businessId)
    .where('role', '=', 'Admin')
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  // What was canceled and runs to the end of its paid time charges nobody again.
  const subscriptionRuns = running.includes(business.subscriptionStatus) && business.subscriptionEndsAt === null
  return { businessName: business.name, subscriptionRuns, candidates }
}

/** What is ours to keep the product running, not the business's: sessions, keys, queues. */
const leftOut = new Set([
  'account_emails',
  'account_identities',
  'account_links',
  'billing_accounts',
  'counters',
  'crew_commands',
  'crew_device_people',
  'crew_devices',
  'employee_invites',
  'events',
  'idempotency_keys',
  'public_tokens',
  'recovery_codes',
  'sessions',
  'slugs',
  'support_lookups',
  'tour_demos',
  'two_factors',
  'used_tokens',
])
const secretColumn = /hash|secret|cipher|token|storage_key/

type Column = { table: string; name: string }

/** The tables that belong to a business with the columns that a person may read, in their order. */
export const listExportTables = async (db: TenantDb): Promise<Map<string, string[]>> => {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as name
    from information_schema.columns c
    where c.table_schema = 'public' and exists (
      select 1 from information_schema.columns b
      where b.table_schema = 'public' and b.table_name = c.table_name and b.column_name = 'business_id')
    order by c.table_name, c.ordinal_position`.execute(db)
  const tables = new Map<string, string[]>()
  for (const { table, name } of rows) {
    if (leftOut.has(table) || name === 'business_id' || secretColumn.test(name)) continue
    tables.set(table, [...(tables.get(table) ?? []), name])
  }
  return tables
}

const cell = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** One table of the business as CSV. Gate codes stand in it readable: they are the business's own. */
export const exportTable = async (db: TenantDb, table: string, columns: readonly string[]): Promise<string> => {
  const hasGateCode = table === 'properties'
  const wanted = sql.join(
    [...columns, ...(hasGateCode ? ['gate_code_cipher'] : [])].map((name) => sql.id(name)),
    sql`, `,
  )
  // Mail of accounts holds links that open them.
  const ours = table === 'messages' ? sql` and purpose <> 'account'` : sql``
  const order = columns.includes('id') ? sql` order by t.id` : sql``
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(t)::text as row from (
      select ${wanted} from ${sql.table(table)} where business_id = ${db.businessId}${ours}
    ) t${order}`.execute(db)
  return csvText([
    [...columns, ...(hasGateCode ? ['gate_code'] : [])],
    ...rows.map(({ row }) => {
      const record = JSON.parse(row) as Record<string, unknown>
      const cipher = record.gate_code_cipher
      return [
        ...columns.map((name) => cell(record[name])),
        ...(hasGateCode ? [typeof cipher === 'string' ? decryptField(cipher) : null] : []),
      ]
    }),
  ])
}
