import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

const Token = z.object({ token: z.string().max(100) })

/** What the link in a statement opens: pages of their own, whole without a script. */
export const statementPageApi = {
  page: endpoint({
    method: 'GET',
    path: '/s/:token',
    access: 'public',
    params: Token,
    /** Back from the payment page, and how often it was asked since whether the payment came. */
    query: z.object({
      paid: z.coerce.number().int().min(0).max(99).optional().catch(undefined),
      /** The customer portal that led here, which the page leads back to. */
      portal: z
        .string()
        .regex(/^[a-z0-9-]{1,60}$/)
        .optional()
        .catch(undefined),
    }),
    response: z.any(),
    summary: 'What a customer owes and paid, as a page',
  }),
  pay: endpoint({
    method: 'POST',
    path: '/s/:token/pay',
    access: 'public',
    form: true,
    params: Token,
    body: z.record(z.string().max(40), z.string().max(200)),
    response: z.any(),
    summary:
      'The hosted checkout for the invoices that were checked on that page, in one payment, or for a part of one of them',
  }),
}
