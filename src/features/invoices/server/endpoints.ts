import { withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { serve } from '../../../platform/http/serve.ts'
import { createInvoiceBatch, settleVisit } from '../batch/server/commands.ts'
import { countInvoiceable, getInvoiceBatch, previewBatch } from '../batch/server/queries.ts'
import { invoicesApi } from '../contract.ts'
import { changeDraft, createInvoice } from '../drafts/server/commands.ts'
import { settleFee, voidInvoice, waiveFee } from '../latefees/server/commands.ts'
import { setReminders } from '../reminders/server/commands.ts'
import { invoiceName } from '../rules.ts'
import { reinstateInvoice, writeOffInvoice } from '../writeoffs/server/commands.ts'
import { issueInvoice, printInvoice, remindInvoice, remindInvoices, sendInvoice, sendInvoices } from './commands.ts'
import { getInvoice, listInvoices } from './queries.ts'

export const invoicesEndpoints = serve(
  'invoices',
  invoicesApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listInvoices(db, query)),
  get: ({ actor, params }) => withTenant(actor, (db) => getInvoice(db, actor, params.id)),
  preview: ({ actor, query }) => withTenant(actor, (db) => previewBatch(db, query)),
  countInvoiceable: ({ actor }) => withTenant(actor, async (db) => ({ visitCount: await countInvoiceable(db) })),
  getBatch: ({ actor, params }) => withTenant(actor, (db) => getInvoiceBatch(db, params.id)),
  createBatch: ({ actor, body }) => createInvoiceBatch(actor, body),
  create: ({ actor, body }) => createInvoice(actor, body),
  change: ({ actor, params, body }) => changeDraft(actor, params.id, body),
  writeOff: ({ actor, params, body, once }) => writeOffInvoice(actor, params.id, body, once),
  reinstate: ({ actor, params }) => reinstateInvoice(actor, params.id),
  send: ({ actor, params }) => sendInvoice(actor, params.id),
  issue: ({ actor, params }) => issueInvoice(actor, params.id),
  sendMany: ({ actor, body }) => sendInvoices(actor, body),
  remindMany: ({ actor, body }) => remindInvoices(actor, body),
  settleVisit: ({ actor, params, body }) => settleVisit(actor, params.visitId, body),
  remind: ({ actor, params }) => remindInvoice(actor, params.id),
  setReminders: ({ actor, params, body }) => setReminders(actor, params.id, body),
  voidInvoice: ({ actor, params, body, once }) => voidInvoice(actor, params.id, body ?? {}, once),
  waiveFee: ({ actor, params, body, once }) => waiveFee(actor, params.id, body, once),
  settleFee: ({ actor, params, body }) => settleFee(actor, params.id, body),
  pdf: async ({ actor, params, reply }) => {
    const { invoice, pdf } = await printInvoice(actor, params.id)
    return sendPdf(reply, invoiceName(invoice.number), pdf)
  },
})
