import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const LocalCheckout = z.object({
  status: z.enum(['open', 'complete', 'expired']),
  amountCents: z.number().int(),
  description: z.string(),
  businessName: z.string(),
  returnPath: z.string(),
})

/** The local payment provider's page for money that is paid once. */
export const localPaymentsApi = {
  checkout: endpoint({
    method: 'GET',
    path: '/api/local/checkout/:sessionId',
    access: 'public',
    params: z.object({ sessionId: z.string().max(100) }),
    response: LocalCheckout,
    summary: 'The local test checkout',
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/local/checkout/:sessionId/pay',
    access: 'public',
    params: z.object({ sessionId: z.string().max(100) }),
    body: z.object({ cardNumber: z.string().max(30) }),
    response: z.object({ result: z.enum(['paid', 'declined']), message: z.string(), returnPath: z.string() }),
    summary: 'Pays with a test card: 4242 4242 4242 4242 works, 4000 0000 0000 0002 is declined',
  }),
}
