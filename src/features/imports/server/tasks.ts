import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { encryptField } from '../../../platform/keys.ts'
import { task } from '../../../platform/tasks/task.ts'
import { roomFor } from '../../customers/rules.ts'
import {
  deleteImportedCustomersTx,
  insertImportedCustomersTx,
  insertImportedPropertiesTx,
} from '../../customers/server/bulk/commands.ts'
import { lockCustomerLimitTx } from '../../customers/server/commands.ts'
import { findDuplicatesTx } from '../../customers/server/queries.ts'
import type { ImportRecord } from '../contract.ts'
import { duplicateReason, type ImportValues, readRow } from '../rows/rules.ts'
import type { Mapping } from '../rules.ts'
import { listRowsAfter, type StoredRow } from './queries.ts'

const chunkRows = 500

type ImportPlan = { importId: string; mapping: Mapping; withDuplicates: boolean }
type Row = { stored: StoredRow & { customerId: string; propertyId: string }; values: ImportValues }

const lockImport = async (db: TenantDb, importId: string, status: ImportRecord['status']) => {
  const row = await db
    .selectFrom('imports')
    .select(['mapping', 'withDuplicates'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', importId)
    .where('status', '=', status)
    .forUpdate()
    .executeTakeFirst()
  return row ? { importId, mapping: row.mapping as Mapping, withDuplicates: row.withDuplicates } : null
}

/** Sets status, reasons and ids of many rows in one statement. */
export const markRows = async (
  db: TenantDb,
  importId: string,
  rows: readonly {
    line: number
    status: string
    reasons?: unknown
    customerId?: string | null
    propertyId?: string | null
  }[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    update import_rows r set status = x.status, reasons = coalesce(x.reasons, r.reasons),
      customer_id = case when x.has_ids then x.customer_id else r.customer_id end,
      property_id = case when x.has_ids then x.property_id else r.property_id end
    from jsonb_to_recordset(${JSON.stringify(
      rows.map((r) => ({
        line: r.line,
        status: r.status,
        reasons: r.reasons ?? null,
        has_ids: r.customerId !== undefined,
        customer_id: r.customerId ?? null,
        property_id: r.propertyId ?? null,
      })),
    )}::jsonb) as x(line int, status text, reasons jsonb, has_ids boolean, customer_id uuid, property_id uuid)
    where r.business_id = ${db.businessId} and r.import_id = ${importId} and r.line = x.line`.execute(db)
}

/** Who came in since the check: rows that became duplicates meanwhile are taken out, so that two imports of one file make no doubles. */
const takeOutDuplicates = async (db: TenantDb, plan: ImportPlan, rows: Row[]): Promise<Row[]> => {
  if (plan.withDuplicates) return rows
  const found = await findDuplicatesTx(
    db,
    rows.map((r) => r.values),
    { exceptImportId: plan.importId },
  )
  const late = rows.flatMap((row, at) => {
    const duplicate = found.get(at)?.[0]
    return duplicate
      ? [{ line: row.stored.line, status: 'duplicate', reasons: [duplicateReason(duplicate)], customerId: null }]
      : []
  })
  if (late.length > 0) {
    await markRows(db, plan.importId, late)
    await db
      .updateTable('imports')
      .set((eb) => ({
        okCount: eb('okCount', '-', late.length),
        duplicateCount: eb('duplicateCount', '+', late.length),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', plan.importId)
      .execute()
  }
  return rows.filter((_, at) => !found.has(at))
}

const writeCustomers = async (db: TenantDb, plan: ImportPlan, rows: Row[]): Promise<void> => {
  const first = new Map<string, ImportValues>()
  for (const { stored, values } of rows) if (!first.has(stored.customerId)) first.set(stored.customerId, values)
  const there = await db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...first.keys()])
    .execute()
  for (const { id } of there) first.delete(id)
  if (first.size === 0) return
  const { active, limit } = await lockCustomerLimitTx(db)
  const room = roomFor(first.size, active, limit)
  const now = clock.iso()
  await insertImportedCustomersTx(
    db,
    [...first].map(([id, v], index) => ({
      id,
      type: v.type,
      name: v.name,
      company: v.company,
      email: v.email,
      phone: v.phone,
      billingStreet: v.billingStreet,
      billingCity: v.billingCity,
      billingState: v.billingState,
      billingZip: v.billingZip,
      stage: v.stage,
      source: 'import',
      tags: v.tags,
      notes: v.notes,
      importId: plan.importId,
      archivedAt: index < room ? null : now,
    })),
  )
}

const writeProperties = async (db: TenantDb, plan: ImportPlan, rows: Row[]): Promise<void> => {
  const now = clock.iso()
  await insertImportedPropertiesTx(
    db,
    rows.map(({ stored, values: v }) => ({
      id: stored.propertyId,
      customerId: stored.customerId,
      street: v.street,
      unit: v.unit,
      city: v.city,
      state: v.state,
      zip: v.zip,
      latitude: v.latitude,
      longitude: v.longitude,
      geocodeQuality: v.latitude === null ? 'none' : 'exact',
      geocodeWantedAt: v.latitude === null ? now : null,
      lawnSquareFeet: v.lawnSquareFeet,
      mowHeightInches: v.mowHeightInches,
      gateCodeCipher: v.gateCode === null ? null : encryptField(v.gateCode),
      dog: v.dog,
      parking: v.parking,
      noGo: v.noGo,
      notes: v.propertyNotes,
      importId: plan.importId,
    })),
  )
}

const finish = async (db: TenantDb, importId: string): Promise<void> => {
  const made = await db
    .selectFrom('customers')
    .select((eb) => [eb.fn.countAll<number>().as('customers'), eb.fn.count<number>('archivedAt').as('archived')])
    .where('businessId', '=', db.businessId)
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow()
  const now = clock.iso()
  await db
    .updateTable('imports')
    .set({
      status: 'done',
      customerCount: made.customers,
      archivedCount: made.archived,
      error: null,
      finishedAt: now,
      updatedAt: now,
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', importId)
    .execute()
  await emit(db, 'import.finished', { importId })
  await publishChange(db, 'customers')
}

/** One chunk in one transaction. The ids stand on the rows already, so a chunk that was cut off is simply done again. Returns whether more is left. */
const writeChunk = async (actor: SystemActor, importId: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    const plan = await lockImport(db, importId, 'running')
    if (!plan) return false
    const stored = await listRowsAfter(db, importId, 0, chunkRows, 'ok')
    if (stored.length === 0) await finish(db, importId)
    else {
      const read = stored.map((row) => ({ stored: row, values: readRow(row.data, plan.mapping).values }) as Row)
      const rows = await takeOutDuplicates(db, plan, read)
      if (rows.length > 0) {
        await writeCustomers(db, plan, rows)
        await writeProperties(db, plan, rows)
        await markRows(
          db,
          importId,
          rows.map((row) => ({ line: row.stored.line, status: 'written' })),
        )
      }
      await db
        .updateTable('imports')
        .set((eb) => ({ doneCount: eb('doneCount', '+', rows.length), error: null, updatedAt: clock.iso() }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', importId)
        .execute()
    }
    await publishChange(db, 'imports', [importId])
    return stored.length > 0
  })

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]

/** What hangs on each customer of an import that an undo cannot undo, in words. */
const whyKept = async (db: TenantDb, importId: string): Promise<Map<string, string>> => {
  const { rows } = await sql<{ id: string; jobs: number; invoices: number; payments: number }>`
    select c.id, (select count(*) from jobs j where j.business_id = c.business_id and j.customer_id = c.id)::int as jobs,
      (select count(*) from invoices i where i.business_id = c.business_id and i.customer_id = c.id)::int as invoices,
      (select count(*) from payments m where m.business_id = c.business_id and m.customer_id = c.id)::int as payments
    from customers c where c.business_id = ${db.businessId} and c.import_id = ${importId}`.execute(db)
  return new Map(
    rows.map((row) => [
      row.id,
      `Stays: ${[...counted(row.jobs, 'job'), ...counted(row.invoices, 'invoice'), ...counted(row.payments, 'payment')].join(', ') || 'in use'} since the import.`,
    ]),
  )
}

const undoChunk = async (actor: SystemActor, importId: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    if (!(await lockImport(db, importId, 'undoing'))) return false
    const removed = await deleteImportedCustomersTx(db, importId, chunkRows)
    const { rows } = await sql<{ id: string }>`
      update import_rows set status = 'undone'
      where business_id = ${db.businessId} and import_id = ${importId} and customer_id = any(${removed}::uuid[]) and status = 'written'
      returning customer_id as id`.execute(db)
    if (rows.length === 0) {
      const kept = await db
        .selectFrom('importRows')
        .select(['line', 'customerId'])
        .where('businessId', '=', db.businessId)
        .where('importId', '=', importId)
        .where('status', '=', 'written')
        .execute()
      const why = await whyKept(db, importId)
      await markRows(
        db,
        importId,
        kept.map(({ line, customerId }) => ({
          line,
          status: 'written',
          reasons: [{ field: 'name', message: why.get(customerId ?? '') ?? 'In use since the import.' }],
        })),
      )
      const now = clock.iso()
      await db
        .updateTable('imports')
        .set({
          status: 'undone',
          remainingCount: new Set(kept.map((row) => row.customerId)).size,
          error: null,
          finishedAt: now,
          updatedAt: now,
        })
        .where('businessId', '=', db.businessId)
        .where('id', '=', importId)
        .execute()
      await publishChange(db, 'customers')
    } else {
      const { left } = await db
        .selectFrom('importRows')
        .select((eb) => eb.fn.countAll<number>().as('left'))
        .where('businessId', '=', db.businessId)
        .where('importId', '=', importId)
        .where('status', '=', 'written')
        .executeTakeFirstOrThrow()
      await db
        .updateTable('imports')
        .set({ doneCount: left, updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', importId)
        .execute()
    }
    await publishChange(db, 'imports', [importId])
    return rows.length > 0
  })

/** Thousands of new rows change how the database should look things up; it does not notice by itself while an import runs. */
const refreshStatistics = async (db: TenantDb): Promise<void> => {
  await sql`select refresh_customer_statistics()`.execute(db)
}

const ImportTask = z.object({ importId: z.uuid() })

/** Goes on until a chunk says that nothing is left; says on the import when it has to try again later. */
const inChunks =
  (chunk: (actor: SystemActor, importId: string) => Promise<boolean>) =>
  async (actor: SystemActor, { importId }: z.output<typeof ImportTask>): Promise<void> => {
    try {
      while (await chunk(actor, importId)) await withTenant(actor, refreshStatistics)
    } catch (error) {
      await withTenant(actor, async (db) => {
        await db
          .updateTable('imports')
          .set({ error: 'This stopped half-way. What is done stays; we are trying the rest again.' })
          .where('businessId', '=', db.businessId)
          .where('id', '=', importId)
          .execute()
        await publishChange(db, 'imports', [importId])
      })
      throw error
    }
  }

export const writeImport = task({ name: 'imports.write', payload: ImportTask, run: inChunks(writeChunk) })
export const undoImportTask = task({ name: 'imports.undo', payload: ImportTask, run: inChunks(undoChunk) })
