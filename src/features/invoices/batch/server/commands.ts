import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue, enqueueAll, task } from '../../../../platform/tasks/task.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { putOnInvoicesTx, type Settlement, settleVisitTx } from '../../../visits/server/commands.ts'
import { tellOfAutomaticTx } from '../../automatic/server/report.ts'
import { billToOf, type Grouping } from '../../rules.ts'
import { sendInvoiceTask } from '../../server/commands.ts'
import { insertInvoicesTx, issueInvoicesTx, type NewInvoice } from '../../server/rows/commands.ts'
import type { InvoiceBatch } from '../contract.ts'
import type { PlannedInvoice } from '../rules.ts'
import type { FinishedVisit } from './finished.ts'
import { type Confirmed, confirmedOf, getInvoiceBatch, planConfirmed, planFinishedVisits } from './queries.ts'

/** So many invoices are made while the person waits, and in each transaction after that. */
const chunkSize = 50
const staleMs = 10 * 60_000

export type BatchRequest = {
  from?: string
  to?: string
  grouping?: Grouping
  exceptVisitIds: readonly string[]
  send: boolean
  expected?: { invoiceCount: number; totalCents: number }
}

/** One batch of a business at a time: two people who press the button do not race for the same visits. */
const lockBatch = async (db: TenantDb): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`invoice-batch:${db.businessId}`}, 0))`.execute(db)
}

/** Who is billed for a visit: the billing address, else its place. */
export const billToOfVisit = (visit: FinishedVisit) =>
  billToOf(
    { ...visit, name: visit.customerName },
    { street: visit.place, city: visit.placeCity, state: visit.placeState, zip: visit.placeZip },
  )

/** The lines of a planned invoice, each tied to the line of its visit. */
export const linesOf = (planned: PlannedInvoice<FinishedVisit>): NewInvoice['lines'] =>
  planned.lines.map((line) => ({
    visitId: line.visit.id,
    visitLineId: line.id,
    propertyId: line.visit.propertyId,
    serviceId: line.serviceId,
    serviceOn: line.visit.day,
    description: line.description || line.name,
    quantity: line.quantity,
    unitPriceCents: line.unitPriceCents,
    taxCategory: line.taxCategory,
  }))

/** Makes the next invoices of a batch. `done` is how many of the confirmed ones were looked at. Returns whether more are left. */
const continueBatchTx = async (db: TenantDb, batchId: string): Promise<boolean> => {
  await lockBatch(db)
  const { rows } = await sql<{
    send: boolean
    total: number
    done: number
    createdBy: string | null
    chunk: Confirmed[]
  }>`
    select send, total, done, created_by, jsonb_path_query_array(planned, '$[$from to $to]',
      jsonb_build_object('from', done, 'to', done + ${chunkSize}::int - 1)) as chunk
    from invoice_batches where business_id = ${db.businessId} and id = ${batchId} and status = 'running' for update`.execute(
    db,
  )
  const batch = rows[0]
  if (!batch) return false
  const planned = await planConfirmed(db, batch.chunk)
  const mailed = await makeInvoicesTx(db, batchId, batch, planned)
  const done = batch.done + batch.chunk.length
  const cents = planned.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0)
  const visits = planned.reduce((sum, invoice) => sum + invoice.visits.length, 0)
  await db
    .updateTable('invoiceBatches')
    .set((eb) => ({
      done,
      status: done < batch.total ? 'running' : 'done',
      invoiceCount: eb('invoiceCount', '+', planned.length),
      visitCount: eb('visitCount', '+', visits),
      totalCents: eb('totalCents', '+', cents),
      mailedCount: eb('mailedCount', '+', mailed),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', batchId)
    .execute()
  await publishChange(db, 'invoices')
  if (done >= batch.total) await tellOfAutomaticTx(db, { batchId })
  return done < batch.total
}

/** Returns how many of them are sent. */
const makeInvoicesTx = async (
  db: TenantDb,
  batchId: string,
  batch: { send: boolean; createdBy: string | null },
  planned: readonly PlannedInvoice<FinishedVisit>[],
): Promise<number> => {
  if (planned.length === 0) return 0
  const business = await db
    .selectFrom('businesses')
    .select(['termsDays', 'invoiceMessage'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const first = await nextNumber(db, 'invoice', planned.length)
  const ids = await insertInvoicesTx(
    db,
    batch.createdBy,
    planned.map((invoice, i) => {
      const visit = invoice.visits[0]!
      return {
        number: first + i,
        customerId: visit.customerId,
        batchId,
        termsDays: visit.termsDays ?? business.termsDays,
        message: business.invoiceMessage,
        billTo: billToOfVisit(visit),
        totals: invoice.totals,
        lines: linesOf(invoice),
      }
    }),
  )
  await putOnInvoicesTx(
    db,
    planned.flatMap(({ visits }, i) => visits.map((visit) => ({ visitId: visit.id, invoiceId: ids[i] ?? '' }))),
  )
  if (!batch.send) return 0
  await issueInvoicesTx(db, ids)
  const mailed = ids.filter((_, i) => planned[i]?.visits[0]?.isReached)
  await enqueueAll(
    db,
    sendInvoiceTask,
    mailed.map((invoiceId) => ({ payload: { invoiceId, reason: 'sent' }, key: `${invoiceId}:sent` })),
  )
  return mailed.length
}

const failBatchTx = async (db: TenantDb, batchId: string, error: string): Promise<void> => {
  await db
    .updateTable('invoiceBatches')
    .set({ status: 'failed', error, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', batchId)
    .where('status', '=', 'running')
    .execute()
  await notifyOffice(db, {
    type: 'invoice',
    title: 'A batch of invoices stopped part of the way',
    content: `${error} What was made stays; the rest waits under "Invoice finished visits".`,
    path: linkTo.invoices({ batch: batchId }),
    dedupeKey: `invoice-batch-failed:${batchId}`,
  })
  await publishChange(db, 'invoices')
}

export const continueInvoiceBatch = task({
  name: 'invoices.batch',
  payload: z.object({ batchId: z.uuid() }),
  queue: (_payload, businessId) => `invoices.batch:${businessId}`,
  run: async (actor, { batchId }) => {
    try {
      while (await withTenant(actor, (db) => continueBatchTx(db, batchId)));
    } catch (error) {
      // A refusal would be the same every time: it is shown. Anything else is tried again.
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await withTenant(actor, (db) => failBatchTx(db, batchId, error.message))
    }
  },
  gaveUp: (actor, { batchId }) =>
    withTenant(actor, (db) =>
      failBatchTx(db, batchId, 'It failed here again and again, and nothing of the rest was made.'),
    ),
})

/** Another batch of the business is being made: who looks again later finds it done. */
export class BatchIsMade extends AppError {}

/** A batch that goes on is waited for. One that has not moved for long was given up by its task and is ended, so that it blocks nobody. */
const endStaleBatchTx = async (db: TenantDb): Promise<void> => {
  const running = await db
    .selectFrom('invoiceBatches')
    .select(['id', 'done', 'total', 'updatedAt'])
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (!running) return
  if (clock.nowMs() - Date.parse(running.updatedAt) < staleMs)
    throw new BatchIsMade(
      'state_conflict',
      `Invoices are being made right now: ${running.done} of ${running.total}. Nothing was made by this click. Look again when they are done.`,
    )
  await failBatchTx(db, running.id, 'It did not move for ten minutes.')
}

/** Nobody else begins a batch until the commit. @throws conflict while one is being made */
export const beginBatchTx = async (db: TenantDb): Promise<void> => {
  await lockBatch(db)
  await endStaleBatchTx(db)
}

/** Writes down what a batch will make; `goOnTx` makes it. @returns its id */
export const addBatchTx = async (
  db: TenantDb,
  who: Who,
  invoices: readonly PlannedInvoice<FinishedVisit>[],
  send: boolean,
): Promise<string> => {
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('invoiceBatches')
    .values({
      businessId: db.businessId,
      id,
      status: 'running',
      send,
      planned: JSON.stringify(invoices.map(confirmedOf)),
      total: invoices.length,
      createdBy: userIdOf(who),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await audit(db, who, 'invoice.batch', { type: 'invoiceBatch', id }, { after: { invoices: invoices.length, send } })
  return id
}

/** Makes the first invoices of a batch at once, the others in the background. */
export const goOnTx = async (db: TenantDb, batchId: string): Promise<void> => {
  if (await continueBatchTx(db, batchId)) await enqueue(db, continueInvoiceBatch, { batchId }, { key: batchId })
}

/**
 * Invoices the finished visits of a period and, when asked, issues and mails them. What was confirmed is kept; the first chunk is made at once,
 * the others in the background, a transaction each. A line of a visit is unique on invoices, so nothing is billed twice whoever else tries.
 */
export const createInvoiceBatch = async (actor: Actor, input: BatchRequest): Promise<InvoiceBatch> =>
  withTenant(actor, async (db) => {
    await beginBatchTx(db)
    const today = await todayOf(db)
    const to = input.to ?? today
    if (input.from && input.from > to)
      throw new AppError('validation_failed', 'Validation error', {
        errors: [{ path: 'from', message: 'The first day is after the last' }],
      })
    const { invoices } = await planFinishedVisits(db, {
      ...(input.from ? { from: input.from } : {}),
      to,
      grouping: input.grouping ?? null,
      except: input.exceptVisitIds,
    })
    if (invoices.length === 0) throw conflict('There is nothing to invoice here any more. Reload to see what is open.')
    const totalCents = invoices.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0)
    if (input.expected && (input.expected.invoiceCount !== invoices.length || input.expected.totalCents !== totalCents))
      throw conflict(
        `The work changed since you looked: it is now ${invoices.length} ${invoices.length === 1 ? 'invoice' : 'invoices'} over ${formatCents(totalCents)}. Nothing was made. Look it over and press again.`,
      )
    const id = await addBatchTx(db, actor, invoices, input.send)
    await goOnTx(db, id)
    return getInvoiceBatch(db, id)
  })

/** Settles why a finished visit cannot be billed: its price, spread over its lines, or that nobody is to be billed for it. */
export const settleVisit = async (
  actor: Actor,
  visitId: string,
  input: Settlement,
): Promise<{ visitId: string; priceCents: number; billable: boolean }> =>
  withTenant(actor, async (db) => {
    await lockBatch(db)
    const settled = await settleVisitTx(db, visitId, input)
    await audit(db, actor, 'visit.settle', { type: 'visit', id: visitId }, { after: input })
    await publishChange(db, 'invoices')
    return { visitId, ...settled }
  })
