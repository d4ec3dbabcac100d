import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, type TenantScope, withTenant } from '../../../platform/db/tenant.ts'
import { decryptField } from '../../../platform/keys.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { csvText } from '../../../shared/csv.ts'
import { quoteName } from '../../quotes/rules.ts'
import type { WholeExport } from '../contract.ts'
import { isKeptBack, leftOut } from '../rules.ts'

const pageRows = 1000

export type ExportTable = { name: string; columns: string[]; key: string[] }

/** The tables that belong to a business with the columns that a person may read, in their order, and by what their pages go. */
export const listExportTables = async (db: TenantDb): Promise<ExportTable[]> => {
  const { rows } = await sql<{ name: string; columns: string[]; key: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array(select k.attname::text from pg_index i join unnest(i.indkey::int2[]) with ordinality u(attnum, at) on true
        join pg_attribute k on k.attrelid = c.oid and k.attnum = u.attnum
        where i.indrelid = c.oid and i.indisprimary and k.attname <> 'business_id' order by u.at) as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and exists (select 1 from pg_attribute b where b.attrelid = c.oid and b.attname = 'business_id' and not b.attisdropped)
      and has_table_privilege(c.oid, 'select')
    group by c.oid, c.relname order by c.relname`.execute(db)
  return rows
    .filter(({ name }) => !Object.hasOwn(leftOut, name))
    .map(({ name, columns, key }) => ({
      name,
      key,
      columns: columns.filter((column) => column !== 'business_id' && !isKeptBack(name, column)),
    }))
}

const cell = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' && !String(item).includes(';')))
    return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const readPage = async (db: TenantDb, { name, columns, key }: ExportTable, after: string | null) => {
  const hasGateCode = name === 'properties'
  const wanted = sql.join(
    [...new Set([...columns, ...key, ...(hasGateCode ? ['gate_code_cipher'] : [])])].map((column) => sql.id(column)),
    sql`, `,
  )
  const keys = sql.join(
    key.map((column) => sql.id(column)),
    sql`, `,
  )
  // Mail of accounts holds links that open them; the archives of exports do not go into the next one.
  const ours =
    name === 'messages' ? sql` and purpose <> 'account'` : name === 'files' ? sql` and kind <> 'export'` : sql``
  const beyond =
    after === null || key.length === 0
      ? sql``
      : sql` and (${keys}) > (select ${keys} from jsonb_populate_record(null::${sql.table(name)}, ${after}::jsonb))`
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(t)::text as row from (
      select ${wanted} from ${sql.table(name)} where business_id = ${db.businessId}${ours}${beyond}
      ${key.length > 0 ? sql`order by ${keys} limit ${pageRows}` : sql``}) t`.execute(db)
  return rows.map(({ row }) => row)
}

/** One table of the business as pieces of a CSV. Gate codes stand in it readable: they are the business's own. */
export async function* exportTable(scope: TenantScope, table: ExportTable): AsyncGenerator<string> {
  const hasGateCode = table.name === 'properties'
  yield csvText([[...table.columns, ...(hasGateCode ? ['gate_code'] : [])]])
  for (let after: string | null = null; ; ) {
    const rows = await withTenant(scope, (db) => readPage(db, table, after))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
    yield csvText(
      rows.map((row) => {
        const record = JSON.parse(row) as Record<string, unknown>
        const cipher = record.gate_code_cipher
        return [
          ...table.columns.map((name) => cell(record[name])),
          ...(hasGateCode ? [typeof cipher === 'string' ? decryptField(cipher) : null] : []),
        ]
      }),
    ).replace(/^\uFEFF/, '')
    if (rows.length < pageRows || table.key.length === 0) return
  }
}

/** Files of the business after one of them, in the order of their ids. */
export const listFilesAfter = (db: TenantDb, after: string | null, limit: number) =>
  db
    .selectFrom('files')
    .select(['id', 'kind', 'name', 'mime', 'storageKey'])
    .where('businessId', '=', db.businessId)
    .where('kind', '<>', 'export')
    .$if(after !== null, (q) => q.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Papers of signed quotes after one of them, in the order of their signatures: they lie beside their evidence, not among the files. */
export const listSignedAfter = async (db: TenantDb, after: string | null, limit: number) => {
  const rows = await db
    .selectFrom('quoteSignatures as s')
    .innerJoin('quotes as q', (join) => join.onRef('q.businessId', '=', 's.businessId').onRef('q.id', '=', 's.quoteId'))
    .select(['s.id', 'q.number', 's.storageKey'])
    .where('s.businessId', '=', db.businessId)
    .$if(after !== null, (q) => q.where('s.id', '>', after ?? ''))
    .orderBy('s.id')
    .limit(limit)
    .execute()
  return rows.map(({ number, ...row }) => ({
    ...row,
    kind: 'signed-quote',
    name: `${quoteName(number)}.pdf`,
    mime: 'application/pdf',
  }))
}

/** All files and papers that go into an export. */
export const countFiles = async (db: TenantDb): Promise<number> => {
  const files = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('kind', '<>', 'export')
    .executeTakeFirstOrThrow()
  const signed = await db
    .selectFrom('quoteSignatures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return Number(files.count) + Number(signed.count)
}

const exportsOf = (db: TenantDb) =>
  db
    .selectFrom('businessExports as e')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'e.businessId').onRef('u.id', '=', 'e.createdBy'))
    .where('e.businessId', '=', db.businessId)
    .select([
      'e.id',
      'e.status',
      'e.withFiles',
      'e.stepsDone',
      'e.stepsTotal',
      'e.missingFiles',
      'e.createdAt',
      'e.expiresAt',
      'e.fileIds',
      'u.name as createdByName',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof exportsOf>['execute']>>[number]

const asRecord = async (db: TenantDb, { fileIds, ...row }: Row): Promise<WholeExport> => {
  const over = row.expiresAt <= clock.iso()
  const files =
    row.status === 'done' && !over && fileIds.length > 0
      ? await db
          .selectFrom('files')
          .select(['id', 'name', 'byteCount'])
          .where('businessId', '=', db.businessId)
          .where('id', 'in', fileIds)
          .orderBy('id')
          .execute()
      : []
  const seconds = Math.max(0, (Date.parse(row.expiresAt) - clock.nowMs()) / 1000 - 3600)
  return {
    ...row,
    status: over && row.status === 'done' ? 'expired' : row.status,
    archives: files.map(({ id, name, byteCount }) => ({
      name,
      byteCount,
      path: signedFilePath(db.businessId, id, seconds),
    })),
  }
}

export const listExports = async (db: TenantDb): Promise<{ items: WholeExport[] }> => {
  const rows = await exportsOf(db).orderBy('e.createdAt', 'desc').limit(5).execute()
  const items: WholeExport[] = []
  for (const row of rows) items.push(await asRecord(db, row))
  return { items }
}

export const getExport = async (db: TenantDb, id: string): Promise<WholeExport> =>
  asRecord(db, await exportsOf(db).where('e.id', '=', id).executeTakeFirstOrThrow())
