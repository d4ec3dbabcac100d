import { type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { sendPdf } from '../../../platform/http/pdf.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { findLink } from '../../../platform/links.ts'
import { readEvent } from '../../../platform/payments/events.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { invoiceName, invoiceRefusals } from '../../invoices/rules.ts'
import { renderInvoice } from '../../invoices/server/commands.ts'
import { paymentsApi } from '../contract.ts'
import { correctionsApi } from '../corrections/contract.ts'
import { creditInvoice, giveCredit, putCredit, refundPayment, reversePayment } from '../corrections/server/commands.ts'
import { listCredits } from '../corrections/server/queries.ts'
import { creditsApi } from '../credits/contract.ts'
import { recordDeposit } from '../credits/server/commands.ts'
import { countView, payInvoice, recordPayment, syncCheckout } from './commands.ts'
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
  sync: async ({ params, request }) => {
    const link = await linkOf(params.token)
    await countUse(`sync:${link.entityId}:${request.ip}`, 60, 600)
    const sessions = await withTenant(link, (db) => listOpenSessions(db, link.entityId))
    for (const session of sessions) await syncCheckout(session)
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
  refundPayment: ({ actor, params, body }) => refundPayment(actor, params.id, body),
  listCredits: ({ actor, params }) => withTenant(actor, (db) => listCredits(db, actor, params.id)),
})
