import { type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { sendText } from '../../../platform/http/text.ts'
import { findLink } from '../../../platform/links.ts'
import { readEvent } from '../../../platform/payments/events.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { invoiceName, invoiceRefusals } from '../../invoices/rules.ts'
import { renderInvoice } from '../../invoices/server/commands.ts'
import { cardsApi } from '../cards/contract.ts'
import { removeCard, setAutopay, stopAutopay } from '../cards/server/commands.ts'
import { getCustomerCard } from '../cards/server/queries.ts'
import { payByBank, payInvoice, payPart, payWithFees, payWithTip, syncCheckout } from '../checkout/server/commands.ts'
import { connectApi } from '../connect/contract.ts'
import { connect, disconnect, syncCardAccount } from '../connect/server/commands.ts'
import { getCardAccount } from '../connect/server/queries.ts'
import { paymentsApi } from '../contract.ts'
import { correctionsApi } from '../corrections/contract.ts'
import { creditInvoice, giveCredit, putCredit, reversePayment, takeOff } from '../corrections/server/commands.ts'
import { takeRefundBack } from '../corrections/server/outcomes.ts'
import { listCredits } from '../corrections/server/queries.ts'
import { refundPayment } from '../corrections/server/refunds.ts'
import { creditsApi } from '../credits/contract.ts'
import { recordDeposit } from '../credits/server/commands.ts'
import { disputesApi } from '../disputes/contract.ts'
import { saveEvidence, submitEvidence } from '../disputes/server/commands.ts'
import { getDispute, listDisputes } from '../disputes/server/queries.ts'
import { doorApi } from '../door/contract.ts'
import { handInCash, sendReceiptAgain, undoHandIn } from '../door/server/commands.ts'
import { getFieldCash } from '../door/server/queries.ts'
import { payoutsApi } from '../payouts/contract.ts'
import { getPayout, listPayoutLines, listPayouts, makePayoutFile } from '../payouts/server/queries.ts'
import { tipsApi } from '../tips/contract.ts'
import { nameTipPeople } from '../tips/server/commands.ts'
import { listTips, makeTipsFile } from '../tips/server/queries.ts'
import { countView, recordPayment } from './commands.ts'
import { getPublicInvoice, listOpenSessions } from './queries.ts'

const linkOf = async (token: string): Promise<{ businessId: BusinessId; entityId: string }> => {
  const link = await findLink('invoice', token)
  if (!link) throw notFound('invoice')
  return link
}

const viewPublic = (link: { businessId: BusinessId; entityId: string }) =>
  withTenant(link, (db) => getPublicInvoice(db, link.entityId))

export const paymentsEndpoints = serve(
  'payments',
  paymentsApi,
)({
  recordPayment: ({ actor, params, body }) => recordPayment(actor, params.id, body),
  publicInvoice: async ({ params }) => viewPublic(await linkOf(params.token)),
  viewed: async ({ params }) => {
    const link = await linkOf(params.token)
    await countView(link.businessId, link.entityId)
    return { viewed: true }
  },
  pay: async ({ params, request }) => {
    const link = await linkOf(params.token)
    await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
    return payInvoice(link.businessId, link.entityId, params.token)
  },
  payByBank: async ({ params, body, request }) => {
    const link = await linkOf(params.token)
    await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
    return payByBank(link.businessId, link.entityId, params.token, { ...body, ip: request.ip })
  },
  payAll: async ({ params, request }) => {
    const link = await linkOf(params.token)
    await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
    return payWithFees(link.businessId, link.entityId, params.token)
  },
  payPart: async ({ params, body, request }) => {
    const link = await linkOf(params.token)
    await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
    return payPart(link.businessId, link.entityId, params.token, body.amountCents)
  },
  payWithTip: async ({ params, body, request }) => {
    const link = await linkOf(params.token)
    await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
    return payWithTip(link.businessId, link.entityId, params.token, { ...body, ip: request.ip })
  },
  sync: async ({ params, request }) => {
    const link = await linkOf(params.token)
    await countUse(`sync:${link.entityId}:${request.ip}`, 60, 600)
    const sessions = await withTenant(link, (db) => listOpenSessions(db, [link.entityId]))
    for (const { sessionId, accountId } of sessions) await syncCheckout(sessionId, accountId)
    return viewPublic(link)
  },
  publicPdf: async ({ params, reply }) => {
    const link = await linkOf(params.token)
    const { invoice, pdf } = await renderInvoice(link.businessId, link.entityId)
    if (invoice.status === 'draft') throw notFound('invoice')
    refuse(invoiceRefusals.print(invoice))
    return sendPdf(reply, invoiceName(invoice.number), pdf)
  },
  webhook: async ({ request }) => {
    const raw = String(request.body ?? '')
    const event = await readEvent(raw, String(request.headers['stripe-signature'] ?? '')).catch(() => {
      throw new AppError('bad_request', 'The signature does not fit.')
    })
    await storeWebhook({
      provider: 'stripe',
      account: event.account ?? '',
      eventId: event.id,
      type: event.type,
      payload: JSON.parse(raw),
    })
    return { received: true }
  },
})

export const connectEndpoints = serve(
  'payments',
  connectApi,
)({
  getAccount: ({ actor }) => withTenant(actor, (db) => getCardAccount(db, actor)),
  connectAccount: ({ actor }) => connect(actor),
  syncAccount: ({ actor }) => syncCardAccount(actor),
  disconnectAccount: ({ actor }) => disconnect(actor),
})

export const cardsEndpoints = serve(
  'payments',
  cardsApi,
)({
  getCard: ({ actor, params }) => withTenant(actor, (db) => getCustomerCard(db, actor, params.id)),
  removeCard: ({ actor, params }) => removeCard(actor, params.id),
  setAutopay: ({ actor, params, body }) => setAutopay(actor, params.id, body),
  payAndSave: async ({ params, body, request }) => {
    const link = await linkOf(params.token)
    await countUse(`pay:${link.entityId}:${request.ip}`, 30, 600)
    const saving = { mandate: body.mandate, ip: request.ip }
    return payInvoice(link.businessId, link.entityId, params.token, saving)
  },
  stopAutopay: async ({ params }) => {
    const link = await linkOf(params.token)
    await stopAutopay(link.businessId, link.entityId)
    return viewPublic(link)
  },
})

export const creditsEndpoints = serve(
  'payments',
  creditsApi,
)({
  recordDeposit: ({ actor, params, body }) => recordDeposit(actor, params.id, body),
})

export const correctionsEndpoints = serve(
  'payments',
  correctionsApi,
)({
  useCredit: ({ actor, params, body }) => putCredit(actor, params.id, body),
  creditInvoice: ({ actor, params, body }) => creditInvoice(actor, params.id, body),
  giveCredit: ({ actor, params, body }) => giveCredit(actor, params.id, body),
  reversePayment: ({ actor, params, body }) => reversePayment(actor, params.id, body),
  takeOff: ({ actor, params, body }) => takeOff(actor, params.id, body),
  refundPayment: ({ actor, params, body }) => refundPayment(actor, params.id, body),
  takeRefundBack: ({ actor, params, body }) => takeRefundBack(actor, params.id, body.reason),
  listCredits: ({ actor, params }) => withTenant(actor, (db) => listCredits(db, actor, params.id)),
})

export const doorEndpoints = serve(
  'payments',
  doorApi,
)({
  fieldCash: ({ actor }) => withTenant(actor, getFieldCash),
  handIn: ({ actor, body }) => handInCash(actor, body),
  undoHandIn: ({ actor, params, body }) => undoHandIn(actor, params.id, body),
  sendReceipt: async ({ actor, params, body }) => {
    await sendReceiptAgain(actor, params.receiptId, body.by)
    return { sent: true }
  },
})

export const payoutsEndpoints = serve(
  'payments',
  payoutsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listPayouts(db, query)),
  get: ({ actor, params }) => withTenant(actor, (db) => getPayout(db, params.id)),
  lines: ({ actor, params, query }) => withTenant(actor, (db) => listPayoutLines(db, params.id, query)),
  csv: async ({ actor, params, reply }) => {
    const { name, text } = await withTenant(actor, (db) => makePayoutFile(db, params.id))
    return sendText(reply, { name, mime: 'text/csv', text })
  },
})

export const tipsEndpoints = serve(
  'payments',
  tipsApi,
)({
  list: ({ actor, query }) => withTenant(actor, (db) => listTips(db, query)),
  csv: async ({ actor, query, reply }) => {
    const { name, text } = await withTenant(actor, (db) => makeTipsFile(db, query))
    return sendText(reply, { name, mime: 'text/csv', text })
  },
  setPeople: ({ actor, params, body }) => nameTipPeople(actor, params.id, body.memberUserIds),
})

export const disputesEndpoints = serve(
  'payments',
  disputesApi,
)({
  list: ({ actor, query }) => withTenant(actor, async (db) => ({ items: await listDisputes(db, query) })),
  get: ({ actor, params }) => withTenant(actor, (db) => getDispute(db, actor, params.id)),
  saveEvidence: ({ actor, params, body }) => saveEvidence(actor, params.id, body),
  submitEvidence: ({ actor, params, body }) => submitEvidence(actor, params.id, body),
})
