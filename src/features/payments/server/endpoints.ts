import { config } from '../../../platform/config.ts'
import { type BusinessId, withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { serve } from '../../../platform/http/serve.ts'
import { findLink } from '../../../platform/links.ts'
import { deliverLocalEvents, readEvent } from '../../../platform/payments/events.ts'
import { completeLocalPayment, findLocalPayment } from '../../../platform/payments/local-checkout.ts'
import { storeWebhook } from '../../../platform/webhooks.ts'
import { AppError, conflict, notFound } from '../../../shared/errors.ts'
import { phoneDigits } from '../../../shared/phone.ts'
import { invoiceName } from '../../invoices/rules.ts'
import { renderInvoice } from '../../invoices/server/commands.ts'
import { paymentsApi } from '../contract.ts'
import { countView, payInvoice, recordPayment, syncCheckout } from './commands.ts'
import { getPublicInvoice, listOpenSessions } from './queries.ts'

const linkOf = async (token: string): Promise<{ businessId: BusinessId; entityId: string }> => {
  const link = await findLink('invoice', token)
  if (!link) throw notFound('invoice')
  return link
}

/** Test cards by their number; the words are the provider's. */
const declined: Record<string, string> = {
  '4000000000000002': 'Your card was declined.',
  '4000000000009995': 'Your card has insufficient funds.',
}
const goodCard = '4242424242424242'

const localOnly = (): void => {
  if (config.production) throw notFound('address')
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
  sync: async ({ params }) => {
    const link = await linkOf(params.token)
    const sessions = await withTenant(link, (db) => listOpenSessions(db, link.entityId))
    for (const session of sessions) await syncCheckout(session)
    return viewPublic(link)
  },
  publicPdf: async ({ params, reply }) => {
    const link = await linkOf(params.token)
    const { invoice, pdf } = await renderInvoice(link.businessId, link.entityId)
    if (invoice.status === 'draft') throw notFound('invoice')
    reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${invoiceName(invoice.number)}.pdf"`)
      .serializer((bytes: unknown) => bytes as string)
    return pdf
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
  localCheckout: async ({ params }) => {
    localOnly()
    const session = await findLocalPayment(params.sessionId)
    if (!session) throw notFound('checkout')
    return {
      status: session.status,
      amountCents: session.amountCents,
      description: session.description,
      businessName: session.payeeName,
      returnPath: session.returnPath,
    }
  },
  localPay: async ({ params, body }) => {
    localOnly()
    const session = await findLocalPayment(params.sessionId)
    if (!session) throw notFound('checkout')
    const { returnPath } = session
    if (session.status === 'complete') return { result: 'paid', message: 'This was paid before.', returnPath }
    if (session.status === 'expired')
      throw conflict('This payment page has expired. Go back to the invoice and press Pay again; nothing was charged.')
    const card = phoneDigits(body.cardNumber)
    if (declined[card])
      return { result: 'declined', message: `${declined[card]} Nothing was charged; try another card.`, returnPath }
    if (card !== goodCard)
      throw new AppError('validation_failed', 'Validation error', {
        errors: [{ path: 'cardNumber', message: 'Use a test card: 4242 4242 4242 4242' }],
      })
    const paymentId = await completeLocalPayment(params.sessionId)
    if (paymentId) {
      await deliverLocalEvents([
        {
          type: 'checkout.session.completed',
          object: {
            id: params.sessionId,
            object: 'checkout.session',
            mode: 'payment',
            status: 'complete',
            payment_status: 'paid',
            payment_intent: paymentId,
            amount_total: session.amountCents,
            currency: 'usd',
            metadata: { ...session.invoice, ...session.fee },
          },
        },
      ])
    }
    return { result: 'paid', message: 'Paid with a test card. No real money moved.', returnPath }
  },
})
