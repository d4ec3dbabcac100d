import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { ReceivedMoney } from '../contract.ts'

const Cents = z.number().int()

/** Money that came before its invoice, as it was booked. */
export const Deposit = z.object({
  paymentId: z.uuid(),
  receiptNumber: z.number().int(),
  amountCents: Cents,
  /** What of it waits for an invoice. */
  creditCents: Cents,
  /** The open invoice of its job that it was put on at once. */
  invoiceId: z.uuid().nullable(),
})
export type Deposit = z.output<typeof Deposit>

export const creditsApi = {
  recordDeposit: endpoint({
    method: 'POST',
    path: '/api/customers/:id/deposits',
    access: 'office',
    permission: 'money',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: ReceivedMoney.omit({ tipCents: true }).extend({
      /** The job it is for: it waits for invoices of that job's work. */
      jobId: z.uuid().nullable().default(null),
    }),
    response: Deposit,
    summary: 'Money that comes before its invoice: a deposit for a job, or a payment ahead',
  }),
}
