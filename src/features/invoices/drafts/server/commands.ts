import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { listProperties } from '../../../customers/server/queries.ts'
import { takeOffInvoiceTx } from '../../../visits/server/commands.ts'
import { assertNoDepositPageTx, lockToMakeAgainTx } from '../../again/server/commands.ts'
import { findOtherBill } from '../../again/server/queries.ts'
import type { Invoice, invoicesApi } from '../../contract.ts'
import { findExempt } from '../../exemptions/server/queries.ts'
import { getLateFees } from '../../latefees/server/queries.ts'
import {
  billToOf,
  discountTooBig,
  invoiceName,
  invoiceRefusals,
  invoiceTotals,
  placeOf,
  placeOfWork,
} from '../../rules.ts'
import { getInvoice, listTaxRules } from '../../server/queries.ts'
import { insertInvoicesTx, insertLinesTx, lockInvoiceTx, setInvoiceTx } from '../../server/rows/commands.ts'

type NewDraft = z.output<(typeof invoicesApi)['create']['body']>
type Change = z.output<(typeof invoicesApi)['change']['body']>

const customerTx = async (db: TenantDb, id: string) => {
  const customer = await db
    .selectFrom('customers')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  return customer
}

/** What typed lines come to at their places. @throws invalid for a place of somebody else and for too much discount */
const priceTx = async (
  db: TenantDb,
  customer: Awaited<ReturnType<typeof customerTx>>,
  draft: Pick<NewDraft, 'discountCents'> & DraftLines,
) => {
  const places = await listProperties(db, customer.id)
  const foreign = draft.lines.findIndex((line) => line.propertyId && !places.some(({ id }) => id === line.propertyId))
  if (foreign >= 0)
    throw invalid([{ path: `lines.${foreign}.propertyId`, message: 'This is not a property of this customer' }])
  const exempt = await findExempt(db, [customer])
  const totals = invoiceTotals(
    draft.lines.map((line) => ({
      ...line,
      place: placeOfWork(line.propertyId, places, customer),
      taxExempt: exempt(customer.id, line.serviceOn),
    })),
    { discountCents: draft.discountCents, taxes: await listTaxRules(db), today: await todayOf(db) },
  )
  if (draft.discountCents > totals.subtotalCents)
    throw invalid([{ path: 'discountCents', message: discountTooBig(totals.subtotalCents) }])
  return { totals, billTo: billToOf(customer, placeOf(draft.lines[0]?.propertyId ?? null, places)) }
}

type DraftLines = { lines: readonly (Omit<NewDraft['lines'][number], 'id'> & { serviceId?: string })[] }

