import { sql } from 'kysely'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import {
  archiveImportedCustomersTx,
  archiveRestoredCustomersTx,
  deleteImportedCustomersTx,
  deleteImportedPropertiesTx,
  emptyAgainTx,
  type Filled,
} from '../../customers/server/bulk/commands.ts'
import { voidOpeningBalancesTx } from '../../invoices/opening/server/commands.ts'
import { deleteImportedJobsTx } from '../../jobs/imported/server/commands.ts'
import { deleteUnusedServicesTx } from '../../services/server/commands.ts'
import { chunkRows, lockImport, markRows } from './rows.ts'

/** Taking back what an import made. */

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]

/** What hangs on each customer of an import that an undo cannot undo, in words. */
const whyKept = async (
  db: TenantDb,
  importId: string,
): Promise<Map<string, { message: string /** Nothing but what the import itself made. */; isOwn: boolean }>> => {
  const { rows } = await sql<{
    id: string
    archived: boolean
    jobs: number
    invoices: number
    voided: number
    payments: number
  }>`
    select c.id, c.archived_at is not null as archived,
      (select count(*) from invoices i where i.business_id = c.business_id and i.customer_id = c.id and i.status = 'void' and i.opening_from is not null)::int as voided, (select count(*) from jobs j where j.business_id = c.business_id and j.customer_id = c.id)::int as jobs,
      (select count(*) from invoices i where i.business_id = c.business_id and i.customer_id = c.id)::int as invoices,
      (select count(*) from payments m where m.business_id = c.business_id and m.customer_id = c.id)::int as payments
    from customers c where c.business_id = ${db.businessId} and c.import_id = ${importId}`.execute(db)
  return new Map(
    rows.map((row) => {
      const isOwn = row.archived && row.jobs + row.payments === 0 && row.invoices === row.voided
      const message = isOwn
        ? 'Stays, archived: its opening balance was voided, and your books keep that.'
        : `Stays: ${[...counted(row.jobs, 'job'), ...counted(row.invoices, 'invoice'), ...counted(row.payments, 'payment')].join(', ') || 'in use'} since the import.`
      return [row.id, { message, isOwn }]
    }),
  )
}

/** What an import did to customers who were there before, taken back row by row. Returns how many rows. */
const undoAttached = async (db: TenantDb, importId: string): Promise<number> => {
  const { rows } = await sql<{
    line: number
    customerId: string
    filled: (Filled & { propertyId: string | null; restored?: boolean }) | null
  }>`
    select line, customer_id, filled from import_rows where business_id = ${db.businessId} and import_id = ${importId} and attached
      and status = 'written' order by line limit ${chunkRows}`.execute(db)
  for (const { customerId, filled } of rows)
    if (filled) await emptyAgainTx(db, { customerId, propertyId: filled.propertyId, filled })
  const restored = rows.flatMap(({ customerId, filled }) => (filled?.restored ? [customerId] : []))
  if (restored.length > 0) await archiveRestoredCustomersTx(db, restored)
  await markRows(
    db,
    importId,
    rows.map(({ line }) => ({ line, status: 'undone' })),
  )
  return rows.length
}

/** First the work and the money, then whom they hang on. Returns how much of it was taken back in this go. */
const undoWork = async (db: TenantDb, actor: SystemActor, importId: string): Promise<number> =>
  (await deleteImportedJobsTx(db, importId, chunkRows)) ||
  (await voidOpeningBalancesTx(db, actor, importId, 50)) ||
  (await undoAttached(db, importId))

/** One chunk in one transaction. Returns whether more is left. */
export const undoChunk = async (actor: SystemActor, importId: string): Promise<boolean> =>
  withTenant(actor, async (db) => {
    if (!(await lockImport(db, importId, 'undoing'))) return false
    if ((await undoWork(db, actor, importId)) > 0) {
      await publishChange(db, 'imports', [importId])
      return true
    }
    const removed = await deleteImportedCustomersTx(db, importId, chunkRows)
    const { rows } = await sql<{ id: string }>`
      update import_rows set status = 'undone'
      where business_id = ${db.businessId} and import_id = ${importId} and customer_id = any(${removed}::uuid[]) and status = 'written'
      returning customer_id as id`.execute(db)
    if (rows.length === 0) {
      await deleteImportedPropertiesTx(db, importId)
      const { madeServices } = await db
        .selectFrom('imports')
        .select('madeServices')
        .where('businessId', '=', db.businessId)
        .where('id', '=', importId)
        .executeTakeFirstOrThrow()
      await deleteUnusedServicesTx(db, madeServices)
      await archiveImportedCustomersTx(db, importId)
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
          reasons: [{ field: 'name', message: why.get(customerId ?? '')?.message ?? 'In use since the import.' }],
        })),
      )
      const now = clock.iso()
      await db
        .updateTable('imports')
        .set({
          status: 'undone',
          remainingCount: new Set(kept.map((row) => row.customerId).filter((id) => why.get(id ?? '')?.isOwn !== true))
            .size,
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
