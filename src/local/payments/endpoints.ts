import { serve } from '../../platform/http/serve.ts'
import { AppError, conflict, notFound } from '../../shared/errors.ts'
import { completeLocalPayment, findLocalPayment } from './checkout.ts'
import { localPaymentsApi } from './contract.ts'
import { deliverLocalEvents } from './events.ts'

/** Test cards by their number; the words are the provider's. */
const declined: Record<string, string> = {
  '4000000000000002': 'Your card was declined.',
  '4000000000009995': 'Your card has insufficient funds.',
}
const goodCard = '4242424242424242'

export const localPaymentsEndpoints = serve(
  'localPayments',
  localPaymentsApi,
)({
  checkout: async ({ params }) => {
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
  pay: async ({ params, body }) => {
    const session = await findLocalPayment(params.sessionId)
    if (!session) throw notFound('checkout')
    const { returnPath } = session
    if (session.status === 'complete') return { result: 'paid', message: 'This was paid before.', returnPath }
    if (session.status === 'expired')
      throw conflict('This payment page has expired. Go back to the invoice and press Pay again; nothing was charged.')
    const card = body.cardNumber.replace(/\D/g, '')
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
