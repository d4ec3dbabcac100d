import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { findPlan, planForCustomers, plans } from '../../billing/rules.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../customers/areas/server/queries.ts'
import { getCustomerLimit } from '../../customers/server/queries.ts'
import { scheduleText } from '../../jobs/wording/rules.ts'
import { unmeasured } from '../../services/measures/rules.ts'
import { type ImportRecord, type ImportRow, importsApi, type NewService } from '../contract.ts'
import { readRow } from '../rows/rules.ts'
import { type ImportAction, importRefusals, isOfMoney, type Mapping, withoutMoney } from '../rules.ts'
import { inOurNames, ourNames } from './services.ts'
import { lineCost, servicesByName } from './work.ts'
import { readWork } from './work-cells.ts'

const getCreatorName = async (db: TenantDb, userId: string | null): Promise<string | null> => {
  if (userId === null) return null
  const row = await db
    .selectFrom('users')
    .select('name')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.name ?? null
}

const needs: Record<ImportAction, Need> = importsApi

/** An import for nobody in particular. */
export const getImportContent = async (db: TenantDb, id: string): Promise<Omit<ImportRecord, 'can'>> => {
  const row = await db
    .selectFrom('imports')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('import')
  const { active, limit, planTier } = await getCustomerLimit(db)
  const added =
    row.madeServices.length === 0
      ? []
      : await db
          .selectFrom('services')
          .select('name')
          .where('businessId', '=', db.businessId)
          .where('id', '=', sql<string>`any(${row.madeServices}::uuid[])`)
          .orderBy('name')
          .execute()
  const next = limit === null ? null : planForCustomers(Math.max(limit + 1, active + row.customerCount))
  return {
    ...row,
    status: row.status,
    columns: row.columns as ImportRecord['columns'],
    mapping: row.mapping as ImportRecord['mapping'],
    newServices: row.services as ImportRecord['newServices'],
    addedServices: added.map(({ name }) => name),
    createdByName: await getCreatorName(db, row.createdBy),
    plan: { name: (findPlan(planTier) ?? plans[0]).name, nextName: next?.name ?? null, limit, customers: active },
  }
}

/** An import with what a person may do with it. @throws AppError not_found */
export const getImport = async (db: TenantDb, actor: Actor, id: string): Promise<ImportRecord> => {
  const content = await getImportContent(db, id)
  const seesMoney = hasPermission(actor, 'money')
  const samples = content.columns.map((column) => column.samples)
  const seen = seesMoney ? samples : withoutMoney(samples, content, [])
  return {
    ...content,
    columns: content.columns.map((column, at) => ({ ...column, samples: seen[at] ?? [] })),
    balanceCents: seesMoney ? content.balanceCents : null,
    can: canOf(actor, needs, importRefusals, content),
  }
}

export const listImports = async (db: TenantDb) => {
  const items = await db
    .selectFrom('imports')
    .leftJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'imports.businessId').onRef('users.id', '=', 'imports.createdBy'),
    )
    .where('imports.businessId', '=', db.businessId)
    .select([
      'imports.id',
      'imports.fileName',
      'imports.status',
      'imports.rowCount',
      'imports.okCount',
      'imports.doneCount',
      'imports.customerCount',
      'imports.createdAt',
      'imports.finishedAt',
      'users.name as createdByName',
    ])
    .orderBy('imports.createdAt', 'desc')
    .limit(20)
    .execute()
  return { items }
}

/** How the last finished file with the same columns and services was matched; null when there was none. */
export const findRemembered = async (
  db: TenantDb,
  headerKey: string,
): Promise<{ mapping: Mapping; services: NewService[] } | null> => {
  const row = await db
    .selectFrom('imports')
    .select(['mapping', 'services'])
    .where('businessId', '=', db.businessId)
    .where('headerKey', '=', headerKey)
    .where('status', 'in', ['running', 'done', 'undoing', 'undone'])
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { mapping: row.mapping as Mapping, services: row.services as NewService[] } : null
}

/** Whether QuickBooks is connected: it has the open invoices of before. */
export const hasConnectedBooks = async (db: TenantDb): Promise<boolean> => {
  const { rows } =
    await sql`select 1 from books_connections where business_id = ${db.businessId} and status <> 'disconnected' limit 1`.execute(
      db,
    )
  return rows.length > 0
}

export type StoredRow = {
  line: number
  data: string[]
  status: ImportRow['status']
  customerId: string | null
  propertyId: string | null
  reasons: unknown
  attached: boolean
  matchId: string | null
  brings: ('job' | 'balance')[]
  filled: unknown
}

const rowsOf = (db: TenantDb, importId: string, status?: ImportRow['status']) =>
  db
    .selectFrom('importRows')
    .select([
      'line',
      'data',
      'status',
      'customerId',
      'propertyId',
      'reasons',
      'attached',
      'matchId',
      'brings',
      'filled',
    ])
    .where('businessId', '=', db.businessId)
    .where('importId', '=', importId)
    .$if(status !== undefined, (q) => q.where('status', '=', status as ImportRow['status']))

/** Rows of an import in the order of the file, after a line, at most `limit`. */
export const listRowsAfter = async (
  db: TenantDb,
  importId: string,
  after: number,
  limit: number,
  status?: ImportRow['status'],
): Promise<StoredRow[]> =>
  (await rowsOf(db, importId, status).where('line', '>', after).orderBy('line').limit(limit).execute()) as StoredRow[]

const isWritten = (status: ImportRow['status']): boolean => status === 'written'

/** What rows book and open, as `writeJobsTx` and `writeBalancesTx` will do it. */
const readingWork = async (
  db: TenantDb,
  actor: Actor,
  mapping: Mapping,
  chosen: readonly NewService[],
  rows: readonly StoredRow[],
): Promise<(row: StoredRow, lawnSquareFeet: number | null) => Pick<ImportRow, 'job' | 'balanceCents'>> => {
  const bringing = rows.filter(({ brings }) => brings.length > 0)
  if (bringing.length === 0) return () => ({ job: null, balanceCents: null })
  const [today, services] = [await todayOf(db), await servicesByName(db)]
  const names = ourNames(chosen, services)
  const { places } = await listWorkPlaces(
    db,
    bringing.flatMap(({ propertyId }) => propertyId ?? []),
    [],
  )
  const seesMoney = hasPermission(actor, 'money')
  return (row, lawnSquareFeet) => {
    const work = readWork(row.data, mapping, today)
    const job = row.brings.includes('job') ? inOurNames(work.job, names) : null
    const place = places.get(row.propertyId ?? '') ?? { ...unmeasured, lawnSquareFeet, difficulty: 1 }
    return {
      job: job && {
        startOn: job.startOn,
        lines: job.lines.map((line) => ({
          service: line.service,
          rhythm: scheduleText(line),
          priceCents: seesMoney ? lineCost(line, services.get(line.service.toLowerCase()), place) : null,
        })),
      },
      balanceCents: seesMoney && row.brings.includes('balance') ? work.balanceCents : null,
    }
  }
}

const said = sql<boolean>`reasons <> '[]'`

const noAmount = 'Something is to be said of its price or balance. Ask somebody who may see money.'

/** What is said of a row; of prices and balances nothing more than that to people who may not see money. */
export const reasonsFor = (actor: Actor, { reasons }: Pick<StoredRow, 'reasons'>): ImportRow['reasons'] =>
  (reasons as ImportRow['reasons']).map((reason) =>
    hasPermission(actor, 'money') || !isOfMoney(reason.field) ? reason : { ...reason, message: noAmount },
  )

export const listRows = async (
  db: TenantDb,
  actor: Actor,
  importId: string,
  query: {
    status?: ImportRow['status'] | undefined
    withReason?: boolean | undefined
    cursor?: string | undefined
    limit: number
  },
): Promise<{ items: ImportRow[]; nextCursor: string | null; total: number }> => {
  const { mapping, newServices } = await getImportContent(db, importId)
  const { beyond, order, values, limit, page } = keyset([{ of: sql`line`, type: 'int' }], { ...query, order: 'asc' })
  const found = await rowsOf(db, importId, query.status)
    .select(values.as('cursorKeys'))
    .where(beyond)
    .$if(query.withReason === true, (q) => q.where(said))
    .orderBy(order)
    .limit(limit)
    .execute()
  const { items, nextCursor } = page(found)
  const { total } = await db
    .selectFrom('importRows')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('businessId', '=', db.businessId)
    .where('importId', '=', importId)
    .$if(query.status !== undefined, (q) => q.where('status', '=', query.status as ImportRow['status']))
    .$if(query.withReason === true, (q) => q.where(said))
    .executeTakeFirstOrThrow()
  const workOf = await readingWork(db, actor, mapping as Mapping, newServices, items as StoredRow[])
  const shown = (items as StoredRow[]).map((row): ImportRow => {
    const { values } = readRow(row.data, mapping as Mapping)
    const { name, street, city } = values
    return {
      line: row.line,
      status: row.status,
      name,
      street,
      city,
      reasons: reasonsFor(actor, row),
      customerId: isWritten(row.status) ? row.customerId : null,
      ...workOf(row, values.lawnSquareFeet),
    }
  })
  return { items: shown, nextCursor, total }
}

/** One spelling of each address, as the database compares them; empty where there is no street. */
export const listAddressKeys = async (
  db: TenantDb,
  addresses: readonly { street: string; unit: string; city: string; zip: string }[],
): Promise<string[]> => {
  const { rows } = await sql<{ key: string }>`
    select case when x.street = '' then '' else address_key(x.street, x.unit, x.city, x.zip) end as key
    from jsonb_to_recordset(${JSON.stringify(addresses.map((a, at) => ({ at, ...a })))}::jsonb)
      as x(at int, street text, unit text, city text, zip text) order by x.at`.execute(db)
  return rows.map((row) => row.key)
}

/** Of some properties those that exist. */
export const listKnownPlaces = async (db: TenantDb, ids: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('properties')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
      .execute()
  ).map((row) => row.id)

/** What a job has to know of its place, and which customers are archived: they get drafts. */
export const listWorkPlaces = async (db: TenantDb, propertyIds: readonly string[], customerIds: readonly string[]) => {
  const places = await db
    .selectFrom('properties')
    .select(['id', 'lawnSquareFeet', 'difficulty'])
    .select([bedSquareFeetOf('properties').as('bedSquareFeet'), edgeFeetOf('properties').as('edgeFeet')])
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${[...propertyIds]}::uuid[])`)
    .execute()
  const archived = await db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${[...customerIds]}::uuid[])`)
    .where('archivedAt', 'is not', null)
    .execute()
  return { places: new Map(places.map((place) => [place.id, place])), archived: new Set(archived.map(({ id }) => id)) }
}
