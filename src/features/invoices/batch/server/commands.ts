import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { todayOf } from '../../../../platform/calendar.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { type Billed, putOnInvoicesTx, type Settlement, settleVisitTx } from '../../../visits/server/commands.ts'
import { billToOf, type Grouping } from '../../rules.ts'
import { insertInvoiceTx, issueInvoiceTx, type NewInvoice, sendInvoiceTask } from '../../server/commands.ts'
import type { FinishedVisit } from '../../server/queries.ts'
import type { PlannedInvoice } from '../rules.ts'
import { planFinishedVisits } from './queries.ts'

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

/**
 * Invoices the finished visits of a period and, when asked, issues and mails them. All in one transaction; a line of a visit is unique on invoices,
 * so nothing is billed twice whoever else tries.
 */
export const createInvoiceBatch = async (actor: Actor, input: BatchRequest) =>
  withTenant(actor, async (db) => {
    await lockBatch(db)
    const today = await todayOf(db)
    const to = input.to ?? today
    if (input.from && input.from > to)
      throw new AppError('validation_failed', 'Validation error', {
        errors: [{ path: 'from', message: 'The first day is after the last' }],
      })
    const plan = await planFinishedVisits(db, {
      ...(input.from ? { from: input.from } : {}),
      to,
      grouping: input.grouping ?? null,
      except: input.exceptVisitIds,
    })
    if (plan.invoices.length === 0)
      throw conflict('There is nothing to invoice here any more. Reload to see what is open.')
    const totalCents = plan.invoices.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0)
    if (
      input.expected &&
      (input.expected.invoiceCount !== plan.invoices.length || input.expected.totalCents !== totalCents)
    )
      throw conflict(
        `The work changed since you looked: it is now ${plan.invoices.length} ${plan.invoices.length === 1 ? 'invoice' : 'invoices'} over ${formatCents(totalCents)}. Nothing was made. Look it over and press again.`,
      )
    const business = await db
      .selectFrom('businesses')
      .select(['termsDays', 'invoiceMessage'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const batchId = newId()
    const first = await nextNumber(db, 'invoice', plan.invoices.length)
    let mailedCount = 0
    const billed: Billed[] = []
    for (const [i, planned] of plan.invoices.entries()) {
      const visit = planned.visits[0]!
      const id = await insertInvoiceTx(db, actor, {
        number: first + i,
        customerId: visit.customerId,
        batchId,
        termsDays: visit.termsDays ?? business.termsDays,
        message: business.invoiceMessage,
        billTo: billToOfVisit(visit),
        totals: planned.totals,
        lines: linesOf(planned),
      })
      billed.push(...planned.visits.map((v) => ({ visitId: v.id, invoiceId: id })))
      if (!input.send) continue
      await issueInvoiceTx(db, id)
      if (visit.customerEmail) {
        mailedCount += 1
        await enqueue(db, sendInvoiceTask, { invoiceId: id, reason: 'sent' }, { key: `${id}:sent` })
      }
    }
    await putOnInvoicesTx(db, billed)
    await audit(
      db,
      actor,
      'invoice.batch',
      { type: 'invoiceBatch', id: batchId },
      { after: { invoices: plan.invoices.length, send: input.send } },
    )
    await publishChange(db, 'invoices')
    return {
      batchId,
      invoiceCount: plan.invoices.length,
      visitCount: plan.invoices.reduce((sum, invoice) => sum + invoice.visits.length, 0),
      totalCents,
      mailedCount,
      unmailedCount: input.send ? plan.invoices.length - mailedCount : 0,
    }
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
