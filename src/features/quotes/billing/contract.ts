import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { QuoteRecord } from '../contract.ts'

export const quoteBillingApi = {
  bill: endpoint({
    method: 'POST',
    path: '/api/quotes/:id/invoice',
    access: 'office',
    permission: 'money',
    needsSubscription: true,
    // its payment page ends first
    idempotent: 'steps',
    params: z.object({ id: z.uuid() }),
    response: QuoteRecord,
    summary: 'A draft of an invoice over all that was signed, once; its deposit is credit that the invoice may use',
  }),
}
