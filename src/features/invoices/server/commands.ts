import { z } from 'zod'
import type { Actor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { todayOf } from '../../../platform/calendar.ts'
import { clock } from '../../../platform/clock.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { madeObject, type StoredObject, storedFilePath } from '../../../platform/storage.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { inThread } from '../../../platform/threads.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { formatCents } from '../../../shared/money.ts'
import { listProperties } from '../../customers/server/queries.ts'
import { printPicture } from '../../files/server/image/commands.ts'
import { takeOffInvoiceTx } from '../../visits/server/commands.ts'
import type { Invoice, InvoiceChoice, invoicesApi } from '../contract.ts'
import {
  billToOf,
  canMove,
  dueOn,
  type InvoiceStatus,
  invoiceName,
  invoiceTotals,
  placeOf,
  stateOfWork,
  statusFromMoney,
  type Totals,
} from '../rules.ts'
import { type InvoicePaper, type invoicePdf, layoutVersion } from './pdf.ts'
import { getInvoice, listChosen, listTaxRules } from './queries.ts'
import type { Sender } from './templates.ts'

/** Renders, files and mails one invoice; the work stands in tasks.ts. */
export const sendInvoiceTask = taskName({
  name: 'invoices.send',
  payload: z.object({ invoiceId: z.uuid(), reason: z.string().max(60) }),
})

export type NewInvoice = {
  number: number
  customerId: string
  batchId?: string
  termsDays: number
  message: string
  billTo: Record<string, string | null>
  totals: Totals
  lines: {
    visitId?: string
    visitLineId?: string
    propertyId?: string | undefined
    serviceId?: string
    serviceOn: string | null
    description: string
    quantity: number
    unitPriceCents: number
    taxCategory: string
  }[]
}

/** Writes a draft with its lines and taxes. @returns its id */
export const insertInvoiceTx = async (db: TenantDb, who: Who, invoice: NewInvoice): Promise<string> => {
  const id = newId()
  const now = clock.iso()
  const { totals } = invoice
  await db
    .insertInto('invoices')
    .values({
      businessId: db.businessId,
      id,
      number: invoice.number,
      customerId: invoice.customerId,
      batchId: invoice.batchId ?? null,
      termsDays: invoice.termsDays,
      message: invoice.message,
      billTo: JSON.stringify(invoice.billTo),
      subtotalCents: totals.subtotalCents,
      discountCents: totals.discountCents,
      taxCents: totals.taxCents,
      totalCents: totals.totalCents,
      createdBy: who.kind === 'user' ? who.userId : null,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  if (invoice.lines.length) {
    await db
      .insertInto('invoiceLines')
      .values(
        invoice.lines.map((line, position) => ({
          businessId: db.businessId,
          id: newId(),
          invoiceId: id,
          visitId: line.visitId ?? null,
          visitLineId: line.visitLineId ?? null,
          propertyId: line.propertyId ?? null,
          serviceId: line.serviceId ?? null,
          serviceOn: line.serviceOn,
          description: line.description,
          quantity: line.quantity,
          unitPriceCents: line.unitPriceCents,
          totalCents: totals.lines[position]?.totalCents ?? 0,
          taxCategory: line.taxCategory,
          position,
        })),
      )
      .execute()
  }
  if (totals.taxes.length) {
    await db
      .insertInto('invoiceTaxes')
      .values(
        totals.taxes.map((tax, position) => ({
          businessId: db.businessId,
          id: newId(),
          invoiceId: id,
          ...tax,
          position,
        })),
      )
      .execute()
  }
  return id
}

/** An invoice locked for a change of state. @throws not_found */
export const lockInvoiceTx = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('invoice')
  return { ...row, status: row.status as InvoiceStatus }
}

export type LedgerEntry = {
  customerId: string
  kind: 'invoice' | 'payment' | 'void'
  amountCents: number
  refType: 'invoice' | 'payment'
  refId: string
  onDay: string
}

/** Appends to what a customer owes: more by an invoice, less by a payment. */
export const addLedgerEntryTx = async (db: TenantDb, entry: LedgerEntry): Promise<void> => {
  await db
    .insertInto('ledgerEntries')
    .values({ ...entry, businessId: db.businessId, id: newId(), createdAt: clock.iso() })
    .execute()
}

/** Notes money on a locked invoice. Answers its state. */
export const addPaidTx = async (
  db: TenantDb,
  invoice: Awaited<ReturnType<typeof lockInvoiceTx>>,
  cents: number,
): Promise<InvoiceStatus> => {
  const paidCents = invoice.paidCents + cents
  const status = statusFromMoney(invoice.status, invoice.totalCents, paidCents)
  await db
    .updateTable('invoices')
    .set({ paidCents, status, version: invoice.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoice.id)
    .execute()
  return status
}

/** Counts that somebody opened the page of an invoice that was issued. */
export const countViewTx = async (db: TenantDb, invoiceId: string): Promise<void> => {
  await db
    .updateTable('invoices')
    .set((eb) => ({
      viewedAt: eb.fn.coalesce('viewedAt', eb.val(clock.iso())),
      viewCount: eb('viewCount', '+', 1),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoiceId)
    .where('status', '!=', 'draft')
    .execute()
}

/** Makes a draft binding: day, due day, and what the customer owes from now on. An invoice over nothing is paid at once. */
export const issueInvoiceTx = async (db: TenantDb, id: string): Promise<void> => {
  const invoice = await lockInvoiceTx(db, id)
  if (!canMove(invoice.status, 'issued'))
    throw conflict(`${invoiceName(invoice.number)} was issued before. Nothing was changed.`)
  const issueOn = await todayOf(db)
  await db
    .updateTable('invoices')
    .set({
      status: invoice.totalCents === 0 ? 'paid' : 'issued',
      issueOn,
      dueOn: dueOn(issueOn, invoice.termsDays),
      version: invoice.version + 1,
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await addLedgerEntryTx(db, {
    customerId: invoice.customerId,
    kind: 'invoice',
    amountCents: invoice.totalCents,
    refType: 'invoice',
    refId: id,
    onDay: issueOn,
  })
  await linkToken(db, 'invoice', id)
  await emit(db, 'invoice.issued', { invoiceId: id })
}

/** A draft typed by hand. */
export const createInvoice = async (
  actor: Actor,
  draft: z.output<(typeof invoicesApi)['create']['body']>,
): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const customer = await db
      .selectFrom('customers')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', draft.customerId)
      .executeTakeFirst()
    if (!customer) throw notFound('customer')
    const business = await db
      .selectFrom('businesses')
      .select(['termsDays', 'invoiceMessage'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const places = await listProperties(db, customer.id)
    const foreign = draft.lines.findIndex((line) => line.propertyId && !places.some(({ id }) => id === line.propertyId))
    if (foreign >= 0)
      throw invalid([{ path: `lines.${foreign}.propertyId`, message: 'This is not a property of this customer' }])
    const totals = invoiceTotals(
      draft.lines.map((line) => ({ ...line, state: stateOfWork(line.propertyId, places, customer) })),
      { discountCents: draft.discountCents, taxes: await listTaxRules(db), taxExempt: customer.taxExempt },
    )
    const id = await insertInvoiceTx(db, actor, {
      number: await nextNumber(db, 'invoice'),
      customerId: customer.id,
      termsDays: draft.termsDays ?? customer.termsDays ?? business.termsDays,
      message: draft.message || business.invoiceMessage,
      billTo: billToOf(customer, placeOf(draft.lines[0]?.propertyId ?? null, places)),
      totals,
      lines: draft.lines.map((line) => ({ ...line, propertyId: line.propertyId ?? undefined })),
    })
    await audit(db, actor, 'invoice.create', { type: 'invoice', id })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, id)
  })

/** Issues a draft and asks for its mail; what is issued already is mailed once more. */
const sendTx = async (db: TenantDb, actor: Actor, id: string): Promise<void> => {
  const invoice = await lockInvoiceTx(db, id)
  const name = invoiceName(invoice.number)
  const customer = await db
    .selectFrom('customers')
    .select(['email', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoice.customerId)
    .executeTakeFirstOrThrow()
  if (invoice.status === 'void') throw conflict(`${name} was voided and cannot be sent.`)
  if (!customer.email)
    throw conflict(`${customer.name} has no e-mail on file. Add one to the customer, then send ${name} again.`)
  if (invoice.status === 'draft') await issueInvoiceTx(db, id)
  // The first mail has a fixed key; a repeat is a new wish of a person.
  const reason = invoice.sentAt ? `again:${newId()}` : 'sent'
  await enqueue(db, sendInvoiceTask, { invoiceId: id, reason }, { key: `${id}:${reason}` })
  await audit(db, actor, 'invoice.send', { type: 'invoice', id })
  await publishChange(db, 'invoices', [id])
}

export const sendInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    await sendTx(db, actor, id)
    return getInvoice(db, id)
  })

/** Issues a draft that goes out on paper. */
export const issueInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    await issueInvoiceTx(db, id)
    await audit(db, actor, 'invoice.issue', { type: 'invoice', id })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, id)
  })

type Many = { sentCount: number; skipped: { id: string; number: number; reason: string }[] }

/** Does a thing to each chosen invoice; what cannot be done is named and left as it is. */
const forChosen = async (
  db: TenantDb,
  choice: InvoiceChoice,
  refusal: (row: Awaited<ReturnType<typeof listChosen>>[number]) => string | null,
  work: (id: string) => Promise<void>,
): Promise<Many> => {
  const rows = await listChosen(db, choice)
  if (rows.length > 1000)
    throw conflict(
      `${rows.length} invoices are too many for one go. Narrow the list to at most 1,000. Nothing was sent.`,
    )
  const skipped: Many['skipped'] = []
  for (const row of rows) {
    const reason = refusal(row) ?? (row.customerEmail ? null : `${row.customerName} has no e-mail on file`)
    if (reason) skipped.push({ id: row.id, number: row.number, reason })
    else await work(row.id)
  }
  return { sentCount: rows.length - skipped.length, skipped }
}

/** Sends several; what cannot be sent is named and left as it is. */
export const sendInvoices = async (actor: Actor, choice: InvoiceChoice): Promise<Many> =>
  withTenant(actor, (db) =>
    forChosen(
      db,
      choice,
      ({ status }) => (status === 'void' ? 'It was voided' : status === 'paid' ? 'It is paid' : null),
      (id) => sendTx(db, actor, id),
    ),
  )

const remindPauseMs = 20 * 3600 * 1000

const remindTx = async (db: TenantDb, actor: Actor, id: string): Promise<void> => {
  const invoice = await lockInvoiceTx(db, id)
  const name = invoiceName(invoice.number)
  if (invoice.status !== 'issued' && invoice.status !== 'partially_paid')
    throw conflict(`${name} is not open, so there is nothing to remind of.`)
  const customer = await db
    .selectFrom('customers')
    .select(['email', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoice.customerId)
    .executeTakeFirstOrThrow()
  if (!customer.email) throw conflict(`${customer.name} has no e-mail on file. Add one to the customer first.`)
  const today = await todayOf(db)
  if (invoice.lastRemindedAt && clock.nowMs() - Date.parse(invoice.lastRemindedAt) < remindPauseMs)
    throw conflict(`A reminder for ${name} left less than a day ago. Give them a little time.`)
  await db
    .updateTable('invoices')
    .set({ lastRemindedAt: clock.iso(), updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await enqueue(db, sendInvoiceTask, { invoiceId: id, reason: `reminder:${today}` }, { key: `${id}:reminder:${today}` })
  await audit(
    db,
    actor,
    'invoice.remind',
    { type: 'invoice', id },
    { after: { balance: formatCents(invoice.totalCents - invoice.paidCents) } },
  )
  await publishChange(db, 'invoices', [id])
}

/** Mails a friendly reminder of an open invoice, at most once a day. */
export const remindInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    await remindTx(db, actor, id)
    return getInvoice(db, id)
  })

export const remindInvoices = async (actor: Actor, choice: InvoiceChoice): Promise<Many> =>
  withTenant(actor, (db) =>
    forChosen(
      db,
      choice,
      (row) =>
        row.status !== 'issued' && row.status !== 'partially_paid'
          ? 'It is not open'
          : row.lastRemindedAt && clock.nowMs() - Date.parse(row.lastRemindedAt) < remindPauseMs
            ? 'It had a reminder within a day'
            : null,
      (id) => remindTx(db, actor, id),
    ),
  )

/** Takes an invoice back that nobody paid on; its visits can be invoiced again. */
export const voidInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    const name = invoiceName(invoice.number)
    if (invoice.paidCents > 0) throw conflict(`${name} has payments on it, so it stays. Nothing was changed.`)
    if (!canMove(invoice.status, 'void')) throw conflict(`${name} cannot be voided any more.`)
    const open = await db
      .selectFrom('checkoutSessions')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', id)
      .where('status', '=', 'open')
      .where('expiresAt', '>', clock.iso())
      .executeTakeFirst()
    if (open)
      throw conflict(
        `The customer has the payment page of ${name} open right now. Try again in an hour, or when the payment has arrived.`,
      )
    await db
      .updateTable('invoices')
      .set({ status: 'void', version: invoice.version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('invoiceLines')
      .set({ visitLineId: null })
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', id)
      .execute()
    await takeOffInvoiceTx(db, id)
    if (invoice.status !== 'draft') {
      await addLedgerEntryTx(db, {
        customerId: invoice.customerId,
        kind: 'void',
        amountCents: -invoice.totalCents,
        refType: 'invoice',
        refId: id,
        onDay: await todayOf(db),
      })
    }
    await audit(db, actor, 'invoice.void', { type: 'invoice', id })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, id)
  })

const getSender = (db: TenantDb): Promise<Sender & { logoKey: string | null }> =>
  db
    .selectFrom('businesses')
    .leftJoin('files', (join) =>
      join.onRef('files.businessId', '=', 'businesses.businessId').onRef('files.id', '=', 'businesses.logoFileId'),
    )
    .select(['businesses.name', 'phone', 'email', 'street', 'city', 'state', 'zip', 'brandColor', 'invoiceTerms'])
    .select('files.storageKey as logoKey')
    .where('businesses.businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

export type RenderedInvoice = {
  invoice: Invoice
  sender: Sender
  pdf: Buffer
  stored: StoredObject
  url: string | null
}

const paperOf = (invoice: Invoice): InvoicePaper => ({
  number: invoice.number,
  issueOn: invoice.issueOn,
  dueOn: invoice.dueOn,
  billTo: invoice.billTo,
  lines: invoice.lines,
  taxes: invoice.taxes,
  subtotalCents: invoice.subtotalCents,
  discountCents: invoice.discountCents,
  totalCents: invoice.totalCents,
  paidCents: invoice.paidCents,
  balanceCents: invoice.balanceCents,
  message: invoice.message,
})

/** The invoice as PDF from its present rows: drawn once for what stands on it, in a thread, outside the transaction. */
export const renderInvoice = async (businessId: BusinessId, invoiceId: string): Promise<RenderedInvoice> => {
  const { invoice, sender } = await withTenant({ businessId }, async (db) => ({
    invoice: await getInvoice(db, invoiceId),
    sender: await getSender(db),
  }))
  const url = invoice.publicPath ? absoluteUrl(invoice.publicPath) : null
  const paper = paperOf(invoice)
  const { bytes, stored } = await madeObject(
    businessId,
    JSON.stringify(['invoice', layoutVersion, paper, sender, url]),
    async () => {
      const logo = sender.logoKey ? await printPicture(storedFilePath(sender.logoKey)) : null
      return inThread<typeof invoicePdf>(new URL('./pdf.ts', import.meta.url), 'invoicePdf', {
        invoice: paper,
        sender,
        payUrl: url,
        logo,
      })
    },
  )
  return { invoice, sender, pdf: bytes, stored, url }
}