/** Writes a draft. @param from the signed quote that it is made from as a whole, the voided invoice that it replaces @returns its id */
export const createInvoiceTx = async (
  db: TenantDb,
  actor: Actor,
  draft: Omit<NewDraft, 'lines' | 'madeFrom'> & DraftLines,
  from: { quoteId?: string; madeFrom?: string } = {},
): Promise<string> => {
  const customer = await customerTx(db, draft.customerId)
  const business = await db
    .selectFrom('businesses')
    .select(['termsDays', 'invoiceMessage'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const priced = await priceTx(db, customer, draft)
  const [id = ''] = await insertInvoicesTx(db, actor.userId, [
    {
      number: await nextNumber(db, 'invoice'),
      customerId: customer.id,
      termsDays: draft.termsDays ?? customer.termsDays ?? business.termsDays,
      message: draft.message || business.invoiceMessage,
      ...from,
      ...priced,
      lines: draft.lines.map((line) => ({ ...line, id: newId(), propertyId: line.propertyId ?? undefined })),
    },
  ])
  await audit(db, actor, 'invoice.create', { type: 'invoice', id })
  await publishChange(db, 'invoices', [id])
  return id
}

/** A draft typed by hand, or a voided invoice made again, once: of its quote still, if it was. @throws state_conflict where its work is billed elsewhere */
export const createInvoice = async (actor: Actor, { madeFrom, ...draft }: NewDraft): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    if (!madeFrom) return getInvoice(db, actor, await createInvoiceTx(db, actor, draft))
    const old = await lockToMakeAgainTx(db, madeFrom)
    const { lateFeeFor } = await getLateFees(db, madeFrom)
    const otherBill = await findOtherBill(db, madeFrom)
    refuse(invoiceRefusals.makeAgain({ ...old, isLateFee: lateFeeFor !== null, otherBill }))
    if (old.quoteId) await assertNoDepositPageTx(db, old.quoteId)
    if (old.customerId !== draft.customerId)
      throw invalid([{ path: 'customerId', message: `${invoiceName(old.number)} was another customer’s` }])
    const before = await db
      .selectFrom('invoiceLines')
      .select(['id', 'serviceId'])
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', madeFrom)
      .where('visitId', 'is', null)
      .execute()
    const lines = draft.lines.map((line) => {
      const serviceId = before.find(({ id }) => id === line.id)?.serviceId
      return { ...line, ...(serviceId ? { serviceId } : {}) }
    })
    // one after the other they stand for the first, so that one of all of them bills its work
    const from = { madeFrom: old.madeFrom ?? madeFrom, ...(old.quoteId ? { quoteId: old.quoteId } : {}) }
    const id = await createInvoiceTx(db, actor, { ...draft, lines }, from)
    await publishChange(db, 'invoices', [madeFrom])
    return getInvoice(db, actor, id)
  })

/**
 * Changes what stands on a draft. A line that stood there before keeps its visit; a visit of which no line is left waits to be invoiced
 * again.
 * @throws AppError version_conflict over a change not seen, invalid for a line that is not on this draft
 */
export const changeDraft = async (actor: Actor, id: string, change: Change): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.edit(invoice))
    requireVersion(invoice, change.version, invoiceName(invoice.number))
    const customer = await customerTx(db, invoice.customerId)
    const old = await db
      .selectFrom('invoiceLines')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', id)
      .execute()
    const before = new Map(old.map((line) => [line.id, line]))
    const seen = new Set<string>()
    for (const [at, line] of change.lines.entries()) {
      if (!line.id) continue
      if (!before.has(line.id) || seen.has(line.id))
        throw invalid([{ path: `lines.${at}.description`, message: 'This line is not on the draft any more' }])
      seen.add(line.id)
    }
    const priced = await priceTx(db, customer, change)
    await db.deleteFrom('invoiceLines').where('businessId', '=', db.businessId).where('invoiceId', '=', id).execute()
    await db.deleteFrom('invoiceTaxes').where('businessId', '=', db.businessId).where('invoiceId', '=', id).execute()
    const lines = change.lines.map(({ id: lineId, ...line }) => {
      const known = lineId ? before.get(lineId) : undefined
      return {
        ...line,
        propertyId: line.propertyId ?? undefined,
        ...(known
          ? {
              id: known.id,
              visitId: known.visitId ?? undefined,
              visitLineId: known.visitLineId ?? undefined,
              serviceId: known.serviceId ?? undefined,
            }
          : {}),
      }
    })
    const { totals, billTo } = priced
    await insertLinesTx(db, [{ id, lines, totals }])
    await setInvoiceTx(db, invoice, {
      subtotalCents: totals.subtotalCents,
      discountCents: totals.discountCents,
      taxCents: totals.taxCents,
      totalCents: totals.totalCents,
      message: change.message,
      termsDays: change.termsDays,
      billTo: JSON.stringify(billTo),
    })
    const kept = new Set(lines.flatMap((line) => ('visitId' in line ? (line.visitId ?? []) : [])))
    const freed = [...new Set(old.flatMap(({ visitId }) => (visitId && !kept.has(visitId) ? visitId : [])))]
    if (freed.length > 0) await takeOffInvoiceTx(db, id, freed)
    await audit(
      db,
      actor,
      'invoice.change',
      { type: 'invoice', id },
      { before: { totalCents: invoice.totalCents }, after: { totalCents: totals.totalCents } },
    )
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })
