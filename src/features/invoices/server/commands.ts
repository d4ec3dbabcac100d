import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, Who } from '../../../platform/actor.ts'
import { audit, auditAll } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { absoluteUrl } from '../../../platform/links.ts'
import { madeObject, type StoredObject } from '../../../platform/storage.ts'
import { enqueueAll, taskName } from '../../../platform/tasks/task.ts'
import { inThread } from '../../../platform/threads.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict } from '../../../shared/errors.ts'
import { formatCents } from '../../../shared/money.ts'
import { getPortalUrl } from '../../businesses/letters/server/queries.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { printPicture } from '../../files/server/image/commands.ts'
import type { PaperReach } from '../../messages/paperways/rules.ts'
import { getPaperReach, listPaperReach } from '../../messages/paperways/server/queries.ts'
import { stopMessagesTx } from '../../messages/server/commands.ts'
import { takeOffInvoiceTx } from '../../visits/server/commands.ts'
import { sumPaidAhead } from '../ahead/server/queries.ts'
import type { Invoice, InvoiceChoice } from '../contract.ts'
import { cameFor, wasVoided } from '../corrections/rules.ts'
import { listChangedTaxes } from '../drafts/server/queries.ts'
import { issuedBy } from '../issuing/server/queries.ts'
import { openFees } from '../latefees/rules.ts'
import { isTestMoney } from '../papers/rules.ts'
import { endOpenPagesTx } from '../pending/server/pages.ts'
import { isBeingCharged } from '../pending/server/queries.ts'
import { invoiceName, invoiceRefusals, taxChanged } from '../rules.ts'
import { type InvoicePaper, type invoicePdf, type invoicesPdf, layoutVersion, type paperPdf } from './pdf.ts'
import {
  cashDiscountOf,
  getInvoice,
  getInvoiceContent,
  type InvoiceContent,
  listChosen,
  mostChosen,
} from './queries.ts'
import {
  addLedgerEntryTx,
  giveBackTx,
  issueInvoicesTx,
  type LockedInvoice,
  lockInvoicesTx,
  lockInvoiceTx,
  setInvoiceTx,
} from './rows/commands.ts'
import type { Paper } from './sheet.ts'
import type { InvoiceSender } from './templates.ts'

export { type ClosedMonthException, openDayTx } from '../closing/server/commands.ts'
export { createInvoiceTx } from '../drafts/server/commands.ts'
export { endOpenPages } from '../pending/server/pages.ts'
export { reinstateTx, writeOffAgainTx } from '../writeoffs/server/commands.ts'
export {
  addLedgerEntryTx,
  addPaidTx,
  countViewTx,
  insertInvoicesTx,
  issueInvoicesTx,
  type LedgerEntry,
  type LockedInvoice,
  lockInvoicesTx,
  lockInvoiceTx,
  setDisputedTx,
  setPendingTx,
  setSpending,
} from './rows/commands.ts'

/** Renders, files and mails one invoice; the work stands in tasks.ts. */
export const sendInvoiceTask = taskName({
  name: 'invoices.send',
  payload: z.object({ invoiceId: z.uuid(), reason: z.string().max(60) }),
  // Three at a time: a month end of thousands leaves places of the worker, and of the machine, to everybody else.
  queue: ({ invoiceId }, businessId) => `invoices.send:${businessId}:${Number.parseInt(invoiceId.slice(-1), 16) % 3}`,
})

/** Refuses to issue a locked draft whose tax changed since it was saved. */
export const checkTaxTx = async (db: TenantDb, { id, number, status }: LockedInvoice): Promise<void> => {
  const changed = status === 'draft' ? (await listChangedTaxes(db, [id])).get(id) : undefined
  if (changed) throw conflict(taxChanged(number, changed.savedCents, changed.nowCents))
}

/** Issues drafts among locked invoices and asks for the mail of all; what is issued already is mailed once more. */
const sendTx = async (db: TenantDb, actor: Actor, invoices: readonly LockedInvoice[]): Promise<void> => {
  const ids = invoices.map(({ id }) => id)
  await issueInvoicesTx(
    db,
    invoices.flatMap(({ id, status }) => (status === 'draft' ? [id] : [])),
  )
  await enqueueAll(
    db,
    sendInvoiceTask,
    invoices.map(({ id, sentAt }) => {
      // The first mail has a fixed key; a repeat is a new wish of a person.
      const reason = sentAt ? `again:${newId()}` : 'sent'
      return { payload: { invoiceId: id, reason }, key: `${id}:${reason}` }
    }),
  )
  await auditAll(
    db,
    actor,
    'invoice.send',
    'invoice',
    ids.map((id) => ({ id })),
  )
  await publishChange(db, 'invoices', ids)
}

/** Whom an invoice goes to, and how. */
const goesTo = async (db: TenantDb, { customerId }: LockedInvoice) => {
  const reach = await getPaperReach(db, customerId)
  return { customer: { name: reach.name }, reach }
}

export const sendInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.send({ ...invoice, ...(await goesTo(db, invoice)) }))
    await checkTaxTx(db, invoice)
    await sendTx(db, actor, [invoice])
    return getInvoice(db, actor, id)
  })

/** Issues a draft that goes out on paper. */
export const issueInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.issue(invoice))
    await checkTaxTx(db, invoice)
    await issueInvoicesTx(db, [id])
    await audit(db, actor, 'invoice.issue', { type: 'invoice', id })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })

type Many = { sentCount: number; skipped: { id: string; number: number; reason: string }[] }

/** Does a thing to all chosen invoices at once, in statements that do not grow in number; what cannot be done is named and left as it is. */
const forChosen = async (
  db: TenantDb,
  choice: InvoiceChoice,
  refusal: (invoice: LockedInvoice & { customer: { name: string }; reach: PaperReach }) => string | null,
  work: (invoices: readonly LockedInvoice[]) => Promise<void>,
): Promise<Many> => {
  const rows = await listChosen(db, choice)
  if (rows.length > mostChosen)
    throw conflict(
      'These are more than 1,000 invoices, too many for one go. Narrow the list to at most 1,000. Nothing was sent.',
    )
  const locked = await lockInvoicesTx(
    db,
    rows.map(({ id }) => id),
  )
  const invoices = new Map(locked.map((invoice) => [invoice.id, invoice]))
  const reachOf = await listPaperReach(
    db,
    locked.map(({ customerId }) => customerId),
  )
  const changed = await listChangedTaxes(
    db,
    locked.flatMap(({ id, status }) => (status === 'draft' ? [id] : [])),
  )
  const skipped: Many['skipped'] = []
  const good: LockedInvoice[] = []
  for (const row of rows) {
    const invoice = invoices.get(row.id)
    if (!invoice) continue
    const reason = refusal({ ...invoice, customer: { name: row.customerName }, reach: reachOf(invoice.customerId) })
    const tax = changed.get(row.id)
    const why = reason ?? (tax ? taxChanged(row.number, tax.savedCents, tax.nowCents) : null)
    if (why) skipped.push({ id: row.id, number: row.number, reason: why })
    else good.push(invoice)
  }
  if (good.length > 0) await work(good)
  return { sentCount: good.length, skipped }
}

/** Sends several; what cannot be sent is named and left as it is. */
export const sendInvoices = async (actor: Actor, choice: InvoiceChoice): Promise<Many> =>
  withTenant(actor, (db) => forChosen(db, choice, invoiceRefusals.send, (invoices) => sendTx(db, actor, invoices)))

/** Asks for the messages that remind of locked invoices. */
export const remindTx = async (db: TenantDb, actor: Who, invoices: readonly LockedInvoice[]): Promise<void> => {
  const today = await todayOf(db)
  const ids = invoices.map(({ id }) => id)
  await db
    .updateTable('invoices')
    .set({ lastRemindedAt: clock.iso(), updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  const reason = `reminder:${today}`
  await enqueueAll(
    db,
    sendInvoiceTask,
    ids.map((id) => ({ payload: { invoiceId: id, reason }, key: `${id}:${reason}` })),
  )
  await auditAll(
    db,
    actor,
    'invoice.remind',
    'invoice',
    invoices.map(({ id, totalCents, paidCents }) => ({
      id,
      after: { balance: formatCents(totalCents - paidCents) },
    })),
  )
  await publishChange(db, 'invoices', ids)
}

/** Reminds of an open invoice in a friendly way, at most once a day. */
export const remindInvoice = async (actor: Actor, id: string): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, id)
    refuse(invoiceRefusals.remind({ ...invoice, ...(await goesTo(db, invoice)), nowMs: clock.nowMs() }))
    await remindTx(db, actor, [invoice])
    return getInvoice(db, actor, id)
  })

export const remindInvoices = async (actor: Actor, choice: InvoiceChoice): Promise<Many> =>
  withTenant(actor, (db) =>
    forChosen(
      db,
      choice,
      (invoice) => invoiceRefusals.remind({ ...invoice, nowMs: clock.nowMs() }),
      (invoices) => remindTx(db, actor, invoices),
    ),
  )

/** What decides whether a locked invoice can be voided. */
export const voidFacts = async (db: TenantDb, invoice: LockedInvoice) => ({
  ...invoice,
  beingCharged: await isBeingCharged(db, invoice.id),
  aheadCents: invoice.paidCents > 0 ? await sumPaidAhead(db, invoice.id) : 0,
})

/**
 * Takes an invoice back that nobody paid on; its visits can be invoiced again, and an open payment page of it ends. What was paid ahead for its work
 * waits for the next invoice of that work.
 */
export const voidTx = async (db: TenantDb, actor: Who, id: string, reason = ''): Promise<LockedInvoice> => {
  const locked = await lockInvoiceTx(db, id)
  refuse(invoiceRefusals.void(await voidFacts(db, locked)))
  await endOpenPagesTx(db, id)
  const invoice = await giveBackTx(db, actor, locked)
  await setInvoiceTx(db, invoice, { status: 'void' })
  await db
    .updateTable('invoiceLines')
    .set({ visitLineId: null })
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', id)
    .execute()
  await takeOffInvoiceTx(db, id)
  await stopMessagesTx(db, { type: 'invoice', id }, wasVoided(invoiceName(invoice.number)))
  if (invoice.status !== 'draft') {
    await addLedgerEntryTx(db, {
      customerId: invoice.customerId,
      kind: 'void',
      amountCents: -invoice.totalCents,
      refType: 'invoice',
      refId: id,
      onDay: await todayOf(db),
    })
    await emit(db, 'invoice.voided', { invoiceId: id })
  }
  const openCents = locked.totalCents - locked.paidCents
  await audit(
    db,
    actor,
    'invoice.void',
    { type: 'invoice', id },
    { after: { ...(reason ? { reason } : {}), openCents } },
  )
  await publishChange(db, 'invoices', [id])
  return invoice
}

