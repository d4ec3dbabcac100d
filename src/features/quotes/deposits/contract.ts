import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { ReceivedMoney } from '../../payments/contract.ts'
import { QuoteRecord } from '../contract.ts'

const verb = {
  method: 'POST',
  access: 'office',
  permission: 'money',
  params: z.object({ id: z.uuid() }),
  response: QuoteRecord,
} as const

export const quoteDepositsApi = {
  record: endpoint({
    ...verb,
    path: '/api/quotes/:id/deposit',
    idempotent: 'steps',
    // the sum is what was signed: a check over another one is recorded at the customer
    body: ReceivedMoney.pick({ method: true, receivedOn: true, note: true, exceptionReason: true }),
    summary: 'The deposit of a signed quote came by check, cash or some other way; booked once, with a receipt',
  }),
  keep: endpoint({
    ...verb,
    path: '/api/quotes/:id/deposit/keep',
    idempotent: true,
    summary: 'The quote came to nothing: its deposit is credit of the customer that any invoice may use',
  }),
}
