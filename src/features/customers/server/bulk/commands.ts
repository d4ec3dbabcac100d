import { type Insertable, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { DB } from '../../../../platform/db/types.generated.ts'
import type { CustomValues } from '../../custom/rules.ts'

/** Customers and properties as an import makes them, many at once, and takes them back. */

type Made = 'businessId' | 'createdAt' | 'updatedAt'

const stamped = <R extends object>(db: TenantDb, rows: readonly R[]) => {
  const now = clock.iso()
  return rows.map((row) => ({ ...row, businessId: db.businessId, createdAt: now, updatedAt: now }))
}

/** Adds customers; whether the plan has room for them is checked by the caller. */
export const insertImportedCustomersTx = async (
  db: TenantDb,
  customers: readonly Omit<Insertable<DB['customers']>, Made>[],
): Promise<void> => {
  await db.insertInto('customers').values(stamped(db, customers)).execute()
}

/** Adds properties; those that are there already stay as they are. */
export const insertImportedPropertiesTx = async (
  db: TenantDb,
  properties: readonly Omit<Insertable<DB['properties']>, Made>[],
): Promise<void> => {
  await db
    .insertInto('properties')
    .values(stamped(db, properties))
    .onConflict((c) => c.columns(['businessId', 'id']).doNothing())
    .execute()
}

/** Deletes customers of an import with whom nothing was begun, so many at a time. Returns who is gone. */
export const deleteImportedCustomersTx = async (db: TenantDb, importId: string, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      select c.id from customers c where c.business_id = ${db.businessId} and c.import_id = ${importId}
        and not exists (select 1 from jobs j where j.business_id = c.business_id and j.customer_id = c.id)
        and not exists (select 1 from visits v where v.business_id = c.business_id and v.customer_id = c.id)
        and not exists (select 1 from invoices i where i.business_id = c.business_id and i.customer_id = c.id)
        and not exists (select 1 from payments m where m.business_id = c.business_id and m.customer_id = c.id)
        and not exists (select 1 from ledger_entries l where l.business_id = c.business_id and l.customer_id = c.id)
      order by c.id limit ${limit} for update
    )
    delete from customers c using gone where c.business_id = ${db.businessId} and c.id = gone.id returning c.id`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Adds contacts to customers that an import made. */
export const insertImportedContactsTx = async (
  db: TenantDb,
  contacts: readonly Omit<Insertable<DB['customerContacts']>, Made>[],
): Promise<void> => {
  if (contacts.length > 0) await db.insertInto('customerContacts').values(stamped(db, contacts)).execute()
}

/** Adds areas to properties that an import made. */
export const insertImportedAreasTx = async (
  db: TenantDb,
  areas: readonly Omit<Insertable<DB['propertyAreas']>, Made>[],
): Promise<void> => {
  if (areas.length > 0) await db.insertInto('propertyAreas').values(stamped(db, areas)).execute()
}

/** Deletes properties that an import added to customers who were there before, where nothing was begun on them. */
export const deleteImportedPropertiesTx = async (db: TenantDb, importId: string): Promise<void> => {
  await sql`
    delete from properties p where p.business_id = ${db.businessId} and p.import_id = ${importId}
      and exists (select 1 from customers c where c.business_id = p.business_id and c.id = p.customer_id and c.import_id is distinct from ${importId}::uuid)
      and not exists (select 1 from jobs j where j.business_id = p.business_id and j.property_id = p.id)
      and not exists (select 1 from visits v where v.business_id = p.business_id and v.property_id = p.id)
      and not exists (select 1 from invoice_lines l where l.business_id = p.business_id and l.property_id = p.id)`.execute(
    db,
  )
}

/** Archives what an import made and an undo cannot delete, where only a voided opening balance is left of it. */
export const archiveImportedCustomersTx = async (db: TenantDb, importId: string): Promise<void> => {
  await sql`
    update customers c set archived_at = ${clock.iso()}::timestamptz, version = version + 1, updated_at = ${clock.iso()}::timestamptz
    where c.business_id = ${db.businessId} and c.import_id = ${importId} and c.archived_at is null
      and not exists (select 1 from jobs j where j.business_id = c.business_id and j.customer_id = c.id)
      and not exists (select 1 from visits v where v.business_id = c.business_id and v.customer_id = c.id)
      and not exists (select 1 from payments m where m.business_id = c.business_id and m.customer_id = c.id)
      and not exists (select 1 from invoices i where i.business_id = c.business_id and i.customer_id = c.id
        and (i.status <> 'void' or i.import_id is distinct from ${importId}::uuid))`.execute(db)
}

/** Takes customers out of the archive, as far as the caller found room. */
export const restoreImportedCustomersTx = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await sql`
    update customers set archived_at = null, version = version + 1, updated_at = ${clock.iso()}::timestamptz
    where business_id = ${db.businessId} and id = any(${[...ids]}::uuid[]) and archived_at is not null`.execute(db)
}

/** Puts back into the archive whom an import took out of it, where nothing goes on for them. */
export const archiveRestoredCustomersTx = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await sql`
    update customers c set archived_at = ${clock.iso()}::timestamptz, version = version + 1, updated_at = ${clock.iso()}::timestamptz
    where c.business_id = ${db.businessId} and c.id = any(${[...ids]}::uuid[]) and c.archived_at is null
      and not exists (select 1 from jobs j where j.business_id = c.business_id and j.customer_id = c.id
        and j.status in ('draft', 'active', 'paused') and j.archived_at is null)
      and not exists (select 1 from invoices i where i.business_id = c.business_id and i.customer_id = c.id
        and i.status in ('issued', 'partially_paid'))`.execute(db)
}

const customerFields = [
  'company',
  'email',
  'phone',
  'billingStreet',
  'billingCity',
  'billingState',
  'billingZip',
  'notes',
] as const
const propertyFields = [
  'lawnSquareFeet',
  'mowHeightInches',
  'gateCodeCipher',
  'dog',
  'parking',
  'noGo',
  'notes',
  'latitude',
  'longitude',
] as const
export type Filling = {
  customerId: string
  propertyId: string | null
  customer: Partial<Record<(typeof customerFields)[number], string | null>> & { custom?: CustomValues }
  property: Partial<Record<(typeof propertyFields)[number], string | number | null>> & { custom?: CustomValues }
}
/** What was put where nothing stood, field by field. */
export type Filled = { customer: Record<string, unknown>; property: Record<string, unknown> }

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''
const missing = (
  fields: readonly string[],
  row: Record<string, unknown> | undefined,
  offered: Record<string, unknown>,
) =>
  Object.fromEntries(
    fields.flatMap((field) =>
      row && isEmpty(row[field]) && !isEmpty(offered[field]) ? [[field, offered[field]]] : [],
    ),
  )

/** Fills what is empty on a customer and a property; what stands there stays. Returns what was filled. */
export const fillEmptyTx = async (db: TenantDb, one: Filling): Promise<Filled> => {
  const change = async (table: 'customers' | 'properties', id: string, fields: readonly string[], offered: object) => {
    const row = (await db
      .selectFrom(table)
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) as Record<string, unknown> | undefined
    const empty = missing(fields, row, offered as Record<string, unknown>)
    const had = (row?.custom ?? {}) as CustomValues
    const added = Object.entries((offered as { custom?: CustomValues }).custom ?? {}).filter(
      ([id]) => row !== undefined && had[id] === undefined,
    )
    const filled = { ...empty, ...(added.length > 0 ? { custom: Object.fromEntries(added) } : {}) }
    if (Object.keys(filled).length > 0)
      await db
        .updateTable(table)
        .set((eb) => ({
          ...empty,
          ...(added.length > 0 ? { custom: JSON.stringify({ ...had, ...filled.custom }) } : {}),
          version: eb('version', '+', 1),
          updatedAt: clock.iso(),
        }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', id)
        .execute()
    return filled
  }
  return {
    customer: await change('customers', one.customerId, customerFields, one.customer),
    property: one.propertyId === null ? {} : await change('properties', one.propertyId, propertyFields, one.property),
  }
}

const textFields = new Set(['notes', 'dog', 'parking', 'noGo'])

/** Empties again what an import filled, where it still stands as it was filled. */
export const emptyAgainTx = async (
  db: TenantDb,
  one: { customerId: string; propertyId: string | null; filled: Filled },
): Promise<void> => {
  for (const [table, id, filled] of [
    ['customers', one.customerId, one.filled.customer],
    ['properties', one.propertyId, one.filled.property],
  ] as const) {
    if (id === null || Object.keys(filled).length === 0) continue
    const row = (await db
      .selectFrom(table)
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) as Record<string, unknown> | undefined
    const back = Object.entries(filled).filter(([field, value]) => field !== 'custom' && row?.[field] === value)
    const had = (row?.custom ?? {}) as CustomValues
    const brought = Object.entries((filled.custom ?? {}) as CustomValues).filter(([key, value]) => had[key] === value)
    if (back.length === 0 && brought.length === 0) continue
    const custom = Object.fromEntries(Object.entries(had).filter(([key]) => !brought.some(([one]) => one === key)))
    await db
      .updateTable(table)
      .set((eb) => ({
        ...Object.fromEntries(back.map(([field]) => [field, textFields.has(field) ? '' : null])),
        ...(brought.length > 0 ? { custom: JSON.stringify(custom) } : {}),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
  }
}
