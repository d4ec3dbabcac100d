import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'

export const papersApi = {
  paymentPdf: endpoint({
    method: 'GET',
    path: '/api/payments/:id/pdf',
    access: 'office',
    permission: 'money',
    params: z.object({ id: z.uuid() }),
    response: z.any(),
    summary: 'The receipt of a payment, or the credit note, as PDF',
  }),
}