/** Who writes: what stands of the business on its papers. */
export const getSender = async (
  db: TenantDb,
): Promise<InvoiceSender & { logoKey: string | null; portalUrl: string | null }> => ({
  ...(await db
    .selectFrom('businesses')
    .leftJoin('files', (join) =>
      join.onRef('files.businessId', '=', 'businesses.businessId').onRef('files.id', '=', 'businesses.logoFileId'),
    )
    .select(['businesses.name', 'phone', 'email', 'street', 'city', 'state', 'zip', 'brandColor', 'invoiceTerms'])
    .select('files.storageKey as logoKey')
    .where('businesses.businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()),
  portalUrl: await getPortalUrl(db),
})

/** What of it stands on paper. */
const onPaper = <S extends InvoiceSender>({ portalUrl: _, ...sender }: S): Omit<S, 'portalUrl'> => sender

export type RenderedInvoice = {
  invoice: InvoiceContent
  sender: InvoiceSender
  pdf: Buffer
  stored: StoredObject
  url: string | null
  cashDiscount: InvoicePaper['cashDiscount']
}

const pdfModule = new URL('./pdf.ts', import.meta.url)

const printedLogo = async ({ logoKey }: { logoKey: string | null }) => (logoKey ? printPicture(logoKey) : null)

/** Any other paper of a business, drawn once for what stands on it, in a thread. */
export const drawFor = async (
  businessId: BusinessId,
  sender: InvoiceSender & { logoKey: string | null },
  paper: Paper,
): Promise<{ pdf: Buffer; stored: StoredObject }> => {
  const { bytes, stored } = await madeObject(
    businessId,
    JSON.stringify(['paper', layoutVersion, paper, onPaper(sender)]),
    async () =>
      inThread<typeof paperPdf>(pdfModule, 'paperPdf', {
        paper,
        sender: onPaper(sender),
        logo: await printedLogo(sender),
      }),
  )
  return { pdf: bytes, stored }
}

/** What came for it, one by one and by day, as its page tells it too; nothing where nothing came. */
const cameOn = ({ payments, gaveBack }: InvoiceContent): Pick<InvoicePaper, 'came'> => {
  const came = [
    ...payments.map((one) => ({
      onDay: one.receivedOn,
      method: one.method,
      cents: cameFor(one, gaveBack),
      name: one.creditNote ?? one.receipt ?? '',
      ...(one.deposit ? { deposit: true } : {}),
    })),
    ...gaveBack.map(({ onDay, method, amountCents }) => ({ onDay, method, cents: -amountCents, name: '' })),
  ].filter(({ cents }) => cents !== 0)
  return came.length > 0 ? { came: came.sort((a, b) => a.onDay.localeCompare(b.onDay)) } : {}
}

const paperOf = (invoice: InvoiceContent, cashDiscount: InvoicePaper['cashDiscount'] | null): InvoicePaper => ({
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
  ...(invoice.pending ? { pending: invoice.pending } : {}),
  ...(cashDiscount ? { cashDiscount } : {}),
  ...(invoice.creditedCents ? { creditedCents: invoice.creditedCents } : {}),
  ...(invoice.writtenOffCents ? { writtenOffCents: invoice.writtenOffCents } : {}),
  ...(invoice.status === 'paid' || invoice.status === 'written_off' ? { closed: invoice.status } : {}),
  ...cameOn(invoice),
  ...(openFees(invoice).length > 0
    ? { fees: openFees(invoice).map(({ number, openCents }) => ({ number, openCents })) }
    : {}),
  ...(invoice.language === 'en' ? {} : { language: invoice.language }),
  ...(invoice.payments.some(isTestMoney) ? { isTest: true } : {}),
})

/** An invoice with its paper. */
const readPaper = async (db: TenantDb, id: string) => {
  const invoice = await getInvoiceContent(db, id)
  const sender = await getSender(db)
  return {
    invoice,
    paper: paperOf(invoice, await cashDiscountOf(db, invoice)),
    sender,
    issuer: await issuedBy(db, id, onPaper(sender)),
  }
}

/** The invoice as PDF from its present rows: drawn once for what stands on it, in a thread, outside the transaction. */
export const renderInvoice = async (businessId: BusinessId, invoiceId: string): Promise<RenderedInvoice> => {
  const { invoice, paper, sender, issuer } = await withTenant({ businessId }, (db) => readPaper(db, invoiceId))
  const url = invoice.publicPath ? absoluteUrl(invoice.publicPath) : null
  const { bytes, stored } = await madeObject(
    businessId,
    JSON.stringify(['invoice', layoutVersion, paper, issuer, url]),
    async () =>
      inThread<typeof invoicePdf>(pdfModule, 'invoicePdf', {
        invoice: paper,
        sender: issuer,
        payUrl: url,
        logo: await printedLogo(sender),
      }),
  )
  return { invoice, sender, pdf: bytes, stored, url, cashDiscount: paper.cashDiscount }
}

/** Several invoices as one PDF from their present rows, in the order given. */
export const renderInvoices = async (businessId: BusinessId, invoiceIds: readonly string[]): Promise<Uint8Array> => {
  const { invoices, sender } = await withTenant({ businessId }, async (db) => {
    const list: Awaited<ReturnType<typeof readPaper>>[] = []
    for (const id of invoiceIds) list.push(await readPaper(db, id))
    return { invoices: list, sender: await getSender(db) }
  })
  return inThread<typeof invoicesPdf>(pdfModule, 'invoicesPdf', {
    invoices: invoices.map(({ invoice, paper, issuer }) => ({
      invoice: paper,
      issuer,
      payUrl: invoice.publicPath ? absoluteUrl(invoice.publicPath) : null,
    })),
    sender,
    logo: await printedLogo(sender),
  })
}

/** The PDF for the office. @throws not_found, state_conflict for a void one */
export const printInvoice = async (actor: Actor, id: string): Promise<RenderedInvoice> => {
  refuse(invoiceRefusals.print(await withTenant(actor, (db) => getInvoiceContent(db, id))))
  return renderInvoice(actor.businessId, id)
}
